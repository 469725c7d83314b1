import { expect, it } from 'vitest';
import { UNLOCKED_SECONDS, UnlockCookies } from '../../../src/links/password/unlock-cookies.ts';

const NOW = Date.parse('2027-01-01T00:00:00Z');
const LOCK = { linkId: 'kQ7WRn9d', passwordAt: 1 };

it.each<[what: string, lock: typeof LOCK, now: number]>([
  ['another link', { ...LOCK, linkId: 'mH8JpT6w' }, NOW],
  ['another password', { ...LOCK, passwordAt: 2 }, NOW],
  ['a visit after its end', LOCK, NOW + UNLOCKED_SECONDS * 1000],
])('the memory of cookies refuses one that it knows for %s', (_what, lock, now) => {
  const cookies = new UnlockCookies(['secret']);
  const value = cookies.of(LOCK, NOW);
  for (const _ of ['verified', 'known']) expect(cookies.isValid(value, LOCK, NOW)).toBe(true);
  expect(cookies.isValid(value, lock, now)).toBe(false);
  expect(cookies.isValid(value, LOCK, NOW)).toBe(true);
});

it('the memory of cookies never remembers one of another signature', () => {
  const cookies = new UnlockCookies(['secret']);
  const forged = new UnlockCookies(['another secret']).of(LOCK, NOW);
  for (const _ of ['first', 'again']) expect(cookies.isValid(forged, LOCK, NOW)).toBe(false);
});
