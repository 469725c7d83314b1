import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { carryClicks } from '../support/carried-clicks.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { ask, clicked, foldClicks, humans, seedClicked, seedClicks } from '../support/stats.ts';

/** The first day by which statistics can be filtered: `filtered_from`. */

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

/** The days of the tests: the first has only sums, the next two have facts without hours, and the others have all. */
const DAYS = ['2025-12-25', '2025-12-26', '2026-03-22', '2026-03-23', '2026-03-30'];

/** A click in each of three hours of each day, the first from Germany. */
async function seedOldClicks() {
  const clicks = DAYS.flatMap((day) => [
    { at: `${day}T03:00:00Z`, country: 'DE' },
    { at: `${day}T12:00:00Z`, country: 'AT' },
    { at: `${day}T20:00:00Z`, country: 'DE' },
  ]);
  const seeded = await seedClicked(clicks);
  await foldClicks(seeded.tenant.clientId);
  return seeded;
}

describe('a filter that reaches beyond the detail that is kept', () => {
  it('a filter that reaches beyond the detail that is kept counts from the first day that has it, and says so', async () => {
    const { tenant, link } = await seedOldClicks();
    for (const path of ['/v1/stats', `/v1/links/${link.id}/stats`]) {
      expect((await ask(tenant, `${path}?from=2025-12-24&to=2025-12-27&country=DE`)).body).toEqual({
        by: 'day',
        tz: 'UTC',
        from: '2025-12-24',
        to: '2025-12-27',
        filtered_from: '2025-12-26',
        visitors: null,
        ...humans(2),
        rows: [
          { key: '2025-12-26', ...humans(2) },
          { key: '2025-12-27', ...humans(0) },
        ],
        compare: null,
        cursor: null,
      });
    }
  });

  it.each([
    ['country=DE', '2025-12-26', 8],
    ['country=DE&by=referrer', '2025-12-26', 8],
    ['country=DE&by=link', '2025-12-26', 8],
    ['country=DE&by=weekday', '2025-12-26', 8],
    ['country=DE&visitor=human', '2025-12-26', 8],
    ['country=FR', '2025-12-26', 0],
    ['country=DE&by=hour', '2026-03-23', 4],
    // Days of a zone are placed by hours. 2026-03-23 begins in Tokyo when 2026-03-22 has no hours yet.
    ['country=DE&tz=Asia/Tokyo', '2026-03-24', 3],
    ['country=DE&tz=Asia/Tokyo&by=weekday', '2026-03-24', 3],
    ['country=DE&tz=Asia/Kolkata', '2026-03-24', 3],
    ['country=DE&tz=America/New_York', '2026-03-23', 3],
    ['country=DE&tz=Pacific/Pago_Pago', '2026-03-23', 3],
    ['country=DE&tz=Pacific/Kiritimati', '2026-03-24', 3],
    ['country=DE&tz=Asia/Tokyo&by=country', '2025-12-26', 8],
    ['visitor=human', null, 15],
    ['visitor=human&by=hour', null, 15],
    ['visitor=bot', null, 0],
    ['tz=Asia/Tokyo', null, 15],
    ['by=country', null, 15],
    ['by=destination', null, 15],
    ['by=campaign', null, 15],
    ['by=link', null, 15],
  ])(
    'a filter that reaches beyond the detail that is kept begins with the first day that is known as a whole: %s',
    async (query, filteredFrom, total) => {
      const { tenant } = await seedOldClicks();
      const { body } = await ask(tenant, `/v1/stats?from=2025-12-20&to=2026-03-31&${query}`);
      expect(body).toMatchObject({ from: '2025-12-20', to: '2026-03-31', filtered_from: filteredFrom, total });
    },
  );

  it('a filter that reaches beyond the detail that is kept has no rows of days, hours or values where the range ends before', async () => {
    const { tenant } = await seedOldClicks();
    const range = 'from=2025-12-01&to=2025-12-25&country=DE';
    for (const by of ['day', 'hour', 'country', 'link']) {
      const { body } = await ask(tenant, `/v1/stats?${range}&by=${by}`);
      expect([by, body]).toMatchObject([by, { filtered_from: '2025-12-26', ...humans(0), rows: [] }]);
    }
    const weekdays = await ask(tenant, `/v1/stats?${range}&by=weekday`);
    expect(weekdays.body).toMatchObject({ filtered_from: '2025-12-26', ...humans(0) });
    expect(weekdays.body['rows']).toHaveLength(7);
  });

  it('a filter that reaches beyond the detail that is kept needs no detail of days without clicks', async () => {
    const { tenant } = await seedOldClicks();
    const old = await ask(tenant, '/v1/stats?from=2025-10-01&to=2025-12-24&country=DE');
    expect(old.body).toMatchObject({ filtered_from: null, total: 0 });
    const other = await seedLink(tenant);
    const { body } = await ask(tenant, `/v1/stats?link=${other.id}&from=2025-12-20&country=DE`);
    expect(body).toMatchObject({ filtered_from: null, total: 0 });
  });

  it('a filter that reaches beyond the detail that is kept is known of some links as far as of the one that is known least', async () => {
    const { tenant, link } = await seedOldClicks();
    const other = await seedLink(tenant);
    await seedClicks(other, [{ at: '2025-12-28T10:00:00Z', country: 'DE' }]);
    const ofLinks = `link=${link.id}&link=${other.id}&country=DE&from=2025-12-20&to=2025-12-31`;
    const both = await ask(tenant, `/v1/stats?${ofLinks}`);
    expect(both.body).toMatchObject({ filtered_from: '2025-12-26', total: 3 });
    expect(clicked(await ask(tenant, `/v1/stats?${ofLinks}&by=link`))).toEqual([
      [link.id, 2],
      [other.id, 1],
    ]);
  });
});

it('a day that was carried from version 1.2.0 can be filtered by the kind of visitor alone', async () => {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  await carryClicks(link, { days: 3, campaign: 'Spring', humans: 2, bots: 1 });
  await seedClicks({ ...link, campaign_name: 'Spring' }, [{ at: '2026-03-31T10:00:00Z', country: 'DE' }]);
  const range = 'from=2026-03-28&to=2026-04-02';
  const about = async (path: string) => {
    const { filtered_from: from, total } = (await ask(tenant, path)).body;
    return [from, total];
  };
  for (const path of ['/v1/stats', '/v1/campaigns/Spring/stats', `/v1/links/${link.id}/stats`]) {
    expect(await about(`${path}?${range}`)).toEqual([null, 10]);
    expect(await about(`${path}?${range}&visitor=human`)).toEqual([null, 7]);
    expect(await about(`${path}?${range}&visitor=bot&by=country`)).toEqual([null, 3]);
    expect(await about(`${path}?${range}&visitor=bot&by=hour&tz=Asia/Tokyo`)).toEqual([null, 3]);
    expect(await about(`${path}?${range}&country=DE`)).toEqual(['2026-04-01', 0]);
    expect(await about(`${path}?${range}&by=campaign`)).toEqual(['2026-04-01', 0]);
    expect(await about(`${path}?${range}&country=DE&tz=America/New_York`)).toEqual(['2026-04-01', 0]);
    expect(await about(`${path}?${range}&country=DE&tz=Asia/Tokyo`)).toEqual(['2026-04-02', 0]);
  }
  expect(await about(`/v1/stats?${range}&by=link`)).toEqual([null, 10]);
});

describe('the days of a zone', () => {
  it('the days of a zone are whole where the clocks go from Greenwich time to a time west of it', async () => {
    // In the Azores 2025-10-26 has 25 hours, the last of which begins at midnight UTC.
    const { tenant } = await seedClicked([
      { at: '2025-10-25T23:30:00Z' },
      { at: '2025-10-26T00:30:00Z', country: 'PT' },
      { at: '2025-10-27T00:30:00Z', country: 'PT' },
      { at: '2025-10-27T01:00:00Z' },
    ]);
    const range = 'from=2025-10-26&to=2025-10-26&tz=Atlantic/Azores';
    expect((await ask(tenant, `/v1/stats?${range}`)).body).toMatchObject({ total: 2 });
    const hours = await ask(tenant, `/v1/stats?${range}&by=hour`);
    expect(hours.body['rows']).toHaveLength(25);
    expect(clicked(hours)).toEqual([
      ['2025-10-26T00:00:00Z', 1],
      ['2025-10-26T23:00:00-01:00', 1],
    ]);
  });

  it.each([
    ['Europe/London', '2026-03-29', 23],
    ['Europe/London', '2025-10-26', 25],
    ['Atlantic/Azores', '2026-03-29', 23],
    ['Asia/Kolkata', '2026-03-29', 24],
    ['Pacific/Kiritimati', '2026-03-29', 24],
    ['Pacific/Pago_Pago', '2026-03-29', 24],
    ['Asia/Beirut', '2026-03-29', 23],
    ['Australia/Lord_Howe', '2025-10-05', 23],
    ['Africa/Casablanca', '2026-03-22', 23],
  ])('the days of a zone have all their hours, each counted once: %s on %s', async (tz, day, hours) => {
    const start = Date.parse(day) - 24 * 3_600_000;
    const clicks = Array.from({ length: 72 }, (_, i) => ({ at: new Date(start + i * 3_600_000).toISOString() }));
    const { tenant } = await seedClicked(clicks);
    const range = `from=${day}&to=${day}&tz=${tz}`;
    expect((await ask(tenant, `/v1/stats?${range}`)).body).toMatchObject({ total: hours });
    expect(clicked(await ask(tenant, `/v1/stats?${range}&by=hour`))).toHaveLength(hours);
    const [weekday] = clicked(await ask(tenant, `/v1/stats?${range}&by=weekday`));
    expect(weekday).toEqual(['sun', hours]);
  });
});
