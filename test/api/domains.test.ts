import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addActiveDomain } from '../../src/domains/manage.ts';
import {
  ask,
  newHost,
  openDomainIsolate,
  request,
  seedClaim,
  seedMember,
  seedProved,
  serveHosts,
} from '../support/domains.ts';
import { bearerOf, expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { db, rowsOf, seedDomain, seedLink } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const NOT_FOUND = 'not_found: None of your clients has a domain with this id.';
const NOT_OWNER = 'not_owner: Only an owner of the client may do this. Ask one.';

const rowsOfHost = async (host: string) => (await rowsOf('domains')).filter((row) => row['host'] === host);
const auditOf = async ({ clientId }: Caller) =>
  (await rowsOf('audit_entries'))
    .filter((row) => row['client_id'] === clientId)
    .map((row) => ({
      action: row['action'],
      id: row['subject_id'],
      name: row['subject_name'],
      details: row['details'] === null ? null : JSON.parse(row['details'] as string),
    }));

/** An owner of two clients, or of one and member of the other. */
async function seedOwnerOfTwo(role = 'owner') {
  const [caller, other] = [await seedCaller(), await seedCaller()];
  await env.DB.prepare('INSERT INTO members (user_id, client_id, created_at, role) VALUES (?, ?, 1, ?)')
    .bind(caller.userId, other.clientId, role)
    .run();
  return { caller, other };
}

describe('POST /v1/domains', () => {
  it('answers with the domain, and with what to set in DNS, in one trip to the database', async () => {
    vi.setSystemTime('2026-05-20T10:00:00Z');
    const caller = await seedCaller();
    const host = newHost();
    const trips = countTrips();
    const response = await request(caller, '/v1/domains', { body: { host: `${host.toUpperCase()}.` } });
    expect(trips()).toMatchObject({ d1: 1 });
    expect(response.status).toBe(201);
    const body = await response.json<{ id: string; dns: { txt: { value: string } } }>();
    const { value } = body.dns.txt;
    expect(value).toMatch(/^terse-domain=[0-9a-f]{32}$/);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      client_id: caller.clientId,
      host,
      status: 'pending',
      root_url: null,
      not_found_url: null,
      dns: { txt: { name: `_terse.${host}`, value }, cname: { name: host, value: 'terse.test' } },
      created_at: '2026-05-20T10:00:00.000Z',
      verified_at: null,
      checked_at: null,
      failures: 0,
      next:
        `Set the TXT record _terse.${host} to ${value} and the CNAME record ${host} to terse.test, ` +
        `then call POST /v1/domains/${body.id}/verify. ` +
        `The operator of this service has to bind the host too: npm run deploy -- --domain ${host}`,
    });
    expect(await auditOf(caller)).toEqual([{ action: 'domain.added', id: body.id, name: host, details: null }]);
  });

  it('names DOMAIN_TARGET for the CNAME where that is set, and else the host it was asked at', async () => {
    const caller = await seedCaller();
    const targetThrough = async (settings: Record<string, string>, path = '/v1/domains') => {
      const through = openDomainIsolate(settings);
      const response = await request(caller, path, { body: { host: newHost() }, through });
      return (await response.json<{ dns: { cname: { value: string } } }>()).dns.cname.value;
    };
    expect(await targetThrough({ DOMAIN_TARGET: 'Domains.example.com' })).toBe('domains.example.com');
    expect(await targetThrough({})).toBe('terse.test');
  });

  it('takes where the root and unknown slugs lead', async () => {
    const urls = { root_url: 'https://acme.example', not_found_url: 'https://acme.example/404?x=1' };
    expect(await seedClaim(await seedCaller(), urls)).toMatchObject({ ...urls, root_url: 'https://acme.example/' });
    expect(await seedClaim(await seedCaller(), { root_url: null, not_found_url: '' })).toMatchObject({
      root_url: null,
      not_found_url: null,
    });
  });

  it.each([
    ['pünktchen.example', 'xn--pnktchen-65a.example'],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(46)}.example`, expect.stringMatching(/^a+/)],
  ])('takes %j', async (host, stored) => {
    expect(await seedClaim(await seedCaller(), { host })).toMatchObject({ host: stored });
  });

  it.each([
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '::1',
    '::ffff:10.0.0.1',
    'localhost',
    'x.localhost',
    'example',
    'example.',
    'go.example.com:8443',
    'https://go.example.com',
    'go.example.com/x',
    'user@go.example.com',
    'go..example.com',
    '-go.example.com',
    '*.example.com',
    'go example.com',
    `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(47)}.example`,
  ])('refuses the host %j', async (host) => {
    const caller = await seedCaller();
    const before = await rowsOf('domains');
    await expectFailure(
      await request(caller, '/v1/domains', { body: { host } }),
      400,
      'invalid_host: host must be a host name of two labels or more and at most 246 characters, such as go.example.com.',
    );
    expect(await rowsOf('domains')).toEqual(before);
  });

  it.each(['terse.test', 'TERSE.test.', 'someone.workers.dev'])('refuses its own host %j', async (host) => {
    await expectFailure(
      await request(await seedCaller(), '/v1/domains', { body: { host } }),
      400,
      'own_host: host is one of this service’s own. Use one of yours, such as go.example.com.',
    );
  });

  it.each<[what: string, body: unknown, error: string]>([
    ['no host', {}, 'missing_field: host is required.'],
    ['a host that is no text', { host: 1 }, 'invalid_host: host must be a string.'],
    [
      'an unknown field',
      { host: 'a.example', status: 'active' },
      'unknown_field: There is no field "status" here. Leave it out.',
    ],
    [
      'a root_url that is no URL',
      { host: 'a.example', root_url: '/home' },
      'invalid_root_url: root_url must be an absolute http or https URL, such as https://example.com/page.',
    ],
    [
      'a not_found_url of another scheme',
      { host: 'a.example', not_found_url: 'javascript:alert(1)' },
      'invalid_not_found_url: not_found_url must be an absolute http or https URL, such as https://example.com/page.',
    ],
  ])('refuses %s', async (_what, body, error) => {
    await expectFailure(await request(await seedCaller(), '/v1/domains', { body }), 400, error);
  });

  it.each(['root_url', 'not_found_url'])('refuses a %s that leads in circles', async (field) => {
    const caller = await seedCaller();
    const error =
      'own_host: root_url and not_found_url must lead away from this service and from every domain that it serves.';
    for (const url of ['https://terse.test/x', 'http://go.acme.example:8080/x', 'https://GO.acme.example./']) {
      const body = { host: 'go.acme.example', [field]: url };
      await expectFailure(await request(caller, '/v1/domains', { body }), 400, error);
    }
  });

  it.each(['root_url', 'not_found_url'])('refuses a %s on another custom domain', async (field) => {
    const caller = await seedCaller();
    const host = await seedDomain(await seedCaller());
    const error =
      'own_host: root_url and not_found_url must lead away from this service and from every domain that it serves.';
    const urls = { [field]: `https://${host.toUpperCase()}.:8443/x` };
    await expectFailure(await request(caller, '/v1/domains', { body: { host: newHost(), ...urls } }), 400, error);
    expect((await rowsOf('domains')).filter((row) => row['client_id'] === caller.clientId)).toEqual([]);
    const claim = await seedClaim(caller);
    const change = { method: 'PATCH', body: urls };
    await expectFailure(await request(caller, `/v1/domains/${claim.id}`, change), 400, error);
    expect(await rowsOfHost(claim.host)).toMatchObject([{ root_url: null, not_found_url: null }]);
    expect(await auditOf(caller)).toHaveLength(1);
  });

  it('takes a URL on a host that is claimed, and serves nobody', async () => {
    const { host } = await seedClaim(await seedCaller());
    await seedClaim(await seedCaller(), { root_url: `https://${host}/` });
  });

  it('takes a host once from a client, and from as many clients as want it', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    const claim = await seedClaim(caller);
    await expectFailure(
      await request(caller, '/v1/domains', { body: { host: claim.host } }),
      409,
      `domain_taken: The client has this domain already: it is ${claim.id}. Use that one.`,
    );
    const theirs = await seedClaim(other, { host: claim.host });
    expect(theirs.dns.txt.name).toBe(claim.dns.txt.name);
    expect(theirs.dns.txt.value).not.toBe(claim.dns.txt.value);
  });

  it('makes one claim of many that come at once', async () => {
    const caller = await seedCaller();
    const host = newHost();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => request(caller, '/v1/domains', { body: { host } })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
    expect(await rowsOfHost(host)).toHaveLength(1);
    expect(await auditOf(caller)).toHaveLength(1);
  });

  it('takes a hundred domains of a client, and no more', async () => {
    const caller = await seedCaller();
    await env.DB.batch(
      Array.from({ length: 100 }, (_, n) =>
        env.DB.prepare('INSERT INTO domains (client_id, host) VALUES (?, ?)').bind(
          caller.clientId,
          `n${n}.many.example`,
        ),
      ),
    );
    await expectFailure(
      await request(caller, '/v1/domains', { body: { host: newHost() } }),
      409,
      'too_many_domains: A client may have 100 domains. Remove one that is not used.',
    );
  });
});

describe('who may do what', () => {
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
      [caller.apiKey, 'This API key has not the scope for it. Use another key, or an access token.'],
      [caller.apiToken, 'An api_token may not do this. Use the access token of the same sign-in.'],
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

  it.each(ENDPOINTS)('%s %s takes no stranger, with or without a credential', async (method, path, body) => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const before = await rowsOf('domains');
    const none = await ask(path(claim.id), { method });
    expect([none.status, none.headers.get('WWW-Authenticate')]).toEqual([
      401,
      'Bearer realm="terse", ApiKey realm="terse"',
    ]);
    const stranger = await seedCaller();
    if (path('x').includes('x')) {
      await expectFailure(await request(stranger, path(claim.id), { method, body }), 404, NOT_FOUND);
    }
    const asOther = `${path(claim.id)}?client_id=${caller.clientId}`;
    await expectFailure(
      await request(stranger, asOther, { method, body }),
      403,
      'wrong_client: The credential does not belong to this client. Name its own client_id.',
    );
    expect(await rowsOf('domains')).toEqual(before);
  });

  it('lets members list and read, and owners alone do the rest', async () => {
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

  it.each(['owner', 'member'])('has a user of several clients, %s of the other, name one to change', async (role) => {
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
        'missing_field: client_id is required of a user of several clients: name one in the query.',
      );
    }
    expect([await rowsOf('domains'), await auditOf(caller)]).toEqual(before);
    expect((await request(caller, `/v1/domains/${id}`)).status).toBe(200);
    expect((await request(caller, `/v1/domains/${id}${named}`, { method: 'DELETE' })).status).toBe(204);
  });

  it('tells a caller’s own faults before the credential is judged', async () => {
    const headers = { Authorization: 'Bearer x', 'Content-Type': 'application/json' };
    expect((await ask('/v1/domains', { method: 'POST', headers, body: '{}' })).status).toBe(400);
    expect((await ask('/v1/domains?limit=1', { headers })).status).toBe(400);
    expect((await ask('/v1/domains/x?force=1', { method: 'DELETE', headers })).status).toBe(400);
    expect((await ask('/v1/domains', { headers })).status).toBe(401);
  });
});

describe('GET /v1/domains', () => {
  it('lists the domains of the client by host, in one trip, and nobody else’s', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    expect(await (await request(caller, '/v1/domains')).json()).toEqual({ domains: [], cursor: null });
    const b = await seedClaim(caller, { host: 'b.list.example' });
    const a = await seedClaim(caller, { host: 'a.list.example' });
    await seedClaim(other, { host: 'a.list.example' });
    const trips = countTrips();
    const response = await request(caller, '/v1/domains');
    expect(trips()).toMatchObject({ d1: 1 });
    expect(await response.json()).toEqual({ domains: [a, b], cursor: null });
    expect(await (await request(caller, `/v1/domains/${b.id}`)).json()).toEqual(b);
  });

  it('shows a claim that the operator made active, once', async () => {
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

  it('shows what the operator has added, with nothing to do', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const { domains } = await (await request(caller, '/v1/domains')).json<{ domains: object[] }>();
    expect(domains).toMatchObject([{ host, status: 'active', verified_at: null, next: null }]);
  });
});

describe('PATCH /v1/domains/{id}', () => {
  it('changes what it names, clears by null, and leaves the rest', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller, { not_found_url: 'https://example.com/404' });
    const path = `/v1/domains/${claim.id}`;
    const change = (body: unknown) => request(caller, path, { method: 'PATCH', body });
    const trips = countTrips();
    const first = await change({ root_url: 'https://example.com/home' });
    expect(trips()).toMatchObject({ d1: 1 });
    expect([first.status, await first.json()]).toEqual([200, { ...claim, root_url: 'https://example.com/home' }]);
    expect(await (await change({ not_found_url: null })).json()).toMatchObject({
      root_url: 'https://example.com/home',
      not_found_url: null,
    });
    expect(await (await change({})).json()).toMatchObject({ root_url: 'https://example.com/home' });
    expect((await auditOf(caller)).slice(1).map(({ action, details }) => [action, details])).toEqual(
      expect.arrayContaining([
        ['domain.changed', { root_url: 'https://example.com/home', not_found_url: 'https://example.com/404' }],
        ['domain.changed', { root_url: 'https://example.com/home', not_found_url: null }],
      ]),
    );
    expect(await auditOf(caller)).toHaveLength(3);
  });

  it('refuses to lead to the domain itself, and to change anything else', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const change = (body: unknown) => request(caller, `/v1/domains/${claim.id}`, { method: 'PATCH', body });
    const before = await rowsOfHost(claim.host);
    await expectFailure(
      await change({ root_url: 'https://example.com/', not_found_url: `https://${claim.host}:444/x` }),
      400,
      'own_host: root_url and not_found_url must lead away from this service and from every domain that it serves.',
    );
    expect((await change({ root_url: 'https://terse.test/' })).status).toBe(400);
    expect((await change({ host: 'other.example' })).status).toBe(400);
    expect((await change({ status: 'active' })).status).toBe(400);
    expect(await rowsOfHost(claim.host)).toEqual(before);
  });
});

describe('DELETE /v1/domains/{id}', () => {
  it('removes a domain without links, in one trip, and leaves no row', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const trips = countTrips();
    const response = await request(caller, `/v1/domains/${claim.id}`, { method: 'DELETE' });
    expect(trips()).toMatchObject({ d1: 1 });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await rowsOfHost(claim.host)).toEqual([]);
    await expectFailure(await request(caller, `/v1/domains/${claim.id}`), 404, NOT_FOUND);
    await expectFailure(await request(caller, `/v1/domains/${claim.id}`, { method: 'DELETE' }), 404, NOT_FOUND);
    expect((await auditOf(caller)).map(({ action }) => String(action)).toSorted()).toEqual([
      'domain.added',
      'domain.removed',
    ]);
  });

  it('asks for force=true where it has links, and then deletes them softly', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const [link, other] = [await seedLink(caller, { custom_domain: host }), await seedLink(caller)];
    const [row] = await rowsOfHost(host);
    const path = `/v1/domains/${String(row?.['id'])}`;
    for (const query of ['', '?force=false']) {
      await expectFailure(
        await request(caller, path + query, { method: 'DELETE' }),
        409,
        'domain_in_use: The domain has links. Delete them, or remove it with them by force=true.',
      );
    }
    expect(await rowsOfHost(host)).toEqual([row]);
    const remembering = openDomainIsolate();
    expect((await remembering(link.short_url)).status).toBe(302);
    expect((await remembering(link.short_url)).status).toBe(302);
    const removal = await request(caller, `${path}?force=true`, { method: 'DELETE', through: remembering });
    expect(removal.status).toBe(204);
    for (const isolate of [remembering, openIsolate()]) expect((await isolate(link.short_url)).status).toBe(404);
    const links = (await rowsOf('links')).filter((each) => each['client_id'] === caller.clientId);
    expect(links.find(({ id }) => id === link.id)).toMatchObject({ deleted_at: expect.any(Number) });
    expect(links.find(({ id }) => id === other.id)).toMatchObject({ deleted_at: null });
    expect(await (await request(caller, '/v1/domains')).json()).toEqual({ domains: [], cursor: null });
    expect(await auditOf(caller)).toEqual([
      { action: 'domain.removed', id: row?.['id'], name: host, details: { links_deleted: true } },
    ]);
  });

  it('says in the history of each link who deleted it, and cannot restore one', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const [changed, fresh, gone] = [
      await seedLink(caller, { custom_domain: host }),
      await seedLink(caller, { custom_domain: host }),
      await seedLink(caller, { custom_domain: host }),
    ];
    const body = { url: 'https://example.com/2' };
    expect((await request(caller, `/v1/links/${changed.id}`, { method: 'PATCH', body })).status).toBe(200);
    expect((await request(caller, `/v1/links/${gone.id}`, { method: 'DELETE' })).status).toBe(204);
    const historyOf = async ({ id }: { id: string }) =>
      (await (await request(caller, `/v1/links/${id}/history`)).json<{ history: Record<string, unknown>[] }>()).history;
    const before = await historyOf(gone);
    const [row] = await rowsOfHost(host);
    const path = `/v1/domains/${String(row?.['id'])}?force=true`;
    expect((await request(caller, path, { method: 'DELETE' })).status).toBe(204);

    const by = { user: caller.userName, key_id: null };
    const at = expect.stringMatching(/Z$/);
    for (const [link, n, url] of [
      [changed, 3, 'https://example.com/2'],
      [fresh, 2, 'https://example.com/'],
    ] as const) {
      const [last, ...rest] = await historyOf(link);
      const changes = { deleted_at: { from: null, to: at } };
      expect(last).toEqual({ n, at, action: 'deleted', by, url, changes });
      expect(rest).toHaveLength(n - 1);
      expect(rest.at(-1)).toMatchObject({ n: 1, action: 'created', url: 'https://example.com/' });
    }
    expect(await historyOf(gone)).toEqual(before);
    const links = await rowsOf('links');
    for (const { id } of [changed, fresh, gone]) {
      await expectFailure(
        await request(caller, `/v1/links/${id}/restore`, { method: 'POST' }),
        409,
        'domain_removed: The custom domain of this link has been removed, and its addresses with it. Make a new link.',
      );
    }
    expect(await rowsOf('links')).toEqual(links);
  });

  it('writes nothing of links where the caller may not remove the domain', async () => {
    const [caller, stranger] = [await seedCaller(), await seedCaller()];
    const host = await seedDomain(caller);
    await seedLink(caller, { custom_domain: host });
    const [row] = await rowsOfHost(host);
    const before = [await rowsOf('links'), await rowsOf('link_history')];
    for (const who of [stranger, await seedMember(caller)]) {
      const removal = await request(who, `/v1/domains/${String(row?.['id'])}?force=true`, { method: 'DELETE' });
      expect(removal.ok).toBe(false);
    }
    expect([await rowsOf('links'), await rowsOf('link_history')]).toEqual(before);
  });

  it('removes a domain whose links are deleted, and gives its host free, with fresh slugs', async () => {
    serveHosts();
    const caller = await seedCaller();
    const domain = await seedProved(caller);
    const link = await seedLink(caller, { custom_domain: domain.host });
    await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE id = ?').bind(link.id).run();
    expect((await request(caller, `/v1/domains/${domain.id}`, { method: 'DELETE' })).status).toBe(204);
    await seedProved(caller, { host: domain.host });
    expect((await openIsolate()(link.short_url)).status).toBe(404);
    const next = await seedLink(caller, { custom_domain: domain.host });
    expect((await call(next.short_url)).status).toBe(302);
  });

  it('removes a mere claim without a word to whoever serves the host', async () => {
    const [owner, claimant] = [await seedCaller(), await seedCaller()];
    const host = await seedDomain(owner);
    const link = await seedLink(owner, { custom_domain: host });
    const claim = await seedClaim(claimant, { host });
    expect((await request(claimant, `/v1/domains/${claim.id}?force=true`, { method: 'DELETE' })).status).toBe(204);
    expect((await openIsolate()(link.short_url)).status).toBe(302);
  });

  it('leaves links alone that were made while it was asked without force', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const [row] = await rowsOfHost(host);
    const [removal, link] = await Promise.allSettled([
      request(caller, `/v1/domains/${String(row?.['id'])}`, { method: 'DELETE' }),
      seedLink(caller, { custom_domain: host }),
    ]);
    // Either the link was first and the domain stays, or the domain is gone and there is no link.
    const isGone = removal.status === 'fulfilled' && removal.value.status === 204;
    expect(link.status).toBe(isGone ? 'rejected' : 'fulfilled');
    expect((await rowsOfHost(host)).length).toBe(isGone ? 0 : 1);
  });
});

it('answers preflights and other methods like the rest of the API', async () => {
  const options = await ask('/v1/domains', { method: 'OPTIONS', headers: { Origin: 'https://app.example' } });
  expect([options.status, options.headers.get('Access-Control-Allow-Methods')]).toEqual([
    204,
    expect.stringContaining('PATCH'),
  ]);
  const put = await ask('/v1/domains/x', { method: 'PUT', headers: bearerOf(await seedCaller()) });
  expect([put.status, put.headers.get('Allow')]).toEqual([405, expect.stringMatching(/DELETE.*OPTIONS/)]);
});
