import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FIREFOX, GOOGLEBOT } from '../support/clicks.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { ask, seedClicks } from '../support/stats.ts';

const humans = (n: number) => ({ total: n, humans: n, bots: 0, previews: 0 });

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a link’s clicks', () => {
  it('a link’s clicks come by UTC day, quiet days included, from and to included', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    await seedClicks(link, [
      { at: '2026-02-28T23:59:59.999Z' },
      { at: '2026-03-01T00:00:00Z' },
      { at: '2026-03-01T12:00:00Z', agent: GOOGLEBOT },
      { at: '2026-03-03T23:59:59.999Z' },
      { at: '2026-03-04T00:00:00Z' },
    ]);
    expect(await ask(tenant, `/v1/links/${link.id}/stats?from=2026-03-01&to=2026-03-03`)).toEqual({
      status: 200,
      body: {
        by: 'day',
        from: '2026-03-01',
        to: '2026-03-03',
        tz: 'UTC',
        filtered_from: null,
        visitors: { total: 0, from: '2026-03-01', to: '2026-03-03' },
        compare: null,
        cursor: null,
        total: 3,
        humans: 2,
        bots: 1,
        previews: 0,
        rows: [
          { key: '2026-03-01', total: 2, humans: 1, bots: 1, previews: 0 },
          { key: '2026-03-02', ...humans(0) },
          { key: '2026-03-03', ...humans(1) },
        ],
      },
    });
  });

  it('a link’s clicks come for the last 30 days where no range is given', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const { body } = await ask(tenant, `/v1/links/${link.id}/stats`);
    expect(body).toMatchObject({ from: '2026-03-02', to: '2026-03-31', total: 0 });
    expect(body['rows']).toHaveLength(30);
  });

  it('a link’s clicks come by the days of another zone, over a change of the clocks', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    // Vienna is an hour ahead until 2026-03-29 at 01:00 UTC, and two hours from then on.
    await seedClicks(link, [
      { at: '2026-03-27T23:30:00Z' },
      { at: '2026-03-28T22:30:00Z' },
      { at: '2026-03-29T22:30:00Z' },
    ]);
    const { body } = await ask(tenant, `/v1/links/${link.id}/stats?from=2026-03-28&to=2026-03-30&tz=Europe/Vienna`);
    expect(body['rows']).toEqual([
      { key: '2026-03-28', ...humans(2) },
      { key: '2026-03-29', ...humans(0) },
      { key: '2026-03-30', ...humans(1) },
    ]);
  });

  it('a link’s clicks come by hour, with the offset that held then', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    await seedClicks(link, [
      { at: '2026-03-28T22:30:00Z' },
      { at: '2026-03-28T22:59:00Z' },
      { at: '2026-03-29T10:00:00Z' },
    ]);
    const range = 'from=2026-03-28&to=2026-03-29&by=hour';
    const clicked = ({ body }: { body: Record<string, unknown> }) =>
      (body['rows'] as { total: number }[]).filter(({ total }) => total > 0);
    const utc = await ask(tenant, `/v1/links/${link.id}/stats?${range}`);
    expect(clicked(utc)).toEqual([
      { key: '2026-03-28T22:00:00Z', ...humans(2) },
      { key: '2026-03-29T10:00:00Z', ...humans(1) },
    ]);
    const vienna = await ask(tenant, `/v1/links/${link.id}/stats?${range}&tz=Europe/Vienna`);
    expect(clicked(vienna)).toEqual([
      { key: '2026-03-28T23:00:00+01:00', ...humans(2) },
      { key: '2026-03-29T12:00:00+02:00', ...humans(1) },
    ]);
    const kolkata = await ask(tenant, `/v1/links/${link.id}/stats?${range}&tz=Asia/Kolkata`);
    expect(clicked(kolkata)).toEqual([
      { key: '2026-03-29T03:30:00+05:30', ...humans(2) },
      { key: '2026-03-29T15:30:00+05:30', ...humans(1) },
    ]);
  });

  it.each([
    [
      'country',
      [
        ['AT', 2],
        [null, 1],
      ],
    ],
    [
      'referrer',
      [
        ['news.example', 2],
        [null, 1],
      ],
    ],
    [
      'browser',
      [
        ['Chrome', 2],
        ['Firefox', 1],
      ],
    ],
    [
      'os',
      [
        ['Windows', 2],
        ['Linux', 1],
      ],
    ],
    ['device', [['desktop', 3]]],
    [
      'language',
      [
        ['de', 2],
        [null, 1],
      ],
    ],
  ])('a link’s clicks come by %s, the most clicked first, null where it is not known', async (by, expected) => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const known = { country: 'AT', referrer: 'news.example', language: 'de' };
    await seedClicks(link, [
      { at: '2026-03-30T10:00:00Z', agent: FIREFOX },
      { at: '2026-03-30T11:00:00Z', ...known },
      { at: '2026-03-31T11:00:00Z', ...known },
    ]);
    const { body } = await ask(tenant, `/v1/links/${link.id}/stats?by=${by}`);
    expect(body['rows']).toEqual(expected.map(([key, clicks]) => ({ key, ...humans(Number(clicks)) })));
  });

  it('a link’s clicks are read from at most one row a day', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const days = Array.from({ length: 120 }, (_, i) => ({ at: new Date(Date.now() - i * 86_400_000).toISOString() }));
    await seedClicks(link, days);
    const { body } = await ask(tenant, `/v1/links/${link.id}/stats?from=2026-01-01&to=2026-03-31`);
    expect(body['total']).toBe(90);
    const empty = await seedLink(tenant);
    const rowsReadFor = async (id: string, tz = 'UTC') => {
      const batch = vi.spyOn(env.DB, 'batch');
      await ask(tenant, `/v1/links/${id}/stats?from=2026-01-01&to=2026-03-31&by=hour&tz=${tz}`);
      const [, rows]: readonly D1Result[] = (await batch.mock.results[0]?.value) ?? [];
      expect(batch).toHaveBeenCalledTimes(1);
      vi.restoreAllMocks();
      return rows?.meta.rows_read ?? Number.NaN;
    };
    // For a link without clicks only the permission is read.
    const unrelated = await rowsReadFor(empty.id);
    expect((await rowsReadFor(link.id)) - unrelated).toBeLessThanOrEqual(90);
    expect((await rowsReadFor(link.id, 'Asia/Tokyo')) - unrelated).toBeLessThanOrEqual(91);
  });
});

const ZONES = ['UTC', 'Asia/Tokyo', 'Pacific/Kiritimati', 'America/New_York', 'Pacific/Pago_Pago'];
const ENDS = ['from=2000-01-01&to=2000-01-02', 'from=9999-12-30&to=9999-12-31'];

describe.each(ENDS)('the first and the last days that there are: %s', (range) => {
  it.each(ZONES.flatMap((tz) => ['day', 'hour', 'weekday', 'country'].map((by) => [tz, by])))(
    'the first and the last days that there are come in %s by %s',
    async (tz, by) => {
      const tenant = await seedTenant();
      const { status, body } = await ask(tenant, `/v1/stats?${range}&tz=${tz}&by=${by}`);
      expect([status, body]).toEqual([200, expect.objectContaining({ by, total: 0 })]);
    },
  );
});

describe('a campaign’s and a client’s clicks', () => {
  it('a campaign’s and a client’s clicks add up over their links', async () => {
    const tenant = await seedTenant();
    const spring = { campaign_name: 'Spring & Søn' };
    const links = [await seedLink(tenant, spring), await seedLink(tenant, spring), await seedLink(tenant)] as const;
    await seedClicks({ ...links[0], ...spring }, [{ at: '2026-03-31T10:00:00Z' }]);
    await seedClicks({ ...links[1], ...spring }, [{ at: '2026-03-31T10:00:00Z' }, { at: '2026-03-31T11:00:00Z' }]);
    await seedClicks(links[2], [{ at: '2026-03-31T10:00:00Z' }]);
    const campaign = await ask(tenant, `/v1/campaigns/${encodeURIComponent('Spring & Søn')}/stats`);
    expect([campaign.status, campaign.body['total']]).toEqual([200, 3]);
    const client = await ask(tenant, '/v1/stats');
    expect([client.status, client.body['total']]).toEqual([200, 4]);
    expect((await ask(tenant, '/v1/campaigns/Autumn/stats')).body['total']).toBe(0);
    const named = await ask(tenant, `/v1/stats?campaign_name=${encodeURIComponent(spring.campaign_name)}`);
    expect(named).toEqual(campaign);
  });
});

describe('the CSV', () => {
  it('the CSV of statistics is RFC 4180, and no cell of it is a formula', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    await seedClicks(link, [
      { at: '2026-03-31T10:00:00Z', referrer: '=cmd|calc' },
      { at: '2026-03-31T10:00:00Z', referrer: '=cmd|calc' },
      { at: '2026-03-31T10:00:00Z', referrer: 'a"b,c' },
      { at: '2026-03-31T10:00:00Z', agent: GOOGLEBOT },
    ]);
    const response = await call(`/v1/links/${link.id}/stats.csv?by=referrer`, {
      headers: { 'X-API-Key': tenant.apiKey },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="clicks-by-referrer.csv"');
    expect(await response.text()).toBe(
      [
        '"referrer","total","humans","bots","previews"',
        `"'=cmd|calc",2,2,0,0`,
        ',1,0,1,0',
        '"a""b,c",1,1,0,0',
        '',
      ].join('\r\n'),
    );
  });
});
