import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GOOGLEBOT } from '../../support/clicks.ts';
import {
  GERMAN_PHONE,
  hrefOf,
  openStatisticsPages,
  peopleIn,
  peopleOf,
  rowsOf,
  totalsIn,
} from '../../support/statistics-page.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:30:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the period of click statistics', () => {
  it.each([
    ['?period=today', 'Clicks by hour', 13],
    ['?period=7d', 'Clicks by day', 7],
    ['', 'Clicks by day', 30],
    ['?days=90', 'Clicks by day', 90],
    ['?period=month', 'Clicks by day', 20],
    ['?period=12m', 'Clicks by week', 53],
    ['?from=2026-05-18&to=2026-05-20', 'Clicks by day', 3],
    ['?from=2026-05-19&to=2026-05-20', 'Clicks by hour', 37],
    ['?from=2026-05-20', 'Clicks by hour', 13],
    ['?from=2026-05-01&to=2030-01-01', 'Clicks by day', 20],
  ])('the period %s is shown as %s, %i of them', async (query, caption, rows) => {
    const { read } = await openStatisticsPages([GERMAN_PHONE]);
    const page = await read(query);
    expect([rowsOf(page, caption).length, peopleIn(page, caption), peopleOf(page)]).toEqual([rows, 1, 1]);
    expect(rowsOf(page, caption)[0]?.[0]).toContain('(so far)');
    expect(page.includes('class="key so-far"')).toBe(true);
  });

  it.each([
    [
      '?from=2026-05-20&to=2026-05-18',
      'Choose a first day from 2000 on and a last day that is not before it, at most 400 days. These are the last 30 days.',
    ],
    [
      '?from=x',
      'Choose a first day from 2000 on and a last day that is not before it, at most 400 days. These are the last 30 days.',
    ],
    [
      '?from=2024-01-01&to=2026-05-18',
      'Choose a first day from 2000 on and a last day that is not before it, at most 400 days. These are the last 30 days.',
    ],
    [
      '?from=1999-01-01',
      'Choose a first day from 2000 on and a last day that is not before it, at most 400 days. These are the last 30 days.',
    ],
    ['?period=%3Cb%3E', 'The period &quot;&lt;b&gt;&quot; is not known. These are the last 30 days.'],
  ])('the period %s is refused: %s', async (query, sentence) => {
    const { read } = await openStatisticsPages([GERMAN_PHONE]);
    const page = await read(query);
    expect(page).toContain(sentence);
    expect(rowsOf(page, 'Clicks by day')).toHaveLength(30);
  });

  it('the period of click statistics has weeks from Monday to Sunday in the zone of the user, which lead to their days', async () => {
    const sunday = { ...GERMAN_PHONE, at: Date.parse('2026-05-17T22:30:00Z') };
    const { read, path } = await openStatisticsPages([sunday, GERMAN_PHONE], { tz: 'Europe/Vienna' });
    const page = await read('?period=12m');
    expect(rowsOf(page, 'Clicks by week').slice(0, 2)).toEqual([
      ['18 May 2026 to 20 May 2026 (so far)', '2', '0', '0'],
      ['11 May 2026 to 17 May 2026', '0', '0', '0'],
    ]);
    const href = hrefOf(page, '11 May 2026 to 17 May 2026');
    expect(href).toBe(`${path}?from=2026-05-11&to=2026-05-17`);
  });

  it('the period of click statistics is compared with as many days before until the same hour, in words', async () => {
    const at = (instant: string, clicks: number) => ({ ...GERMAN_PHONE, at: Date.parse(instant), clicks });
    const { read } = await openStatisticsPages([
      at('2026-05-20T09:00:00Z', 3),
      at('2026-05-19T12:40:00Z', 2),
      at('2026-05-19T13:00:00Z', 9),
      { ...at('2026-05-20T09:00:00Z', 1), userAgent: GOOGLEBOT },
    ]);
    const page = await read('?period=today&compare=previous');
    expect(totalsIn(page)).toEqual([
      ['Daily visitors', '–'],
      ['Visits', '3', '+50%'],
      ['QR scans', '0'],
      ['Link previews', '0'],
      ['Bots', '1', 'new'],
    ]);
    expect(page).toContain('Daily visitors are not counted: these people asked not to be tracked.');
    expect(page).toContain('<span class="key was">19 May 2026 until 19 May 2026, 13:00 UTC</span>');
    expect(rowsOf(page, 'Clicks by hour').slice(3, 5)).toEqual([
      ['20 May 2026, 09:00', '3', '0', '1', '0 on 19 May 2026, 09:00'],
      ['20 May 2026, 08:00', '0', '0', '0', '0 on 19 May 2026, 08:00'],
    ]);
    expect(rowsOf(page, 'Clicks by hour')[0]).toEqual([
      '20 May 2026, 12:00 (so far)',
      '0',
      '0',
      '0',
      '2 on 19 May 2026, 12:00',
    ]);
    expect(peopleOf(await read('?from=2026-05-19&to=2026-05-19'))).toBe(11);
  });
});
