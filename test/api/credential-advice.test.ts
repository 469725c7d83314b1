import { describe, expect, it } from 'vitest';
import { bearerOf, expectFailure, seedCaller } from '../support/forms.ts';
import { seedKey } from '../support/management.ts';
import { call } from '../support/service.ts';

const KEY_ADVICE =
  'X-API-Key takes an API key, which begins with tk_, or a valid api_token of GET /tokens/create_token. ' +
  'An access_token goes into Authorization: Bearer.';
const INCOMPLETE = 'The API key is incomplete. Copy all of it: tk_, 12 characters, _ and 43 characters.';
const NO_KEYS_HERE =
  'This is an API key, which is not accepted here. Sign in, and send the access_token of GET /tokens/create_token.';
const API_TOKEN =
  'This is an api_token, which only the header X-API-Key takes. Send the access_token of the same sign-in here.';
const A_PERSON =
  'API keys cannot do this: a person must sign in. Use the access_token of GET /tokens/create_token, or the platform.';
const BOTH = 'Bearer realm="terse", ApiKey realm="terse"';

const challengeOf = ({ headers }: Response) => headers.get('WWW-Authenticate');

describe('an API key as a bearer token', () => {
  it('an API key as a bearer token creates links, and manages them, as it does in X-API-Key', async () => {
    const { apiKey, clientId } = await seedCaller();
    const headers = { Authorization: `Bearer ${apiKey}` };
    const form = { url: 'https://example.com/', client_id: clientId };
    const made = await call('/v1/links', { headers, form });
    const { id }: { id: string } = JSON.parse((await made.json<{ result: string }>()).result);
    const statuses = await Promise.all(
      ['/v1/links', `/v1/links/${id}`, `/v1/links/${id}/stats`, '/v1/links/export', `/v1/links/${id}/qr.svg`].map(
        async (path) => (await call(path, { headers })).status,
      ),
    );
    expect([made.status, ...statuses]).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await call(`/v1/links/${id}`, { method: 'DELETE', headers })).status).toBe(204);
  });

  it('an API key as a bearer token has its own scopes only', async () => {
    const { key } = await seedKey(await seedCaller(), ['stats:read']);
    const error =
      'insufficient_scope: This API key does not have the scope links:read. Use another key, or an access token.';
    await expectFailure(await call('/v1/links', { headers: { Authorization: `Bearer ${key}` } }), 403, error);
  });

  it.each([
    ['tk_123', INCOMPLETE],
    [`tk_${'x'.repeat(12)}_${'x'.repeat(43)}`, 'The credential is revoked, expired or unknown. Use another one.'],
  ])('an API key as a bearer token gets an error that speaks of API keys: %s', async (key, sentence) => {
    const response = await call('/v1/links', { headers: { Authorization: `Bearer ${key}` } });
    const bearer = `Bearer realm="terse", error="invalid_token", error_description="${sentence}"`;
    expect(challengeOf(response)).toBe(`${bearer}, ApiKey realm="terse"`);
    await expectFailure(response, 401, `invalid_credential: ${sentence}`);
  });

  it('an API key as a bearer token is refused with an explanation where an access token is needed', async () => {
    const { apiKey, clientId } = await seedCaller();
    const headers = { Authorization: `Bearer ${apiKey}` };
    const error = `invalid_credential: ${NO_KEYS_HERE}`;
    await expectFailure(await call(`/info/a/${clientId}/c`, { headers }), 401, error);
    const form = { url: 'https://example.com/', client_id: clientId };
    await expectFailure(await call('/shortener/encode', { headers, form }), 401, error);
    const info = await call('/tokens/token_info', { headers });
    expect([info.status, await info.json()]).toEqual([401, { access_denied: NO_KEYS_HERE, http_ressponse: 401 }]);
  });
});

describe('an api_token as a bearer token', () => {
  it.each(['/v1/links', '/v1/keys', '/v1/me', '/info/a/b/c', '/health?deep=1'])(
    'an api_token as a bearer token is named as such at %s',
    async (path) => {
      const { apiToken } = await seedCaller();
      const response = await call(path, { headers: { Authorization: `Bearer ${apiToken}` } });
      expect(challengeOf(response)).toContain(`error_description="${API_TOKEN}"`);
      await expectFailure(response, 401, `invalid_credential: ${API_TOKEN}`);
    },
  );
});

describe('X-API-Key', () => {
  it.each(['nonsense', 'a.b.c', 'x'.repeat(5000)])('X-API-Key gets an error about API keys for %s', async (key) => {
    const headers = { 'X-API-Key': key };
    const asked = await call('/v1/links', { headers });
    expect(challengeOf(asked)).toBe(BOTH);
    await expectFailure(asked, 401, `invalid_credential: ${KEY_ADVICE}`);
    const form = { url: 'https://example.com/', client_id: 'a' };
    const made = await call('/v1/links', { headers, form });
    expect(challengeOf(made)).toBe('ApiKey realm="terse"');
    await expectFailure(made, 401, `invalid_credential: ${KEY_ADVICE}`);
  });

  it('X-API-Key with an access token says which header to use', async () => {
    const { accessToken } = await seedCaller();
    const response = await call('/v1/links', { headers: { 'X-API-Key': accessToken } });
    await expectFailure(response, 401, `invalid_credential: ${KEY_ADVICE}`);
  });
});

describe('no credential', () => {
  it('a request without a credential names both where both are accepted', async () => {
    const response = await call('/v1/links');
    expect(challengeOf(response)).toBe(BOTH);
    await expectFailure(
      response,
      401,
      'missing_credential: Send an API key in the header X-API-Key, or an access token as "Authorization: Bearer <ACCESS_TOKEN>".',
    );
  });

  it.each(['/v1/keys', '/v1/members', '/v1/invites', '/v1/audit', '/v1/domains'])(
    'a request without a credential at %s names the token only, and for a key says that a person must sign in',
    async (path) => {
      const sentence = 'missing_credential: Send an access token as "Authorization: Bearer <ACCESS_TOKEN>".';
      const none = await call(path);
      expect(challengeOf(none)).toBe('Bearer realm="terse"');
      await expectFailure(none, 401, sentence);
      for (const key of [{ 'X-API-Key': 'nonsense' }, { 'X-API-Key': 'tk_1' }, { Authorization: 'Bearer tk_1' }]) {
        await expectFailure(await call(path, { headers: key }), 401, `invalid_credential: ${A_PERSON}`);
      }
      expect(challengeOf(await call(path, { headers: { 'X-API-Key': 'nonsense' } }))).toBe('Bearer realm="terse"');
      const caller = await seedCaller();
      const headers = { 'X-API-Key': caller.apiKey };
      await expectFailure(await call(path, { headers }), 403, `insufficient_scope: ${A_PERSON}`);
      expect((await call(path, { headers: bearerOf(caller) })).status).toBe(200);
    },
  );
});
