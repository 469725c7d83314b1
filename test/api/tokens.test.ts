import { env } from 'cloudflare:workers';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { basicOf, rowsOf, seedTenant, signIn, type Tenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import {
  BEARER_CHALLENGE,
  CREATION_REFUSAL,
  OLDER_KEY,
  SIGNING_KEY,
  familiesOf,
  kidOf,
  refusalOf,
  tokenResponse,
} from '../support/tokens.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const EVERY_ANSWER = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'x-request-id': expect.stringMatching(UUID),
};

const createToken = (tenant: Tenant, authorization: string | null = tenant.basic) => {
  const headers = new Headers({ 'CF-Connecting-IP': tenant.address });
  if (authorization !== null) headers.set('Authorization', authorization);
  return call('/tokens/create_token', { headers });
};

describe('GET /tokens/create_token', () => {
  it('GET /tokens/create_token is 201 with a token response and nothing else', async () => {
    const tenant = await seedTenant();
    const response = await createToken(tenant);
    expect(response.status).toBe(201);
    expect(Object.fromEntries(response.headers)).toMatchObject(EVERY_ANSWER);
    expect(await response.json()).toEqual(tokenResponse(tenant));
    expect(tenant.userId).toMatch(UUID);
  });

  it('GET /tokens/create_token signs both tokens with the first key, for an hour, for one use each', async () => {
    const tenant = await seedTenant();
    const from = Math.floor(Date.now() / 1000);
    const { access_token, api_token } = await signIn(tenant);
    const until = Math.floor(Date.now() / 1000);
    const header = { alg: 'EdDSA', typ: 'at+jwt', kid: await kidOf(SIGNING_KEY) };
    expect(decodeProtectedHeader(access_token)).toEqual(header);
    expect(decodeProtectedHeader(api_token)).toEqual(header);

    const access = decodeJwt(access_token);
    const [family] = await familiesOf(tenant);
    expect(access).toEqual({
      iss: 'https://terse.test',
      aud: 'terse:access',
      sub: tenant.userId,
      sid: family?.['id'],
      iat: expect.any(Number),
      exp: Number(access.iat) + 3600,
      jti: expect.stringMatching(UUID),
    });
    expect(access.iat).toBeGreaterThanOrEqual(from);
    expect(access.iat).toBeLessThanOrEqual(until);
    const api = decodeJwt(api_token);
    expect(api).toEqual({ ...access, aud: 'terse:api', jti: expect.stringMatching(UUID) });
    expect(api.jti).not.toBe(access.jti);
  });

  it.each([60, 30 * 24 * 3600])(
    'GET /tokens/create_token lets the operator set a lifetime of %i seconds, and says it',
    async (seconds) => {
      const tenant = await seedTenant();
      const isolate = openIsolate({ ACCESS_TOKEN_SECONDS: String(seconds) });
      const response = await isolate('/tokens/create_token', { headers: { Authorization: tenant.basic } });
      const body = await response.json<{ access_token: string; api_token: string }>();
      expect(body).toEqual(tokenResponse(tenant, seconds));
      for (const token of [body.access_token, body.api_token]) {
        const { iat, exp } = decodeJwt(token);
        expect(Number(exp) - Number(iat)).toBe(seconds);
      }
    },
  );

  it('GET /tokens/create_token begins a family of 30 days at each sign-in', async () => {
    const tenant = await seedTenant();
    await signIn(tenant);
    await signIn(tenant);
    const families = await familiesOf(tenant);
    expect(families).toHaveLength(2);
    for (const family of families) {
      expect(Number(family['ends_at']) - Number(family['started_at'])).toBe(30 * 24 * 3600 * 1000);
      expect(family['ended_at']).toBeNull();
    }
  });

  it('GET /tokens/create_token stores neither the password nor any of the tokens', async () => {
    const tenant = await seedTenant();
    const tokens = await signIn(tenant);
    const tables = await Promise.all(['users', 'token_families', 'refresh_tokens'].map(rowsOf));
    const stored = JSON.stringify(tables);
    expect(stored).toContain(tenant.userId);
    for (const secret of [tenant.password, tokens.access_token, tokens.api_token, tokens.refresh_token]) {
      expect(stored).not.toContain(secret);
    }
  });

  it.each<[what: string, authorization: (tenant: Tenant) => string | null]>([
    ['no credential', () => null],
    ['a wrong password', (tenant) => basicOf(tenant.userName, 'wrong')],
    ['the password in another case', (tenant) => basicOf(tenant.userName, tenant.password.toUpperCase())],
    ['an unknown name', (tenant) => basicOf(`${tenant.userName}x`, tenant.password)],
    ['the name in another case', (tenant) => basicOf(tenant.userName.toUpperCase(), tenant.password)],
    ['another scheme', (tenant) => tenant.basic.replace('Basic', 'Bearer')],
  ])('GET /tokens/create_token refuses %s with the documented 401', async (_what, authorization) => {
    const tenant = await seedTenant();
    const response = await createToken(tenant, authorization(tenant));
    expect(Object.fromEntries(response.headers)).toMatchObject(EVERY_ANSWER);
    expect(await refusalOf(response)).toEqual(CREATION_REFUSAL);
    expect(await familiesOf(tenant)).toEqual([]);
  });

  it.each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'GET /tokens/create_token refuses %s with 405, and creates no token',
    async (method) => {
      const tenant = await seedTenant();
      const response = await call('/tokens/create_token', { method, headers: { Authorization: tenant.basic } });
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe('GET, OPTIONS');
      const error = `method_not_allowed: ${method} is not possible here. Use GET.`;
      expect(await response.text()).toBe(method === 'HEAD' ? '' : JSON.stringify({ result: 'Failed', error }));
      expect(await familiesOf(tenant)).toEqual([]);
    },
  );

  it('GET /tokens/create_token is 503 with Retry-After while the database does not respond, and never 401', async () => {
    const tenant = await seedTenant();
    vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: no answer');
    });
    const response = await createToken(tenant);
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('5');
    expect(await response.json()).toEqual({
      result: 'Failed',
      error: 'store_unavailable: The database is temporarily unavailable. Try again in a few seconds.',
    });
  });
});

describe('GET /tokens/token_info', () => {
  const inspect = (token: string) => call('/tokens/token_info', { headers: { Authorization: `Bearer ${token}` } });

  it('GET /tokens/token_info gives the times as decimal strings, and the user', async () => {
    const tenant = await seedTenant();
    const { access_token } = await signIn(tenant);
    const { exp, iat } = decodeJwt(access_token);
    const response = await inspect(access_token);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject(EVERY_ANSWER);
    expect(await response.json()).toEqual({
      result: 'Token Obtained',
      token: { exp: String(exp), iat: String(iat), sub: tenant.userId },
    });
  });

  it('GET /tokens/token_info needs no store: an outage of the database changes nothing', async () => {
    const { access_token } = await signIn(await seedTenant());
    vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: no answer');
    });
    expect((await inspect(access_token)).status).toBe(200);
  });

  it('GET /tokens/token_info refuses a token from the very second it expires', async () => {
    const { access_token } = await signIn(await seedTenant());
    const expiresAt = Number(decodeJwt(access_token).exp) * 1000;
    vi.setSystemTime(expiresAt - 1);
    expect((await inspect(access_token)).status).toBe(200);
    vi.setSystemTime(expiresAt);
    expect((await inspect(access_token)).status).toBe(401);
  });

  it('GET /tokens/token_info refuses a caller without a token, without an error code', async () => {
    expect(await refusalOf(await call('/tokens/token_info'))).toEqual([
      401,
      'Bearer realm="terse"',
      { access_denied: 'Send an access token as "Authorization: Bearer <ACCESS_TOKEN>".', http_ressponse: 401 },
    ]);
  });

  it('GET /tokens/token_info refuses everything that is not one of our tokens', async () => {
    const denied = 'The token is not valid or has expired. Get a new one with GET /tokens/create_token.';
    expect(await refusalOf(await inspect('no-token'))).toEqual([
      401,
      BEARER_CHALLENGE,
      { access_denied: denied, http_ressponse: 401 },
    ]);
  });

  it('GET /tokens/token_info takes GET and HEAD only', async () => {
    const response = await call('/tokens/token_info', { method: 'POST' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('GET /.well-known/jwks.json', () => {
  const publicPart = async (key: typeof SIGNING_KEY) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x: key.x,
    kid: await kidOf(key),
    alg: 'EdDSA',
    use: 'sig',
  });

  it('GET /.well-known/jwks.json publishes the public part of every key, the signing one first, and nothing else', async () => {
    const response = await call('/.well-known/jwks.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    const keys = await Promise.all([SIGNING_KEY, OLDER_KEY].map(publicPart));
    expect(await response.json()).toEqual({ keys });
  });

  it('GET /.well-known/jwks.json is enough for anyone to verify an access token', async () => {
    const { access_token, local_id } = await signIn(await seedTenant());
    const keySet = createLocalJWKSet(await (await call('/.well-known/jwks.json')).json<JSONWebKeySet>());
    const { payload } = await jwtVerify(access_token, keySet, {
      issuer: 'https://terse.test',
      audience: 'terse:access',
      typ: 'at+jwt',
    });
    expect(payload.sub).toBe(local_id);
  });

  it('GET /.well-known/jwks.json may be kept by caches that ask again, and gives them 304', async () => {
    const first = await call('/.well-known/jwks.json');
    expect(first.headers.get('Cache-Control')).toBe('no-cache');
    const etag = first.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    const again = await call('/.well-known/jwks.json', { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect(Object.fromEntries(again.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'no-cache',
      etag,
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(UUID),
    });
  });
});
