import { afterEach, describe, expect, it, vi } from 'vitest';
import { EXAMPLE, bearerOf, expectFailure, seedCaller, storedLinks } from '../support/forms.ts';
import { seedDomain } from '../support/seed.ts';
import { call } from '../support/service.ts';

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
  it.each(ENDPOINTS)('CORS lets any origin call %s after a preflight', async (path) => {
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
    expect(list('Access-Control-Max-Age')).toEqual(['86400']);
    expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false);
  });

  it.each(['/v1/links', '/info/a/b/c', '/v1/nothing', '/.well-known/jwks.json'])(
    'CORS shows any origin the responses of %s, and what their headers say',
    async (path) => {
      const response = await call(path, { headers: { Origin: 'https://app.example' } });
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false);
      expect(response.headers.get('Access-Control-Expose-Headers')?.split(/, */).sort()).toEqual([
        'Compare-Filtered-From',
        'Content-Disposition',
        'Deprecation',
        'ETag',
        'Filtered-From',
        'Link',
        'Location',
        'Retry-After',
        'Sunset',
        'X-Request-Id',
      ]);
    },
  );
});

it.each(REFUSED)('the method $method is refused at $path, with what is allowed', async ({ method, path, allowed }) => {
  const response = await call(path, { method });
  expect(response.headers.get('Allow')).toBe([...allowed, 'OPTIONS'].join(', '));
  if (method !== 'HEAD') {
    const error = `method_not_allowed: ${method} is not possible here. Use ${allowed.join(' or ')}.`;
    return expectFailure(response, 405, error);
  }
  expect([response.status, await response.text()]).toEqual([405, '']);
});

it.each(['/v1', '/v1/', '/v1/links/', '/V1/links', '/shortener', '/tokens', '/tokens/other', '/info'])(
  'the API has no path %s, with any method',
  async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await call(path, { method });
      await expectFailure(response, 404, 'not_found: There is nothing at this path.');
      expect(response.headers.has('Allow')).toBe(false);
    }
  },
);

it('the API has its endpoints on its own host only', async () => {
  const caller = await seedCaller();
  const custom = await seedDomain(caller);
  const before = await storedLinks();
  for (const host of [custom, 'unknown.example']) {
    for (const [path] of ENDPOINTS) {
      expect((await call(`https://${host}${path}`, { headers: bearerOf(caller) })).status).toBe(404);
    }
    const response = await call(`https://${host}/v1/links`, {
      headers: { 'X-API-Key': caller.apiKey },
      form: { url: EXAMPLE, client_id: caller.clientId },
    });
    // A slug of a custom domain may have segments: it is a path that a link may have, and takes no POST.
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  }
  expect(await storedLinks()).toEqual(before);
});

it('the API serves its public keys with an ETag, to be asked for again and not sent twice', async () => {
  const response = await call('/.well-known/jwks.json');
  expect(response.headers.get('Cache-Control')).toBe('no-cache');
  const etag = response.headers.get('ETag') ?? '';
  expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
  const again = await call('/.well-known/jwks.json', { headers: { 'If-None-Match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});
