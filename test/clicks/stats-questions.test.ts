import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { db, seedLink, seedTenant, signIn } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { ask, seedClicks } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a question about clicks', () => {
  it.each([
    ['from=yesterday', 'invalid_from: from must be a day such as 2026-11-21.'],
    ['from=2026-02-30', 'invalid_from: from must be a day such as 2026-11-21.'],
    ['to=2026-13-01', 'invalid_to: to must be a day such as 2026-11-21.'],
    ['from=2026-03-02&to=2026-03-01', 'invalid_from: from must not be after `to`.'],
    ['from=2025-02-24&to=2026-03-31', 'invalid_from: from must be at most 400 days before the end, both days counted.'],
    [
      'by=planet',
      'invalid_by: by must be day, hour, weekday, country, referrer, browser, os, device, language, link, campaign, destination, via, utm_medium or utm_campaign.',
    ],
    ['to=0000-01-05', 'invalid_to: to must be a day such as 2026-11-21.'],
    ['tz=%2B05:30', 'invalid_tz: tz must be an IANA time zone such as Europe/Vienna.'],
    ['tz=Mars/Olympus', 'invalid_tz: tz must be an IANA time zone such as Europe/Vienna.'],
    ['tz=Mars/Olympus&by=country', 'invalid_tz: tz must be an IANA time zone such as Europe/Vienna.'],
    ['colour=red', 'unknown_field: There is no field "colour" here. Leave it out.'],
    ['by=day&by=hour', 'repeated_field: The parameter "by" is given more than once.'],
    ['client_id=..', 'invalid_client_id: client_id must be 1 to 64 of A-Z a-z 0-9 . _ ~ -, and not "." or "..".'],
  ])('a question about clicks is refused with 400 and a sentence: %s', async (query, error) => {
    expect(await ask(await seedTenant(), `/v1/stats?${query}`)).toEqual({
      status: 400,
      body: { result: 'Failed', error },
    });
  });

  it('a question about clicks takes every name of UTC for it', async () => {
    const { status, body } = await ask(await seedTenant(), '/v1/stats?by=country&tz=Etc/UTC');
    expect([status, body['tz']]).toEqual([200, 'UTC']);
  });

  it.each(['country', 'referrer', 'browser', 'os', 'device', 'language'])(
    'a question about clicks goes by UTC days with by=%s, with any tz',
    async (by) => {
      vi.setSystemTime('2026-03-31T23:30:00Z');
      const tenant = await seedTenant();
      const asked = await ask(tenant, `/v1/stats?by=${by}&tz=Asia/Tokyo`);
      expect(asked).toMatchObject({ status: 200, body: { tz: 'UTC', to: '2026-03-31' } });
      expect(asked).toEqual(await ask(tenant, `/v1/stats?by=${by}`));
    },
  );

  it('a question about clicks lists every hour of a range, also of days with 23 or 25 hours, at most 9,601', async () => {
    const tenant = await seedTenant();
    const hours = async (query: string) => {
      const { body } = await ask(tenant, `/v1/stats?by=hour&${query}`);
      return (body['rows'] as { key: string; total: number }[]).map(({ key }) => key);
    };
    expect(await hours('from=2026-03-31&to=2026-03-31')).toEqual(
      Array.from({ length: 24 }, (_, hour) => `2026-03-31T${String(hour).padStart(2, '0')}:00:00Z`),
    );
    const spring = await hours('from=2026-03-29&to=2026-03-29&tz=Europe/Vienna');
    expect([spring.length, ...spring.slice(0, 3)]).toEqual([
      23,
      '2026-03-29T00:00:00+01:00',
      '2026-03-29T01:00:00+01:00',
      '2026-03-29T03:00:00+02:00',
    ]);
    const autumn = await hours('from=2025-10-26&to=2025-10-26&tz=Europe/Vienna');
    expect([autumn.length, autumn[2], autumn[3]]).toEqual([
      25,
      '2025-10-26T02:00:00+02:00',
      '2025-10-26T02:00:00+01:00',
    ]);
    const kolkata = await hours('from=2026-03-30&to=2026-03-31&tz=Asia/Kolkata');
    expect([kolkata.length, kolkata[0], kolkata.at(-1)]).toEqual([
      48,
      '2026-03-30T00:30:00+05:30',
      '2026-03-31T23:30:00+05:30',
    ]);
    expect(await hours('from=2024-11-01&to=2025-12-05&tz=America/New_York')).toHaveLength(9601);
  });

  it('names a campaign in the query only of the client', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    expect(await ask(tenant, `/v1/links/${link.id}/stats?campaign_name=x`)).toEqual({
      status: 400,
      body: {
        result: 'Failed',
        error: 'unknown_field: campaign_name goes with the statistics of a client only. Leave it out.',
      },
    });
  });

  it('a question about clicks may span 400 days', async () => {
    const { status, body } = await ask(await seedTenant(), '/v1/stats?from=2025-02-25&to=2026-03-31');
    expect([status, (body['rows'] as unknown[]).length]).toEqual([200, 400]);
  });

  it('a question about clicks is 401 without a credential, then reports invalid parameters, then is 401 with a bad credential', async () => {
    const missing = await call('/v1/stats?by=planet');
    expect(missing.status).toBe(401);
    expect(missing.headers.get('WWW-Authenticate')).toBe('Bearer realm="terse", ApiKey realm="terse"');
    const key = `tk_${'x'.repeat(12)}_${'x'.repeat(43)}`;
    expect((await call('/v1/stats?by=planet', { headers: { 'X-API-Key': key } })).status).toBe(400);
    expect((await call('/v1/stats', { headers: { 'X-API-Key': key } })).status).toBe(401);
  });

  it('a question about the clicks of a deleted link is 410 for its own client, and 404 for others', async () => {
    const [owner, other] = [await seedTenant(), await seedTenant()];
    const link = await seedLink(owner);
    await call(`/v1/links/${link.id}`, { method: 'DELETE', headers: { 'X-API-Key': owner.apiKey } });
    const gone =
      'gone: This link has been deleted. Within 30 days of its deletion, POST /v1/links/{id}/restore restores it.';
    expect(await ask(owner, `/v1/links/${link.id}/stats`)).toEqual({
      status: 410,
      body: { result: 'Failed', error: gone },
    });
    expect((await ask(other, `/v1/links/${link.id}/stats`)).status).toBe(404);
    expect((await ask(owner, `/v1/links/${link.id}/stats?client_id=${other.clientId}`)).status).toBe(404);
    for (const picture of ['qr.svg', 'qr.png']) {
      const qr = await call(`/v1/links/${link.id}/${picture}`, { headers: { 'X-API-Key': owner.apiKey } });
      expect([qr.status, await qr.json()]).toEqual([410, { result: 'Failed', error: gone }]);
    }
  });

  it('a question about the clicks of another tenant’s link, or none, is 404, and about another client 403', async () => {
    const [owner, other] = [await seedTenant(), await seedTenant()];
    const link = await seedLink(owner);
    const refused = await ask(other, `/v1/links/${link.id}/stats`);
    expect(refused).toEqual({
      status: 404,
      body: { result: 'Failed', error: 'not_found: There is no link with this id that you can access.' },
    });
    expect(await ask(other, '/v1/links/nosuchid/stats')).toEqual(refused);
    expect((await ask(other, `/v1/stats?client_id=${owner.clientId}`)).status).toBe(403);
    expect((await ask(other, `/v1/links/${link.id}/stats?client_id=${owner.clientId}`)).status).toBe(404);
  });

  it('a question of a user of several clients names one, except about a link', async () => {
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
        error:
          'missing_field: client_id is required, since the user belongs to several clients: send one in the query.',
      },
    ]);
    const named = await call(`/v1/stats?client_id=${second.clientId}`, { headers });
    expect(await named.json()).toMatchObject({ total: 1 });
    expect(await (await call(`/v1/links/${link.id}/stats`, { headers })).json()).toMatchObject({ total: 1 });
  });
});
