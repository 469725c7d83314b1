import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/manage.ts';
import { countPacks } from '../../src/clicks/count.ts';
import { CHROME, FIREFOX, GOOGLEBOT, packOf, type PackedBy } from '../support/clicks.ts';
import { db, seedLink, seedTenant, signIn, type LinkRecord, type Tenant } from '../support/seed.ts';
import { call } from '../support/service.ts';

type SeedClick = { readonly at: string; readonly agent?: string } & Omit<PackedBy, 'at' | 'userAgent'>;

/** Counts clicks of a link as if they had come through the queue. */
async function seedClicks(link: LinkRecord & { readonly campaign_name?: string }, clicks: readonly SeedClick[]) {
  const packed = clicks.map(({ at, agent = CHROME, ...rest }) => ({ ...rest, at: Date.parse(at), userAgent: agent }));
  await countPacks(db, [packOf(link, packed)]);
}

async function ask(tenant: Tenant, path: string) {
  const response = await call(path, { headers: { 'X-API-Key': tenant.apiKey } });
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
}

const humans = (n: number) => ({ total: n, humans: n, bots: 0, previews: 0 });

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a link’s clicks', () => {
  it('come by UTC day, quiet days included, from and to included', async () => {
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

  it('come for the last 30 days where no range is given', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const { body } = await ask(tenant, `/v1/links/${link.id}/stats`);
    expect(body).toMatchObject({ from: '2026-03-02', to: '2026-03-31', total: 0 });
    expect(body['rows']).toHaveLength(30);
  });

  it('come by the days of another zone, over a change of the clocks', async () => {
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

  it('come by hour, with the offset that held then', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    await seedClicks(link, [
      { at: '2026-03-28T22:30:00Z' },
      { at: '2026-03-28T22:59:00Z' },
      { at: '2026-03-29T10:00:00Z' },
    ]);
    const range = 'from=2026-03-28&to=2026-03-29&by=hour';
    const utc = await ask(tenant, `/v1/links/${link.id}/stats?${range}`);
    expect(utc.body['rows']).toEqual([
      { key: '2026-03-28T22:00:00Z', ...humans(2) },
      { key: '2026-03-29T10:00:00Z', ...humans(1) },
    ]);
    const vienna = await ask(tenant, `/v1/links/${link.id}/stats?${range}&tz=Europe/Vienna`);
    expect(vienna.body['rows']).toEqual([
      { key: '2026-03-28T23:00:00+01:00', ...humans(2) },
      { key: '2026-03-29T12:00:00+02:00', ...humans(1) },
    ]);
    const kolkata = await ask(tenant, `/v1/links/${link.id}/stats?${range}&tz=Asia/Kolkata`);
    expect(kolkata.body['rows']).toEqual([
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
  ])('come by %s, the most clicked first, null where it is not known', async (by, expected) => {
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

  it('are read from at most one row a day', async () => {
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
    // An empty link's answer reads what tells whose link it is, and no more.
    const unrelated = await rowsReadFor(empty.id);
    expect((await rowsReadFor(link.id)) - unrelated).toBeLessThanOrEqual(90);
    expect((await rowsReadFor(link.id, 'Asia/Tokyo')) - unrelated).toBeLessThanOrEqual(91);
  });
});

describe('a campaign’s and a client’s clicks', () => {
  it('add up over their links', async () => {
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

describe('a question about clicks', () => {
  it.each([
    ['from=yesterday', 'invalid_from: from must be a day such as 2026-11-21.'],
    ['from=2026-02-30', 'invalid_from: from must be a day such as 2026-11-21.'],
    ['to=2026-13-01', 'invalid_to: to must be a day such as 2026-11-21.'],
    ['from=2026-03-02&to=2026-03-01', 'invalid_from: from must not be after `to`.'],
    ['from=2025-02-24&to=2026-03-31', 'invalid_from: from must be at most 400 days before the end, both days counted.'],
    ['by=planet', 'invalid_by: by must be day, hour, country, referrer, browser, os, device or language.'],
    ['to=0000-01-05', 'invalid_to: to must be a day such as 2026-11-21.'],
    ['tz=%2B05:30', 'invalid_tz: tz must be an IANA time zone such as Europe/Vienna.'],
    ['tz=Mars/Olympus', 'invalid_tz: tz must be an IANA time zone such as Europe/Vienna.'],
    [
      'tz=Europe/Vienna&by=country',
      'invalid_tz: tz goes with by=day and by=hour only: other breakdowns are kept by UTC day.',
    ],
    ['colour=red', 'unknown_field: There is no field "colour" here. Leave it out.'],
    ['by=day&by=hour', 'repeated_field: The parameter "by" is given more than once.'],
    ['client_id=..', 'invalid_client_id: client_id must be 1 to 64 of A-Z a-z 0-9 . _ ~ -, and not "." or "..".'],
  ])('is refused with 400 and a sentence: %s', async (query, error) => {
    expect(await ask(await seedTenant(), `/v1/stats?${query}`)).toEqual({
      status: 400,
      body: { result: 'Failed', error },
    });
  });

  it('takes every name of UTC for it', async () => {
    const { status, body } = await ask(await seedTenant(), '/v1/stats?by=country&tz=Etc/UTC');
    expect([status, body['tz']]).toEqual([200, 'UTC']);
  });

  it('names a campaign in the query only of the client', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    expect(await ask(tenant, `/v1/links/${link.id}/stats?campaign_name=x`)).toEqual({
      status: 400,
      body: { result: 'Failed', error: 'unknown_field: campaign_name goes with /v1/stats only. Leave it out.' },
    });
  });

  it('may span 400 days', async () => {
    const { status, body } = await ask(await seedTenant(), '/v1/stats?from=2025-02-25&to=2026-03-31');
    expect([status, (body['rows'] as unknown[]).length]).toEqual([200, 400]);
  });

  it('is 401 without a credential and with a bad one, its own faults told in between', async () => {
    const missing = await call('/v1/stats?by=planet');
    expect(missing.status).toBe(401);
    expect(missing.headers.get('WWW-Authenticate')).toBe('Bearer realm="terse", ApiKey realm="terse"');
    const key = `tk_${'x'.repeat(12)}_${'x'.repeat(43)}`;
    expect((await call('/v1/stats?by=planet', { headers: { 'X-API-Key': key } })).status).toBe(400);
    expect((await call('/v1/stats', { headers: { 'X-API-Key': key } })).status).toBe(401);
  });

  it('about another tenant’s link, or none, is 404, and about another client 403', async () => {
    const [owner, other] = [await seedTenant(), await seedTenant()];
    const link = await seedLink(owner);
    const refused = await ask(other, `/v1/links/${link.id}/stats`);
    expect(refused).toEqual({
      status: 404,
      body: { result: 'Failed', error: 'not_found: None of your clients has a link with this id.' },
    });
    expect(await ask(other, '/v1/links/nosuchid/stats')).toEqual(refused);
    expect((await ask(other, `/v1/stats?client_id=${owner.clientId}`)).status).toBe(403);
    expect((await ask(other, `/v1/links/${link.id}/stats?client_id=${owner.clientId}`)).status).toBe(404);
  });

  it('by a user of several clients names one, except about a link', async () => {
    const [tenant, second] = [await seedTenant(), await seedTenant()];
    await addMember(db, tenant.userName, second.clientId);
    const link = await seedLink(second);
    await seedClicks(link, [{ at: '2026-03-31T10:00:00Z' }]);
    const { access_token } = await signIn(tenant);
    const headers = { Authorization: `Bearer ${access_token}` };
    const unnamed = await call('/v1/stats', { headers });
    expect([unnamed.status, await unnamed.json()]).toEqual([
      400,
      {
        result: 'Failed',
        error: 'missing_field: client_id is required of a user of several clients: name one in the query.',
      },
    ]);
    const named = await call(`/v1/stats?client_id=${second.clientId}`, { headers });
    expect(await named.json()).toMatchObject({ total: 1 });
    expect(await (await call(`/v1/links/${link.id}/stats`, { headers })).json()).toMatchObject({ total: 1 });
  });
});

describe('the CSV', () => {
  it('is RFC 4180, and no cell of it is a formula', async () => {
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
      ['referrer,total,humans,bots,previews', `"'=cmd|calc",2,2,0,0`, ',1,0,1,0', '"a""b,c",1,1,0,0', ''].join('\r\n'),
    );
  });
});
