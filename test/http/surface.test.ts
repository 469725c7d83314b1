import { afterEach, describe, expect, it, vi } from 'vitest';
import * as example from '../../src/reference/examples.ts';
import { EXAMPLE, bearerOf, expectFailure, seedCaller, storedLinks, type Caller } from '../support/forms.ts';
import { seedDomain, seedLink, seedTenant } from '../support/seed.ts';
import { call, openIsolate, type Call } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Every endpoint, and the methods it answers besides OPTIONS. */
const ENDPOINTS: readonly [path: string, allowed: readonly string[]][] = [
  ['/tokens/create_token', ['GET']],
  ['/tokens/token_info', ['GET', 'HEAD']],
  ['/tokens/refresh_token', ['POST']],
  ['/tokens/revoke_token', ['POST']],
  ['/.well-known/jwks.json', ['GET', 'HEAD']],
  ['/v1/links', ['POST', 'GET', 'HEAD']],
  ['/v1/links/batch', ['POST']],
  ['/v1/links/export', ['GET', 'HEAD']],
  ['/v1/links/import', ['POST']],
  ['/v1/links/x', ['GET', 'HEAD', 'PATCH', 'DELETE']],
  ['/v1/links/x/restore', ['POST']],
  ['/v1/links/x/history', ['GET', 'HEAD']],
  ['/v1/links/x/qr.svg', ['GET', 'HEAD']],
  ['/v1/links/x/qr.png', ['GET', 'HEAD']],
  ['/v1/links/x/history/1/restore', ['POST']],
  ['/v1/invites/accept', ['POST']],
  ['/shortener/encode', ['POST']],
  ['/info/a/b/c', ['GET', 'HEAD']],
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const REFUSED = ENDPOINTS.flatMap(([path, allowed]) =>
  METHODS.filter((method) => !allowed.includes(method)).map((method) => ({ method, path, allowed })),
);

describe('CORS', () => {
  it.each(ENDPOINTS)('lets any origin call %s after a preflight', async (path) => {
    const headers = {
      Origin: 'https://app.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,x-api-key',
    };
    const response = await call(path, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    const list = (name: string) => response.headers.get(name)?.toLowerCase().split(/, */) ?? [];
    expect(list('Access-Control-Allow-Origin')).toEqual(['*']);
    expect(list('Access-Control-Allow-Methods')).toEqual(
      expect.arrayContaining(['get', 'head', 'post', 'put', 'patch', 'delete']),
    );
    expect(list('Access-Control-Allow-Headers')).toEqual(
      expect.arrayContaining(['authorization', 'x-api-key', 'if-match', 'if-none-match', 'idempotency-key']),
    );
    expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false);
  });

  it.each(['/v1/links', '/info/a/b/c', '/v1/nothing', '/.well-known/jwks.json'])(
    'shows any origin the answers of %s, and what their headers say',
    async (path) => {
      const response = await call(path, { headers: { Origin: 'https://app.example' } });
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false);
      expect(response.headers.get('Access-Control-Expose-Headers')?.split(/, */).sort()).toEqual([
        'Content-Disposition',
        'Deprecation',
        'ETag',
        'Link',
        'Location',
        'Retry-After',
        'Sunset',
        'X-Request-Id',
      ]);
    },
  );
});

/** One answer of each kind that the API gives. */
const ANSWERS: readonly [what: string, answer: (caller: Caller, call: Call) => Promise<Response>, status: number][] = [
  [
    'a new link',
    (caller, call) => create(call, '/v1/links', { 'X-API-Key': caller.apiKey }, { client_id: caller.clientId }),
    200,
  ],
  [
    'a link’s info',
    async (caller, call) => {
      const { id, client_id, sec_id } = await seedLink(caller);
      return call(`/info/${id}/${client_id}/${sec_id}`, { headers: bearerOf(caller) });
    },
    200,
  ],
  [
    'a token',
    async (_, call) => {
      const { basic } = await seedTenant();
      return call('/tokens/create_token', { headers: { Authorization: basic } });
    },
    201,
  ],
  ['a token’s content', (caller, call) => call('/tokens/token_info', { headers: bearerOf(caller) }), 200],
  ['a preflight', (_, call) => call('/v1/links', { method: 'OPTIONS' }), 204],
  ['a bad form', (caller, call) => create(call, '/v1/links', { 'X-API-Key': caller.apiKey }, { colour: 'red' }), 400],
  ['a link that is not there', (caller, call) => call('/info/a/b/c', { headers: bearerOf(caller) }), 400],
  ['a missing key', (_, call) => create(call, '/v1/links', {}, {}), 401],
  ['a missing password', (_, call) => call('/tokens/create_token'), 401],
  [
    'another client',
    (caller, call) => create(call, '/shortener/encode', bearerOf(caller), { client_id: 'another' }),
    403,
  ],
  ['an unknown path', (_, call) => call('/v1/nothing'), 404],
  ['a wrong method', (_, call) => call('/v1/links', { method: 'PUT' }), 405],
  [
    'a body too large',
    (caller, call) => create(call, '/v1/links', { 'X-API-Key': caller.apiKey }, { metadata: 'x'.repeat(65_536) }),
    413,
  ],
  [
    'a media type not taken',
    (caller, call) => call('/v1/links', { method: 'POST', headers: { 'X-API-Key': caller.apiKey }, body: '{}' }),
    415,
  ],
];

function create(
  call: Call,
  path: string,
  headers: Record<string, string>,
  fields: Record<string, string>,
): Promise<Response> {
  return call(path, { headers, form: { url: EXAMPLE, ...fields } });
}

describe.each(ANSWERS)('the answer to %s', (_what, answer, status) => {
  const linesOf = (log: { mock: { calls: unknown[][] } }, requestId: string) =>
    log.mock.calls.map(([line]) => JSON.parse(String(line))).filter((line) => line.request_id === requestId);

  it('is not stored, not sniffed, and numbered in its header as in the log', async () => {
    const caller = await seedCaller();
    const log = vi.spyOn(console, 'log');
    const response = await answer(caller, openIsolate({ ACCESS_LOG: 'on' }));
    expect(response.status).toBe(status);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');

    const requestId = response.headers.get('X-Request-Id') ?? '';
    expect(requestId).toMatch(/^[\w-]{8,}$/);
    expect(linesOf(log, requestId)).toEqual([expect.objectContaining({ level: 'info', event: 'answer', status })]);
    expect(JSON.stringify(log.mock.calls)).not.toContain(caller.apiKey);
    expect(JSON.stringify(log.mock.calls)).not.toContain(caller.accessToken);
  });

  it('is logged in any case where it is a refusal', async () => {
    const log = vi.spyOn(console, 'log');
    const response = await answer(await seedCaller(), call);
    const lines = linesOf(log, response.headers.get('X-Request-Id') ?? '');
    expect(lines.map((line) => line.status)).toEqual(status >= 400 ? [status] : []);
  });
});

it.each([
  ['/tokens/token_info', '/tokens/token_info'],
  ['/v1/links', '/v1/links'],
  ['/v1/links/bcdfghjk/qr.svg', '/v1/links/:id/qr.svg'],
  ['/v1/links/bcdfghjk/stats', '/v1/links/:id/stats'],
  ['/v1/domains', '/v1/domains'],
])('logs an answer of %s as one of %s', async (path, route) => {
  const log = vi.spyOn(console, 'log');
  const response = await call(path);
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines.find((line) => line.request_id === response.headers.get('X-Request-Id'))).toMatchObject({ route });
});

describe.each(['/v1/nothing', '/platform/nothing'])('a request for %s', (path) => {
  const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const numberOf = async (headers: Record<string, string> = {}) =>
    (await call(path, { headers })).headers.get('X-Request-Id');

  it('gets a number of its own, or keeps the UUID it came with', async () => {
    const [one, other] = [await numberOf(), await numberOf()];
    expect([one, other]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(one).not.toBe(other);
    for (const given of ['0190a8c2-7d1e-7c3a-9b52-3f6d2a1c4e5b', '0190A8C2-7D1E-7C3A-9B52-3F6D2A1C4E5B'])
      expect(await numberOf({ 'X-Request-Id': given })).toBe(given);
  });

  it.each([
    ['an API key', `tk_${'a'.repeat(12)}_${'b'.repeat(43)}`],
    ['a refresh token', example.REFRESH_TOKEN],
    ['the token of an invite', example.INVITE_TOKEN],
    ['the proof of a domain', example.DOMAIN_TOKEN],
    ['a word that may be a password', 'hunter2'],
    ['more than a UUID', '0190a8c2-7d1e-7c3a-9b52-3f6d2a1c4e5b-hunter2'],
    ['no word at all', 'a b"{}'],
  ])('is not named by %s, neither in the answer nor in the log', async (_what, given) => {
    const lines = (['log', 'error'] as const).map((level) => vi.spyOn(console, level));
    expect(await numberOf({ 'X-Request-Id': given })).toMatch(UUID);
    expect(
      lines
        .flatMap(({ mock }) => mock.calls)
        .flat()
        .join('\n'),
    ).not.toContain(given);
  });
});

it.each(REFUSED)('refuses $method $path and says what it allows', async ({ method, path, allowed }) => {
  const response = await call(path, { method });
  expect(response.headers.get('Allow')).toBe([...allowed, 'OPTIONS'].join(', '));
  if (method !== 'HEAD') {
    const error = `method_not_allowed: ${method} is not possible here. Use ${allowed.join(' or ')}.`;
    return expectFailure(response, 405, error);
  }
  expect([response.status, await response.text()]).toEqual([405, '']);
});

it.each(['/v1', '/v1/', '/v1/links/', '/V1/links', '/shortener', '/tokens', '/tokens/other', '/info'])(
  'knows no path %s, whatever the method',
  async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await call(path, { method });
      await expectFailure(response, 404, 'not_found: There is nothing at this path.');
      expect(response.headers.has('Allow')).toBe(false);
    }
  },
);

it('has its endpoints on its own host only', async () => {
  const caller = await seedCaller();
  const custom = await seedDomain(caller);
  const before = await storedLinks();
  for (const host of [custom, 'unknown.example']) {
    for (const [path] of ENDPOINTS) {
      expect((await call(`https://${host}${path}`, { headers: bearerOf(caller) })).status).toBe(404);
    }
    const response = await create(
      call,
      `https://${host}/v1/links`,
      { 'X-API-Key': caller.apiKey },
      { client_id: caller.clientId },
    );
    // A slug of a custom domain may have segments: it is a path that a link may have, and takes no POST.
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  }
  expect(await storedLinks()).toEqual(before);
});

it('serves its public keys with an ETag, to be asked for again and not sent twice', async () => {
  const response = await call('/.well-known/jwks.json');
  expect(response.headers.get('Cache-Control')).toBe('no-cache');
  const etag = response.headers.get('ETag') ?? '';
  expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
  const again = await call('/.well-known/jwks.json', { headers: { 'If-None-Match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});
