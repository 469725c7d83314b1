import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { byDay, byHour } from '../../src/clicks/breakdown.ts';
import type { ClicksAndVisitors, DayClicks } from '../../src/statistics/questions/questions.ts';
import { dayNumberOf } from '../../src/time/day.ts';
import { replaceInObjects } from '../support/objects.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { ask, clicked, seedClicks } from '../support/stats.ts';

/** The work of a question about many days, for the Worker and the object. */

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('a breakdown by a value comes from the object as the sum of all days', async () => {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  await seedClicks(link, [
    { at: '2026-03-28T10:00:00Z', country: 'AT' },
    { at: '2026-03-29T10:00:00Z', country: 'DE' },
    { at: '2026-03-30T10:00:00Z', country: 'AT' },
  ]);
  const results: ClicksAndVisitors['days'][] = [];
  replaceInObjects('ask', (call) => async (...args) => {
    const result = (await call(...args)) as ClicksAndVisitors;
    results.push(result.days);
    return result;
  });
  const counted = await ask(tenant, '/v1/stats?from=2026-03-01&to=2026-03-30&by=country');
  expect(clicked(counted)).toEqual([
    ['AT', 2],
    ['DE', 1],
  ]);
  const values = results.map((days) => days.map(({ humans, by }) => [humans, by.country?.length]));
  expect(values).toEqual([
    [
      [1, 0],
      [1, 0],
      [1, 2],
    ],
  ]);
  // Of filtered days those count that are known, one by one.
  const filtered = await ask(tenant, '/v1/stats?from=2026-03-01&to=2026-03-30&by=country&browser=Chrome');
  expect(clicked(filtered)).toEqual(clicked(counted));
  expect(results[1]?.map(({ by }) => by.country?.length)).toEqual([1, 1, 1]);
});

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), humans: 1, bots: 0, previews: 0 }));
const FIRST = dayNumberOf('2026-03-01');
const MARCH = Array.from({ length: 31 }, (_, index): DayClicks => ({
  day: FIRST + index,
  humans: 24,
  bots: 0,
  previews: 0,
  by: { hour: HOURS },
  isKnown: true,
  hasHours: true,
}));

it.each(['Asia/Kathmandu', 'Europe/Vienna', 'America/St_Johns'])(
  'the days and hours of %s are found with few look-ups of the zone, and have each hour',
  (tz) => {
    const lookUps = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    const range = { from: '2026-03-02', to: '2026-03-30', tz, client_id: undefined };
    const [days, hours] = [byDay(MARCH, range), byHour(MARCH, range)];
    // Two for a day, and one for each hour of a day on which the clocks are changed.
    expect(lookUps.mock.calls.length).toBeLessThan(350);
    expect(days.length).toBe(29);
    for (const { key, total } of days)
      expect([key, total]).toEqual([key, hours.filter((hour) => hour.key?.startsWith(key ?? '-')).length]);
    expect(hours.every(({ total }) => total === 1)).toBe(true);
  },
);
