import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { auditOf, rowsOfHost, newHost, openDomainIsolate, request, seedClaim } from '../support/domains.ts';
import { bearerOf, expectFailure, seedCaller } from '../support/forms.ts';
import { rowsOf, seedDomain } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('POST /v1/domains', () => {
  it('POST /v1/domains returns the domain, and what to set in DNS, in one trip to the database', async () => {
    vi.setSystemTime('2026-05-20T10:00:00Z');
    const caller = await seedCaller();
    const host = newHost();
    const trips = await countTrips();
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
      case_sensitive: false,
      tolerant: true,
      slug_length: 8,
      dns: { txt: { name: `_terse.${host}`, value }, cname: { name: host, value: 'terse.test' } },
      created_at: '2026-05-20T10:00:00.000Z',
      verified_at: null,
      checked_at: null,
      failures: 0,
      next:
        `Set the TXT record _terse.${host} to ${value} and the CNAME record ${host} to terse.test, ` +
        `then call POST /v1/domains/${body.id}/verify. ` +
        `The operator of this service must also add the domain to the deployment: npm run deploy -- --domain ${host}`,
    });
    expect(await auditOf(caller)).toEqual([{ action: 'domain.added', id: body.id, name: host, details: null }]);
  });

  it('POST /v1/domains names DOMAIN_TARGET for the CNAME if that is set, or else the host of the request', async () => {
    const caller = await seedCaller();
    const targetThrough = async (settings: Record<string, string>, path = '/v1/domains') => {
      const through = openDomainIsolate(settings);
      const response = await request(caller, path, { body: { host: newHost() }, through });
      return (await response.json<{ dns: { cname: { value: string } } }>()).dns.cname.value;
    };
    expect(await targetThrough({ DOMAIN_TARGET: 'Domains.example.com' })).toBe('domains.example.com');
    expect(await targetThrough({})).toBe('terse.test');
  });

  it('POST /v1/domains takes where the root and unknown slugs lead', async () => {
    const urls = { root_url: 'https://acme.example', not_found_url: 'https://acme.example/404?x=1' };
    expect(await seedClaim(await seedCaller(), urls)).toMatchObject({ ...urls, root_url: 'https://acme.example/' });
    expect(await seedClaim(await seedCaller(), { root_url: null, not_found_url: '' })).toMatchObject({
      root_url: null,
      not_found_url: null,
    });
  });

  it.each(['x.localhost', 'db.internal', 'printer.local', 'nas.home.arpa', 'hidden.onion', 'a.b.invalid'])(
    'POST /v1/domains refuses %j, a name of a local network',
    async (host) => {
      const caller = await seedCaller();
      const before = await rowsOf('domains');
      const sentence =
        'invalid_host: host is a name of a local network, which visitors cannot reach: use a public name such as go.example.com.';
      await expectFailure(await request(caller, '/v1/domains', { body: { host } }), 400, sentence);
      expect(await rowsOf('domains')).toEqual(before);
    },
  );

  it.each([
    ['pünktchen.example', 'xn--pnktchen-65a.example'],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(46)}.example`, expect.stringMatching(/^a+/)],
  ])('POST /v1/domains takes %j', async (host, stored) => {
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
  ])('POST /v1/domains refuses the host %j', async (host) => {
    const caller = await seedCaller();
    const before = await rowsOf('domains');
    await expectFailure(
      await request(caller, '/v1/domains', { body: { host } }),
      400,
      'invalid_host: host must be a host name of two labels or more and at most 246 characters, such as go.example.com.',
    );
    expect(await rowsOf('domains')).toEqual(before);
  });

  it.each(['terse.test', 'TERSE.test.', 'someone.workers.dev'])(
    'POST /v1/domains refuses its own host %j',
    async (host) => {
      await expectFailure(
        await request(await seedCaller(), '/v1/domains', { body: { host } }),
        400,
        'own_host: host belongs to this service. Use a domain of your own, such as go.example.com.',
      );
    },
  );

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
      'invalid_not_found_url: not_found_url cannot have the scheme javascript: use https.',
    ],
    [
      'a root_url with two schemes',
      { host: 'a.example', root_url: 'https://http://example.com' },
      'invalid_root_url: root_url has two schemes: remove one of them.',
    ],
  ])('POST /v1/domains refuses %s', async (_what, body, error) => {
    await expectFailure(await request(await seedCaller(), '/v1/domains', { body }), 400, error);
  });

  it.each(['root_url', 'not_found_url'])('POST /v1/domains refuses a %s that leads in circles', async (field) => {
    const caller = await seedCaller();
    const error = 'own_host: root_url and not_found_url must not lead to this service or to a domain that it serves.';
    for (const url of ['https://terse.test/x', 'http://go.acme.example:8080/x', 'https://GO.acme.example./']) {
      const body = { host: 'go.acme.example', [field]: url };
      await expectFailure(await request(caller, '/v1/domains', { body }), 400, error);
    }
  });

  it.each(['host', 'root_url', 'not_found_url'])(
    'POST /v1/domains names the %s that leads to this service',
    async (field) => {
      const host = newHost();
      const values = { host, root_url: 'https://example.com/', not_found_url: 'https://example.com/' };
      const own = { ...values, [field]: field === 'host' ? 'terse.test' : `https://${host}/x` };
      const headers = {
        ...bearerOf(await seedCaller()),
        'Content-Type': 'application/json',
        Accept: 'application/problem+json',
      };
      const response = await call('/v1/domains', { method: 'POST', headers, body: JSON.stringify(own) });
      const problem = await response.json<{ detail: string }>();
      expect(problem).toMatchObject({ code: 'own_host', errors: [{ field, detail: problem.detail }] });
    },
  );

  it.each(['root_url', 'not_found_url'])('POST /v1/domains refuses a %s on another custom domain', async (field) => {
    const caller = await seedCaller();
    const host = await seedDomain(await seedCaller());
    const error = 'own_host: root_url and not_found_url must not lead to this service or to a domain that it serves.';
    const urls = { [field]: `https://${host.toUpperCase()}.:8443/x` };
    await expectFailure(await request(caller, '/v1/domains', { body: { host: newHost(), ...urls } }), 400, error);
    expect((await rowsOf('domains')).filter((row) => row['client_id'] === caller.clientId)).toEqual([]);
    const claim = await seedClaim(caller);
    const change = { method: 'PATCH', body: urls };
    await expectFailure(await request(caller, `/v1/domains/${claim.id}`, change), 400, error);
    expect(await rowsOfHost(claim.host)).toMatchObject([{ root_url: null, not_found_url: null }]);
    expect(await auditOf(caller)).toHaveLength(1);
  });

  it('POST /v1/domains takes a URL on a host that was added, but not verified', async () => {
    const { host } = await seedClaim(await seedCaller());
    await seedClaim(await seedCaller(), { root_url: `https://${host}/` });
  });

  it('POST /v1/domains accepts a host once per client, from any number of clients', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    const claim = await seedClaim(caller);
    await expectFailure(
      await request(caller, '/v1/domains', { body: { host: claim.host } }),
      409,
      `domain_taken: This domain has already been added: its id is ${claim.id}. Use that one.`,
    );
    const theirs = await seedClaim(other, { host: claim.host });
    expect(theirs.dns.txt.name).toBe(claim.dns.txt.name);
    expect(theirs.dns.txt.value).not.toBe(claim.dns.txt.value);
  });

  it('POST /v1/domains creates one claim of many that come at once', async () => {
    const caller = await seedCaller();
    const host = newHost();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => request(caller, '/v1/domains', { body: { host } })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
    expect(await rowsOfHost(host)).toHaveLength(1);
    expect(await auditOf(caller)).toHaveLength(1);
  });

  it('POST /v1/domains takes a hundred domains of a client, and no more', async () => {
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
      'too_many_domains: The limit of 100 domains is reached. Remove one that is not used.',
    );
  });
});
