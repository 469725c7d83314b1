import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addActiveDomain } from '../../src/domains/domains.ts';
import {
  NO_DOMAIN,
  auditOf,
  rowsOfHost,
  ask,
  newHost,
  request,
  seedClaim,
  seedMember,
  whole,
} from '../support/domains.ts';
import { bearerOf, expectFailure, seedCaller } from '../support/forms.ts';
import { db, rowsOf, seedDomain } from '../support/seed.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const NOT_OWNER = 'not_owner: Only an owner can do this. Ask an owner.';

/** An owner of two clients, or of one and member of the other. */
async function seedOwnerOfTwo(role = 'owner') {
  const [caller, other] = [await seedCaller(), await seedCaller()];
  await env.DB.prepare('INSERT INTO members (user_id, client_id, created_at, role) VALUES (?, ?, 1, ?)')
    .bind(caller.userId, other.clientId, role)
    .run();
  return { caller, other };
}

describe('the permissions of callers of /v1/domains', () => {
  const ENDPOINTS: readonly [method: string, path: (id: string) => string, body?: unknown][] = [
    ['GET', () => '/v1/domains'],
    ['POST', () => '/v1/domains', { host: 'go.acme.example' }],
    ['GET', (id) => `/v1/domains/${id}`],
    ['PATCH', (id) => `/v1/domains/${id}`, { root_url: 'https://example.com/' }],
    ['POST', (id) => `/v1/domains/${id}/verify`],
    ['DELETE', (id) => `/v1/domains/${id}`],
  ];

  it.each(ENDPOINTS)('%s %s is for people: keys and api_tokens are refused', async (method, path, body) => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const before = await rowsOf('domains');
    for (const [key, error] of [
      [
        caller.apiKey,
        'API keys cannot do this: a person must sign in. Use the access_token of GET /tokens/create_token, or the platform.',
      ],
      [caller.apiToken, 'An api_token cannot do this. Use the access token of the same sign-in.'],
    ] as const) {
      const response = await ask(path(claim.id), {
        method,
        headers: { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      await expectFailure(response, 403, `insufficient_scope: ${error}`);
    }
    expect(await rowsOf('domains')).toEqual(before);
  });

  it.each(ENDPOINTS)('%s %s refuses a stranger, with or without a credential', async (method, path, body) => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const before = await rowsOf('domains');
    const none = await ask(path(claim.id), { method });
    expect([none.status, none.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="terse"']);
    const stranger = await seedCaller();
    if (path('x').includes('x')) {
      await expectFailure(await request(stranger, path(claim.id), { method, body }), 404, NO_DOMAIN);
    }
    const asOther = `${path(claim.id)}?client_id=${caller.clientId}`;
    await expectFailure(
      await request(stranger, asOther, { method, body }),
      403,
      'wrong_client: The credential does not belong to this client. Send the client_id that it belongs to.',
    );
    expect(await rowsOf('domains')).toEqual(before);
  });

  it('/v1/domains lets members list and read, and owners alone do the rest', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const member = await seedMember(caller);
    const before = await rowsOf('domains');
    const statuses = [];
    for (const [method, path, body] of ENDPOINTS) {
      const response = await request(member, path(claim.id), { method, body });
      statuses.push(response.status);
      if (response.status === 403) await expectFailure(response, 403, NOT_OWNER);
    }
    expect(statuses).toEqual([200, 403, 200, 403, 403, 403]);
    expect(await rowsOf('domains')).toEqual(before);
    expect((await auditOf(caller)).map(({ action }) => action)).toEqual(['domain.added']);
  });

  it.each(['owner', 'member'])(
    '/v1/domains has a user of several clients, %s of the other, name one to change',
    async (role) => {
      const { caller } = await seedOwnerOfTwo(role);
      const claim = await seedClaim({ ...caller }, {}).catch(() => null);
      expect(claim).toBeNull();
      const named = `?client_id=${caller.clientId}`;
      const added = await request(caller, `/v1/domains${named}`, { body: { host: newHost() } });
      expect(added.status).toBe(201);
      const { id } = await added.json<{ id: string }>();
      const before = [await rowsOf('domains'), await auditOf(caller)];
      for (const [method, path, body] of ENDPOINTS) {
        if (method === 'GET') continue;
        await expectFailure(
          await request(caller, path(id), { method, body }),
          400,
          'missing_field: client_id is required, since the user belongs to several clients: send one in the query.',
        );
      }
      expect([await rowsOf('domains'), await auditOf(caller)]).toEqual(before);
      expect((await request(caller, `/v1/domains/${id}`)).status).toBe(200);
      expect((await request(caller, `/v1/domains/${id}${named}`, { method: 'DELETE' })).status).toBe(204);
    },
  );

  it('/v1/domains reports errors of the request before it checks the credential', async () => {
    const headers = { Authorization: 'Bearer x', 'Content-Type': 'application/json' };
    expect((await ask('/v1/domains', { method: 'POST', headers, body: '{}' })).status).toBe(400);
    expect((await ask('/v1/domains?limit=0', { headers })).status).toBe(400);
    expect((await ask('/v1/domains/x?force=1', { method: 'DELETE', headers })).status).toBe(400);
    expect((await ask('/v1/domains', { headers })).status).toBe(401);
  });
});

describe('GET /v1/domains', () => {
  it('GET /v1/domains lists only the domains of the client, newest first, in one trip', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    expect(await (await request(caller, '/v1/domains')).json()).toEqual({ domains: [], cursor: null });
    vi.setSystemTime(Date.now() - 1000);
    const a = await seedClaim(caller, { host: 'a.list.example' });
    vi.useRealTimers();
    const b = await seedClaim(caller, { host: 'b.list.example' });
    await seedClaim(other, { host: 'a.list.example' });
    const trips = await countTrips();
    const response = await request(caller, '/v1/domains');
    expect(trips()).toMatchObject({ d1: 1 });
    expect(await response.json()).toEqual({ domains: [b, a], cursor: null });
    expect(await (await request(caller, `/v1/domains/${b.id}`)).json()).toEqual(whole(b));
  });

  it('GET /v1/domains pages by a cursor that is valid for this list only', async () => {
    const caller = await seedCaller();
    const ids = new Set<string>();
    for (let count = 0; count < 3; count++) ids.add((await seedClaim(caller)).id);
    type Page = { domains: { id: string }[]; cursor: string | null };
    const page = async (query: string) => (await request(caller, `/v1/domains?${query}`)).json<Page>();
    const first = await page('limit=2');
    const last = await page(`limit=2&cursor=${first.cursor}`);
    expect([first.domains.length, last.domains.length, last.cursor]).toEqual([2, 1, null]);
    expect(new Set([...first.domains, ...last.domains].map(({ id }) => id))).toEqual(ids);
    const misused = await request(caller, `/v1/audit?cursor=${first.cursor}`);
    await expectFailure(misused, 400, expect.stringMatching(/^invalid_cursor: /));
  });

  it('GET /v1/domains shows a claim that the operator made active, once', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await seedDomain(caller, claim.host);
    const { domains } = await (await request(caller, '/v1/domains')).json<{ domains: object[] }>();
    expect(domains).toEqual([{ ...claim, status: 'active', next: null }]);
    expect(await addActiveDomain(db, claim.host, caller.clientId)).toBe(false);
    const other = await seedClaim(await seedCaller(), { host: claim.host });
    expect(await addActiveDomain(db, claim.host, other.client_id)).toBe(false);
    expect((await rowsOfHost(claim.host)).find(({ id }) => id === other.id)).toMatchObject({ status: 'pending' });
  });

  it('GET /v1/domains shows what the operator has added, with nothing to do', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const { domains } = await (await request(caller, '/v1/domains')).json<{ domains: object[] }>();
    expect(domains).toMatchObject([{ host, status: 'active', verified_at: null, next: null }]);
  });
});

it('/v1/domains responds to preflights and other methods like the rest of the API', async () => {
  const options = await ask('/v1/domains', { method: 'OPTIONS', headers: { Origin: 'https://app.example' } });
  expect([options.status, options.headers.get('Access-Control-Allow-Methods')]).toEqual([
    204,
    expect.stringContaining('PATCH'),
  ]);
  const put = await ask('/v1/domains/x', { method: 'PUT', headers: bearerOf(await seedCaller()) });
  expect([put.status, put.headers.get('Allow')]).toEqual([405, expect.stringMatching(/DELETE.*OPTIONS/)]);
});
