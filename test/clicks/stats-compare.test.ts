import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seedLink, seedTenant } from '../support/seed.ts';
import { ask, clicked, cursorIn, foldClicks, humans, seedClicked, seedClicks } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

interface Compared extends Record<string, unknown> {
  readonly rows: readonly { readonly key: string | null; readonly total: number }[];
}

async function compared(tenant: Parameters<typeof ask>[0], path: string): Promise<Compared> {
  const { status, body } = await ask(tenant, path);
  expect([path, status]).toEqual([path, 200]);
  return body['compare'] as Compared;
}

describe('a comparison', () => {
  it('a comparison with the days before has a part of its own, beside that of the range', async () => {
    const { tenant } = await seedClicked([
      { at: '2026-03-26T10:00:00Z' },
      { at: '2026-03-27T10:00:00Z' },
      { at: '2026-03-27T11:00:00Z' },
      { at: '2026-03-30T10:00:00Z' },
    ]);
    expect(await ask(tenant, '/v1/stats?from=2026-03-29&to=2026-03-30&compare=previous')).toEqual({
      status: 200,
      body: {
        by: 'day',
        tz: 'UTC',
        from: '2026-03-29',
        to: '2026-03-30',
        filtered_from: null,
        visitors: { total: 0, from: '2026-03-29', to: '2026-03-30' },
        ...humans(1),
        rows: [
          { key: '2026-03-29', ...humans(0) },
          { key: '2026-03-30', ...humans(1) },
        ],
        compare: {
          from: '2026-03-27',
          to: '2026-03-28',
          filtered_from: null,
          visitors: { total: 0, from: '2026-03-27', to: '2026-03-28' },
          ...humans(2),
          rows: [
            { key: '2026-03-27', ...humans(2) },
            { key: '2026-03-28', ...humans(0) },
          ],
        },
        cursor: null,
      },
    });
  });

  it.each([
    ['', '2026-01-31', '2026-03-01'],
    ['from=2026-03-31&to=2026-03-31', '2026-03-30', '2026-03-30'],
    ['from=2024-03-01&to=2024-03-31', '2024-01-30', '2024-02-29'],
    ['from=2024-02-29&to=2024-02-29', '2024-02-28', '2024-02-28'],
    ['from=2025-02-25&to=2026-03-31', '2024-01-22', '2025-02-24'],
    ['from=2000-01-01&to=2000-01-31', '1999-12-01', '1999-12-31'],
    ['from=9999-12-30&to=9999-12-31', '9999-12-28', '9999-12-29'],
    ['from=2026-03-29&to=2026-03-29&tz=Europe/Vienna', '2026-03-28', '2026-03-28'],
  ])('a comparison has as many days before: %s', async (query, from, to) => {
    const part = await compared(await seedTenant(), `/v1/stats?${query}&compare=previous`);
    expect(part).toMatchObject({ from, to, total: 0 });
  });

  it.each([
    ['from=2026-03-01&to=2026-03-31&compare=2025-03-01', '2025-03-31'],
    ['from=2026-02-01&to=2026-03-01&compare=2024-02-01', '2024-02-29'],
    ['from=2026-03-01&to=2026-03-31&compare=2026-03-15', '2026-04-14'],
    ['from=2026-03-01&to=2026-03-31&compare=2027-01-01', '2027-01-31'],
    ['from=2026-03-01&to=2026-03-02&compare=2000-01-01', '2000-01-02'],
    ['from=2026-03-01&to=2026-03-02&compare=9999-12-30', '9999-12-31'],
  ])('a comparison has as many days from another one on: %s', async (query, to) => {
    const from = query.slice(-10);
    expect(await compared(await seedTenant(), `/v1/stats?${query}`)).toMatchObject({ from, to, total: 0 });
  });

  const NAMED = 'invalid_compare: compare must be previous, or a first day such as 2026-11-21.';
  it.each([
    ['compare=Previous', NAMED],
    ['compare=yesterday', NAMED],
    ['compare=2026-02-29', NAMED],
    ['compare=1999-12-31', NAMED],
    [`compare=${'2'.repeat(8000)}`, NAMED],
    ['compare=previous&compare=2026-01-01', 'repeated_field: The parameter "compare" is given more than once.'],
    [
      'from=2026-03-01&to=2026-03-03&compare=9999-12-30',
      'invalid_compare: compare must be early enough that as many days follow until 9999-12-31.',
    ],
  ])('a comparison that cannot be is refused: %.30s', async (query, error) => {
    const { status, body } = await ask(await seedTenant(), `/v1/stats?${query}`);
    expect([status, body]).toEqual([400, { result: 'Failed', error }]);
  });

  it('a comparison is null where it is not requested', async () => {
    const tenant = await seedTenant();
    expect([await compared(tenant, '/v1/stats'), await compared(tenant, '/v1/stats?compare=')]).toEqual([null, null]);
  });

  it('a comparison by hour has all hours of its days, also where the clocks change', async () => {
    const { tenant } = await seedClicked([{ at: '2026-03-28T22:30:00Z' }, { at: '2026-03-29T21:30:00Z' }]);
    const path = '/v1/stats?from=2026-03-29&to=2026-03-29&tz=Europe/Vienna&by=hour&compare=previous';
    const { body } = await ask(tenant, path);
    expect(body['rows']).toHaveLength(23);
    expect(clicked({ body })).toEqual([['2026-03-29T23:00:00+02:00', 1]]);
    const part = body['compare'] as Compared;
    expect([part['total'], part.rows.length, part.rows.at(-1)]).toEqual([
      1,
      24,
      { key: '2026-03-28T23:00:00+01:00', ...humans(1) },
    ]);
  });

  it('a comparison by weekday has each weekday once', async () => {
    const { tenant } = await seedClicked([{ at: '2026-03-16T10:00:00Z' }, { at: '2026-03-23T10:00:00Z' }]);
    const part = await compared(tenant, '/v1/stats?from=2026-03-25&to=2026-03-31&by=weekday&compare=previous');
    expect(part.rows.map(({ key, total }) => [key, total])).toEqual([
      ['mon', 1],
      ['tue', 0],
      ['wed', 0],
      ['thu', 0],
      ['fri', 0],
      ['sat', 0],
      ['sun', 0],
    ]);
  });

  it('a comparison by value has the values of the rows in their order, and all clicks in its sums', async () => {
    const { tenant } = await seedClicked([
      { at: '2026-03-29T10:00:00Z', country: 'FR' },
      { at: '2026-03-29T10:00:00Z', country: 'AT' },
      { at: '2026-03-29T11:00:00Z', country: 'AT' },
      { at: '2026-03-29T11:00:00Z' },
      { at: '2026-03-30T10:00:00Z', country: 'DE' },
      { at: '2026-03-30T11:00:00Z', country: 'DE' },
      { at: '2026-03-30T10:00:00Z', country: 'AT' },
      { at: '2026-03-30T10:00:00Z' },
    ]);
    const path = '/v1/stats?from=2026-03-30&to=2026-03-30&by=country&compare=previous';
    const part = await compared(tenant, path);
    expect(part).toEqual({
      from: '2026-03-29',
      to: '2026-03-29',
      filtered_from: null,
      visitors: { total: 0, from: '2026-03-29', to: '2026-03-29' },
      ...humans(4),
      rows: [
        { key: 'DE', ...humans(0) },
        { key: null, ...humans(1) },
        { key: 'AT', ...humans(2) },
      ],
    });
    expect((await compared(tenant, `${path}&limit=1`)).rows).toEqual([{ key: 'DE', ...humans(0) }]);
  });

  it('a comparison by link compares each link, filtered or not', async () => {
    const { tenant, link } = await seedClicked([
      { at: '2026-03-29T10:00:00Z', country: 'AT' },
      { at: '2026-03-30T10:00:00Z', country: 'AT' },
    ]);
    const other = await seedLink(tenant);
    await seedClicks(other, [{ at: '2026-03-29T10:00:00Z', country: 'AT' }]);
    for (const filter of ['', '&country=AT', `&link=${link.id}&link=${other.id}`]) {
      const part = await compared(tenant, `/v1/stats?from=2026-03-30&to=2026-03-30&by=link&compare=previous${filter}`);
      expect(part).toMatchObject({ ...humans(2), rows: [{ key: link.id, ...humans(1) }] });
    }
  });

  it('a comparison says for itself from when on it is filtered', async () => {
    const days = ['2025-12-24', '2025-12-27', '2026-03-27', '2026-03-30'];
    const { tenant } = await seedClicked(days.map((day) => ({ at: `${day}T10:00:00Z`, country: 'DE' })));
    await foldClicks(tenant.clientId);
    const path = '/v1/stats?from=2026-03-27&to=2026-03-30&country=DE&compare=2025-12-24';
    const { body } = await ask(tenant, path);
    expect(body).toMatchObject({ filtered_from: null, total: 2 });
    expect(body['compare']).toMatchObject({ filtered_from: '2025-12-25', total: 1 });
    expect((body['compare'] as Compared).rows.map(({ key }) => key)).toEqual([
      '2025-12-25',
      '2025-12-26',
      '2025-12-27',
    ]);
  });
});

describe('the rows of a comparison in time', () => {
  it('the rows of a comparison in time come page by page with those of the range, each once', async () => {
    const { tenant } = await seedClicked([{ at: '2026-03-30T10:00:00Z', country: 'DE' }]);
    for (const by of ['day', 'weekday', 'hour']) {
      const path = `/v1/stats?from=2026-03-20&to=2026-03-30&tz=Europe/Vienna&compare=previous&by=${by}`;
      const whole = await ask(tenant, path);
      const pages: Record<string, unknown>[] = [];
      for (let cursor: string | null = ''; cursor !== null; cursor = cursorIn(pages.at(-1)!))
        pages.push((await ask(tenant, `${path}&limit=5&cursor=${cursor}`)).body);
      expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.body['rows']);
      expect(pages.flatMap(({ compare }) => (compare as Compared).rows)).toEqual(
        (whole.body['compare'] as Compared).rows,
      );
      // In Vienna 2026-03-29 has 23 hours, so that the days before have an hour more.
      for (const { compare } of pages) expect((compare as Compared).rows.length).toBeLessThanOrEqual(6);
    }
  });
});
