import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { seedTenant, signIn, type Tenant } from '../support/seed.ts';
import { call, openIsolate, type Call } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const LINK = '</v1/links>; rel="successor-version", </changelog>; rel="deprecation"; type="text/html"';
/** The headers of every answer if no end is set: 1712188800 is 2024-04-04T00:00:00Z. */
const DEPRECATED = { Deprecation: '@1712188800', Sunset: null, Link: LINK };

/** The headers of a deprecation whose end is set. */
const endingAt = (Sunset: string) => ({
  ...DEPRECATED,
  Sunset,
  Link: `${LINK}, </changelog>; rel="sunset"; type="text/html"`,
});

const retirementOf = ({ headers }: Response) => ({
  Deprecation: headers.get('Deprecation'),
  Sunset: headers.get('Sunset'),
  Link: headers.get('Link'),
});

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const formOf = ({ clientId }: Tenant) => ({ url: 'https://example.com/a b', client_id: clientId });

const encode = (tenant: Tenant, token: string, through: Call = call) =>
  through('/shortener/encode', { headers: bearer(token), form: formOf(tenant) });

describe('POST /shortener/encode', () => {
  it('POST /shortener/encode creates the same link as POST /v1/links does', async () => {
    const tenant = await seedTenant();
    const { access_token } = await signIn(tenant);
    const form = { ...formOf(tenant), campaign_name: 'Spring', metadata: '{ }', sec_id: 'print' };
    const old = await call('/shortener/encode', { headers: bearer(access_token), form });
    const current = await call('/v1/links', { headers: { 'X-API-Key': tenant.apiKey }, form });

    expect(old.status).toBe(200);
    const body = await old.json<{ result: string }>();
    expect(Object.keys(body)).toEqual(['result']);
    const record = JSON.parse(body.result);
    expect(record).toEqual({
      id: expect.stringMatching(/^\w{8}$/),
      short_url: `https://terse.test/${record.id}`,
      url: 'https://example.com/a%20b',
      client_id: tenant.clientId,
      sec_id: 'print',
      campaign_name: 'Spring',
      custom_domain: null,
      metadata: '{ }',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const { result } = await current.json<{ result: string }>();
    const { id, short_url, created_at } = JSON.parse(result);
    expect(JSON.parse(result)).toEqual({ ...record, id, short_url, created_at });
    expect((await call(`/${record.id}`)).headers.get('Location')).toBe('https://example.com/a%20b');
  });

  const ANSWERS: readonly [status: number, what: string, send: (tenant: Tenant, token: string) => Promise<Response>][] =
    [
      [200, 'a good form', encode],
      [
        400,
        'a form without a url',
        (_, token) => call('/shortener/encode', { headers: bearer(token), form: { sec_id: 'x' } }),
      ],
      [401, 'no token', (tenant) => call('/shortener/encode', { form: formOf(tenant) })],
      [401, 'a bad token', (tenant) => encode(tenant, 'x')],
      [403, 'a client that is not theirs', async (_, token) => encode(await seedTenant(), token)],
      [
        403,
        'a token of after the cutoff',
        (tenant, token) => encode(tenant, token, openIsolate({ ENCODE_CUTOFF: '2020-01-01T00:00:00Z' })),
      ],
      [
        204,
        'the preflight of a browser',
        () => {
          const headers = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' };
          return call('/shortener/encode', { method: 'OPTIONS', headers });
        },
      ],
      [405, 'another method', () => call('/shortener/encode')],
      [405, 'HEAD', () => call('/shortener/encode', { method: 'HEAD' })],
      [
        413,
        'a body that is too large',
        (_, token) => call('/shortener/encode', { headers: bearer(token), form: { url: 'x'.repeat(65 * 1024) } }),
      ],
      [
        415,
        'a JSON body',
        (_, token) => {
          const headers = { ...bearer(token), 'Content-Type': 'application/json' };
          return call('/shortener/encode', { method: 'POST', headers, body: '{}' });
        },
      ],
      [
        429,
        'more links than one may make',
        (tenant, token) => {
          vi.spyOn(env.CREATE_LIMIT, 'limit').mockResolvedValue({ success: false });
          return encode(tenant, token);
        },
      ],
      [
        500,
        'a bug of ours',
        (tenant, token) => {
          vi.spyOn(crypto, 'getRandomValues').mockImplementation(() => {
            throw new TypeError('a bug');
          });
          return encode(tenant, token);
        },
      ],
      [
        503,
        'an outage of the database',
        (tenant, token) => {
          vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
            throw new Error('D1_ERROR: no answer');
          });
          return encode(tenant, token);
        },
      ],
    ];

  it.each(ANSWERS)(
    'POST /shortener/encode has the headers of its deprecation with %i, for %s',
    async (status, what, send) => {
      const tenant = await seedTenant();
      const { access_token } = await signIn(tenant);
      const response = await send(tenant, access_token);
      expect(response.status).toBe(status);
      const isAfterCutoff = status === 403 && what.includes('cutoff');
      expect(retirementOf(response)).toEqual(isAfterCutoff ? endingAt('Wed, 01 Jan 2020 00:00:00 GMT') : DEPRECATED);
    },
  );

  it('POST /shortener/encode names POST alone as its method', async () => {
    const response = await call('/shortener/encode');
    expect(response.headers.get('Allow')).toBe('POST, OPTIONS');
    expect(await response.json()).toEqual({
      result: 'Failed',
      error: 'method_not_allowed: GET is not possible here. Use POST.',
    });
  });

  it('POST /shortener/encode lets scripts in browsers read its headers', async () => {
    const response = await call('/shortener/encode', { headers: { Origin: 'https://a.example' } });
    const exposed = response.headers.get('Access-Control-Expose-Headers')?.split(',');
    expect(exposed).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
  });

  it('POST /shortener/encode is alone in being deprecated', async () => {
    const tenant = await seedTenant();
    const response = await call('/v1/links', { headers: { 'X-API-Key': tenant.apiKey }, form: formOf(tenant) });
    expect(retirementOf(response)).toEqual({ Deprecation: null, Sunset: null, Link: null });
  });
});

describe('the settings of the retirement of /shortener/encode', () => {
  it.each<[settings: Record<string, string>, expected: object]>([
    [{}, DEPRECATED],
    [{ ENCODE_SUNSET: '' }, DEPRECATED],
    [{ ENCODE_SUNSET: '2027-06-30T23:59:59Z' }, endingAt('Wed, 30 Jun 2027 23:59:59 GMT')],
    [{ ENCODE_SUNSET: '2027-07-01T02:00:00+02:00' }, endingAt('Thu, 01 Jul 2027 00:00:00 GMT')],
    [{ ENCODE_CUTOFF: '9999-01-01T00:00:00Z' }, endingAt('Fri, 01 Jan 9999 00:00:00 GMT')],
    [
      { ENCODE_CUTOFF: '9999-01-01T00:00:00Z', ENCODE_SUNSET: '9999-02-01T00:00:00Z' },
      endingAt('Mon, 01 Feb 9999 00:00:00 GMT'),
    ],
    [{ ENCODE_DEPRECATED_AT: '2025-01-01T00:00:00Z' }, { ...DEPRECATED, Deprecation: '@1735689600' }],
    [{ ENCODE_DEPRECATED_AT: '' }, { ...DEPRECATED, Deprecation: null }],
  ])(
    'the settings of the retirement of /shortener/encode set the headers of good and of bad responses: %j',
    async (settings, expected) => {
      const tenant = await seedTenant();
      const isolate = openIsolate(settings);
      const { access_token } = await signIn(tenant, isolate);
      const good = await encode(tenant, access_token, isolate);
      const bad = await encode(tenant, 'x', isolate);
      expect([good.status, bad.status]).toEqual([200, 401]);
      expect([retirementOf(good), retirementOf(bad)]).toEqual([expected, expected]);
    },
  );

  it.each(['ENCODE_CUTOFF', 'ENCODE_SUNSET', 'ENCODE_DEPRECATED_AT'])(
    'the settings of the retirement of /shortener/encode stop the Worker where %s is no instant',
    (name) => {
      for (const text of ['soon', '2027-01-01', '2027-01-01T00:00:00', '2027-02-30T00:00:00Z', '1798761600']) {
        expect(() => openIsolate({ [name]: text })).toThrow(
          `${name} must be an ISO 8601 instant such as 2027-01-01T00:00:00Z, or empty for never.`,
        );
      }
    },
  );
});
