import { afterEach, expect, it, vi } from 'vitest';
import { parseCondition } from '../../../support/visitors.ts';

/** Calls of the platform while conditions are read: a batch may have thousands. */

afterEach(() => void vi.restoreAllMocks());

it('a time zone is created once, in any case of its letters', () => {
  const format = vi.spyOn(Intl, 'DateTimeFormat');
  for (const tz of ['Asia/Tokyo', 'Asia/Tokyo', 'asia/TOKYO'])
    expect(parseCondition({ type: 'hours', from: '09:00', until: '17:00', tz })).toMatchObject({ tz });
  expect(format).toHaveBeenCalledTimes(1);
});

it('a language is asked for once', () => {
  const canonical = vi.spyOn(Intl, 'getCanonicalLocales');
  expect(parseCondition({ type: 'language', in: ['PT-br'] })).toMatchObject({ in: ['pt-BR'] });
  expect(canonical).toHaveBeenCalledTimes(1);
});
