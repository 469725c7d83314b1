import { afterEach, describe, expect, it, vi } from 'vitest';
import * as example from '../../scripts/reference/examples.ts';
import { EXAMPLE, bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { call, openIsolate, type Call } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
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

describe.each(ANSWERS)('the response to %s', (_what, answer, status) => {
  const linesOf = (log: { mock: { calls: unknown[][] } }, requestId: string) =>
    log.mock.calls.map(([line]) => JSON.parse(String(line))).filter((line) => line.request_id === requestId);

  it('a response is not stored, not sniffed, and numbered in its header as in the log', async () => {
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

  it('a response is logged in any case where it is a refusal', async () => {
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
])('a response of %s is logged as one of %s', async (path, route) => {
  const log = vi.spyOn(console, 'log');
  const response = await call(path);
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines.find((line) => line.request_id === response.headers.get('X-Request-Id'))).toMatchObject({ route });
});

describe.each(['/v1/nothing', '/platform/nothing'])('a request for %s', (path) => {
  const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const numberOf = async (headers: Record<string, string> = {}) =>
    (await call(path, { headers })).headers.get('X-Request-Id');

  it('a request gets a number of its own, or keeps the UUID it came with', async () => {
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
  ])('a request is not named by %s, neither in the response nor in the log', async (_what, given) => {
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
