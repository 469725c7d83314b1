import { env } from 'cloudflare:workers';
import { importJWK, SignJWT, UnsecuredJWT, calculateJwkThumbprint } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { type TokenKey, publicHalf } from '../../src/secrets/jwks.ts';
import { signOperatorToken } from '../../src/tokens/operator.ts';
import { logged } from '../support/clicks.ts';
import { openOperator, HOST } from '../support/operator.ts';
import { seedDomain, seedLink, seedTenant, signIn } from '../support/seed.ts';
import { seedCaller } from '../support/forms.ts';
import { call, openIsolate, ORIGIN } from '../support/service.ts';

afterEach(() => vi.restoreAllMocks());

const nowSeconds = () => Math.floor(Date.now() / 1000);

interface Parts {
  readonly header?: object;
  readonly payload?: object;
}

/** A token as the tools sign it, with some parts changed. */
async function forge(key: TokenKey, { header = {}, payload = {} }: Parts = {}): Promise<string> {
  const claims = {
    iss: 'terse-operator-tools',
    aud: `terse:operator:${HOST}`,
    iat: nowSeconds(),
    exp: nowSeconds() + 60,
    jti: crypto.randomUUID(),
    ...payload,
  };
  const kid = await calculateJwkThumbprint({ ...publicHalf(key) });
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'terse-operator+jwt', kid, ...header })
    .sign(await importJWK({ ...key }, 'EdDSA'));
}

const errorOf = async (response: Response) => (await response.json<{ error: string }>()).error.split(':')[0];

describe('the operator’s surface', () => {
  it('the operator’s surface responds to a caller with the key, with headers against caches and pages of browsers', async () => {
    const { ask } = await openOperator();
    const { userName } = await seedTenant();
    const response = await ask('list-users');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      users: expect.arrayContaining([expect.objectContaining({ name: userName })]),
    });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Terse-Version')).toMatch(/^[\w-]+$/);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('the operator’s surface takes a token of any of its keys', async () => {
    const [old, current] = [await generateTokenKey(), await generateTokenKey()];
    const { show } = await openOperator({ OPERATOR_KEYS: JSON.stringify([old, current].map(publicHalf)) });
    for (const key of [old, current]) expect((await show(await signOperatorToken(key, HOST))).status).toBe(200);
  });

  it('the operator’s surface takes the token that the tests forge', async () => {
    const { key, show } = await openOperator();
    expect((await show(await forge(key))).status).toBe(200);
  });

  it.each<[what: string, Parts]>([
    ['that has expired', { payload: { iat: nowSeconds() - 130, exp: nowSeconds() - 70 } }],
    ['that was signed long ago', { payload: { iat: nowSeconds() - 3600 } }],
    ['that lives longer', { payload: { exp: nowSeconds() + 3600 } }],
    ['from the future', { payload: { iat: nowSeconds() + 600, exp: nowSeconds() + 660 } }],
    ['for another host', { payload: { aud: 'terse:operator:evil.example' } }],
    ['for users', { payload: { aud: 'terse:access' } }],
    ['for nobody', { payload: { aud: undefined } }],
    ['of another issuer', { payload: { iss: ORIGIN } }],
    ['without an issuer', { payload: { iss: undefined } }],
    ['without an end', { payload: { exp: undefined } }],
    ['without a beginning', { payload: { iat: undefined } }],
    ['without an id', { payload: { jti: undefined } }],
    ['with an id of any length', { payload: { jti: 'x'.repeat(100) } }],
    ['of another type', { header: { typ: 'at+jwt' } }],
    ['of no type', { header: { typ: undefined } }],
    ['of a key without a name', { header: { kid: undefined } }],
    ['of a key that is none of its', { header: { kid: 'constructor' } }],
  ])('the operator’s surface refuses a token %s', async (_, parts) => {
    const { key, show } = await openOperator();
    const response = await show(await forge(key, parts));
    expect([response.status, await errorOf(response)]).toEqual([401, 'invalid_credential']);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="terse operator", error="invalid_token"');
  });

  it.each<[what: string, (token: string, key: TokenKey) => string | Promise<string>]>([
    ['that is not signed', (token) => token.replace(/[^.]+$/, '')],
    [
      'of the algorithm "none"',
      (_, { x }) =>
        new UnsecuredJWT({ jti: x }).setIssuer('terse-operator-tools').setAudience(`terse:operator:${HOST}`).encode(),
    ],
    ['whose signature is another’s', (token) => token.replace(/[^.]+$/, `${'A'.repeat(85)}A`)],
    ['whose signature is padded', (token) => `${token}=`],
    ['with something after it', (token) => `${token} x`],
    ['that is too long', (token) => `${'A'.repeat(100_000)}.${token}`],
    [
      'of another key, under the name of its own',
      async (_, key) => {
        const other = await generateTokenKey();
        return forge(other, { header: { kid: await calculateJwkThumbprint({ ...publicHalf(key) }) } });
      },
    ],
    [
      'signed with its public key as a secret',
      async (_, { x }) =>
        new SignJWT({ jti: crypto.randomUUID() })
          .setProtectedHeader({ alg: 'HS256', typ: 'terse-operator+jwt' })
          .setAudience(`terse:operator:${HOST}`)
          .setIssuer('terse-operator-tools')
          .setIssuedAt()
          .setExpirationTime('60s')
          .sign(new TextEncoder().encode(x)),
    ],
    ['that is empty', () => ''],
  ])('the operator’s surface refuses a token %s', async (_, bend) => {
    const { key, show } = await openOperator();
    const response = await show(await bend(await forge(key), key));
    expect(response.status).toBe(401);
  });

  it('the operator’s surface refuses a token that was used before, and accepts the next', async () => {
    const { key, show, ask } = await openOperator();
    const token = await signOperatorToken(key, HOST);
    expect((await show(token)).status).toBe(200);
    const again = await show(token);
    expect([again.status, await errorOf(again)]).toEqual([401, 'invalid_credential']);
    expect((await ask('list-users')).status).toBe(200);
  });

  it('the operator’s surface does not accept credentials of users, and its tokens are not accepted by the API', async () => {
    const { key, show, call: other } = await openOperator();
    const tenant = await seedTenant();
    const tokens = await signIn(tenant, other);
    for (const token of [tokens.access_token, tokens.api_token, tokens.refresh_token, tenant.apiKey, null]) {
      expect((await show(token)).status).toBe(401);
    }
    for (const headers of [{ 'X-API-Key': tenant.apiKey }, { Authorization: tenant.basic }, { Cookie: 'session=x' }]) {
      expect((await other('/operator/v1/list-users', { method: 'POST', headers, body: '{}' })).status).toBe(401);
    }
    const headers = { Authorization: `Bearer ${await signOperatorToken(key, HOST)}` };
    expect((await other('/v1/links', { headers })).status).toBe(401);
    expect((await other('/tokens/token_info', { headers })).status).toBe(401);
  });

  it('the operator’s surface has no other paths and methods, and does not respond to preflights', async () => {
    const { key, call: other } = await openOperator();
    for (const path of [
      'v1/nothing',
      'v1/constructor',
      'v1/',
      'v1',
      'v2/list-users',
      'v1/list-users/x',
      'v1/LIST-USERS',
    ]) {
      const headers = { Authorization: `Bearer ${await signOperatorToken(key, HOST)}` };
      const response = await other(`/operator/${path}`, { method: 'POST', headers, body: '{}' });
      expect([path, response.status]).toEqual([path, 404]);
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
      const response = await other('/operator/v1/list-users', { method, headers });
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });

  it('the operator’s surface exists only on the service’s own host', async () => {
    const { key, call: other } = await openOperator();
    const host = await seedDomain(await seedCaller());
    for (const origin of [`https://${host}`, 'https://nobody.example']) {
      const token = await signOperatorToken(key, new URL(origin).host);
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const response = await other(`${origin}/operator/v1/list-users`, { method: 'POST', headers, body: '{}' });
      expect(response.status).not.toBe(200);
      expect([404, 405]).toContain(response.status);
    }
  });

  it('the operator’s surface is off without keys', async () => {
    for (const isolate of [call, openIsolate({ OPERATOR_KEYS: '' }), openIsolate({ OPERATOR_KEYS: '[]' })]) {
      const response = await isolate('/operator/v1/list-users', { headers: { Accept: 'application/json' } });
      expect(response.status).toBe(404);
    }
  });

  it('the operator’s surface keeps a link that was created with the name before', async () => {
    const { call: other } = await openOperator();
    const caller = await seedCaller();
    const { id } = await seedLink(caller, { url: 'https://example.com/kept' });
    await env.DB.prepare(`UPDATE addresses SET slug = 'operator', folded = 'operator' WHERE link_id = ?1`)
      .bind(id)
      .run();
    const response = await other('/operator');
    expect([response.status, response.headers.get('Location')]).toEqual([302, 'https://example.com/kept']);
  });

  it('the operator’s surface reads no body that is too long, and none before the token is verified', async () => {
    const { key, show } = await openOperator();
    const long = JSON.stringify({ name: 'x'.repeat(70_000) });
    const refusal = await show(await signOperatorToken(key, HOST), { command: 'disable-user', body: long });
    expect([refusal.status, await errorOf(refusal)]).toEqual([413, 'body_too_large']);
    let pulled = 0;
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(1024));
        },
      });
    expect((await show('nonsense', { body: endless() })).status).toBe(401);
    expect(pulled).toBeLessThan(100);
  });

  it('the operator’s surface counts the requests of an address before any other check', async () => {
    const { show } = await openOperator();
    const limit = vi.spyOn(env.OPERATOR_LIMIT, 'limit').mockResolvedValue({ success: false });
    const response = await show('nonsense');
    expect(response.headers.get('Terse-Version')).toBeNull();
    expect([response.status, await errorOf(response)]).toEqual([429, 'too_many_requests']);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(limit).toHaveBeenCalledOnce();
  });

  it('the operator’s surface responds though the limiter of addresses fails, and the failure is logged', async () => {
    vi.spyOn(env.OPERATOR_LIMIT, 'limit').mockRejectedValue(new Error('out of order'));
    const problems = logged();
    const { ask } = await openOperator();
    expect((await ask('list-users')).status).toBe(200);
    expect(problems()).toMatchObject([{ event: 'operator_limiter_failed' }]);
  });

  it('the operator’s surface logs what it refuses, without the token and without the body', async () => {
    const { key, show } = await openOperator();
    const lines = vi.spyOn(console, 'log');
    const token = await signOperatorToken(key, HOST);
    await show(token, { command: 'change-password', body: JSON.stringify({ name: 'nobody', password: 'hush hush' }) });
    await show(`${token}x`, { command: 'secret-in-a-path' });
    const logged = lines.mock.calls
      .flat()
      .map(String)
      .filter((line) => line.includes('"operator"'));
    expect(logged).toHaveLength(2);
    expect(JSON.parse(logged[0]!)).toMatchObject({ command: 'change-password', status: 404, error: 'not_found' });
    expect(logged.join('\n')).not.toMatch(/hush|secret-in-a-path|eyJ/);
  });
});
