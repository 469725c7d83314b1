import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver, packOf, type PackedBy } from '../../support/clicks.ts';
import { seedCaller } from '../../support/forms.ts';
import { form, openBrowser } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { foldClicks } from '../../support/stats.ts';
import { peopleIn, peopleOf, rowsOf } from '../../support/statistics-page.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A workspace with clicks around the first midnight of a period, seen by a user of a zone. */
async function seedAround(instants: readonly string[], tz: string) {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  await browse('/platform/account/time-zone', form({ tz }));
  const clicks: PackedBy[] = instants.map((at) => ({
    at: Date.parse(at),
    country: 'AT',
    referrer: 'news.example',
    language: 'de',
  }));
  const link = await seedLink(caller, { campaign_name: 'Spring' });
  await deliver([packOf(link, clicks)]);
  const read = async (query: string) => (await browse(`/platform/c/${caller.clientId}${query}`)).text();
  return { caller, link, browse, read };
}

/** The queries of pages with breakdowns, and those. */
const TABLES = {
  '': ['Links', 'From', 'Countries', 'Campaigns', 'Devices'],
  '&card=link': ['Links'],
  '&card=language': ['Languages'],
  '&card=browser': ['Browsers'],
  '&card=os': ['Operating systems'],
} as const;

describe.each([
  [
    'Europe/Vienna',
    ['2026-05-13T21:59:00Z', '2026-05-13T22:30:00Z', '2026-05-14T03:00:00Z', '2026-05-20T10:00:00Z'],
    3,
  ],
  [
    'America/New_York',
    ['2026-05-14T01:00:00Z', '2026-05-14T03:59:00Z', '2026-05-14T04:10:00Z', '2026-05-20T10:00:00Z'],
    2,
  ],
  ['Asia/Kolkata', ['2026-05-13T17:00:00Z', '2026-05-13T19:05:00Z', '2026-05-20T10:00:00Z'], 2],
] as const)('the last 7 days in %s', (tz, instants, people) => {
  it('the last 7 days have one number of people at the top, in the chart and in every card', async () => {
    const { read } = await seedAround(instants, tz);
    const page = await read('?period=7d');
    expect([peopleOf(page), peopleIn(page, 'Clicks by day')]).toEqual([people, people]);
    for (const [card, tables] of Object.entries(TABLES)) {
      const page = await read(`?period=7d${card}`);
      const sums = tables.map((caption) => [caption, peopleIn(page, caption)]);
      for (const caption of tables) expect(rowsOf(page, caption)).toHaveLength(1);
      expect({ card, sums }).toEqual({ card, sums: tables.map((caption) => [caption, people]) });
    }
  });
});

/** Clicks at both ends of days whose details are kept by UTC day only. */
const OLD = [
  '2026-04-19T20:00:00Z',
  '2026-04-20T02:00:00Z',
  '2026-04-20T12:00:00Z',
  '2026-04-30T23:00:00Z',
  '2026-05-01T03:30:00Z',
];

describe.each([
  ['Europe/Vienna', 2, 3],
  ['America/New_York', 3, 3],
  ['Pacific/Auckland', 3, 3],
] as const)('days of weeks ago in %s', (tz, people, ofUtcDays) => {
  it('days of weeks ago have one number of people everywhere, where the hours at the ends have no detail too', async () => {
    const { read, caller } = await seedAround(OLD, tz);
    await foldClicks(caller.clientId);
    const all = await read('?from=2026-04-20&to=2026-04-30&graph=visits');
    expect([peopleOf(all), peopleIn(all, 'Clicks by day')]).toEqual([people, people]);
    expect(all).toContain(`Days in ${tz.replace('_', ' ')}`);
    for (const [card, tables] of Object.entries(TABLES)) {
      const page = await read(`?from=2026-04-20&to=2026-04-30${card}`);
      const sums = tables.map((caption) => peopleIn(page, caption));
      expect({ card, sums }).toEqual({ card, sums: sums.map(() => people) });
      if (card === '&card=link') expect(rowsOf(page, 'Links')).toHaveLength(1);
    }
    expect(await read('?from=2026-04-20&to=2026-04-30')).toContain('count as “All others”');
  });

  it('days of weeks ago are UTC days where clicks are filtered, which is said', async () => {
    const { read, caller } = await seedAround(OLD, tz);
    await foldClicks(caller.clientId);
    const all = await read('?from=2026-04-20&to=2026-04-30&country=AT');
    expect([peopleOf(all), peopleIn(all, 'Clicks by day')]).toEqual([ofUtcDays, ofUtcDays]);
    expect(all).toContain('Days in UTC');
    expect(all).toContain('Count each link with these filters');
    for (const [card, tables] of Object.entries(TABLES)) {
      const page = await read(`?from=2026-04-20&to=2026-04-30${card}&country=AT`);
      const shown = tables.filter((caption) => card !== '' || caption !== 'Links');
      const sums = shown.map((caption) => peopleIn(page, caption));
      expect({ card, sums }).toEqual({ card, sums: sums.map(() => ofUtcDays) });
      expect(page).toContain('Days begin at midnight UTC');
    }
  });
});
