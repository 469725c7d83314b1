import { describe, expect, it } from 'vitest';
import { changePassword } from '../../src/accounts/operator.ts';
import { db, seedLink, seedTenant, signIn } from '../support/seed.ts';
import { call, ORIGIN } from '../support/service.ts';
import { seedMember } from '../support/management.ts';
import { ask } from '../support/mcp.ts';
import { compact, kidOf, refresh as refreshSignIn, SIGNING_KEY, TOKEN_ENDPOINTS } from '../support/tokens.ts';
import { form, openBrowser } from '../support/platform.ts';
import {
  API,
  askForTokens,
  bearer,
  codeOf,
  connect,
  errorOf,
  exchange,
  MCP,
  openScene,
  refresh,
  registered,
  rowsWhere,
  statusAtApi,
  VERIFIER,
  type Tokens,
} from '../support/oauth.ts';

/** Codes and tokens in the wrong hands, or in the wrong place (RFC 9700). */

const GRANT_REFUSED = [400, 'invalid_grant'];
const revoke = (fields: Readonly<Record<string, string>>) =>
  call('/oauth/revoke', { method: 'POST', body: new URLSearchParams(fields) });

describe('codes', () => {
  it('a code works once, and its second use ends what the first one gave', async () => {
    const scene = await openScene();
    const code = await codeOf(scene, { resource: API });
    const tokens = await (await exchange(scene.application, code, { resource: API })).json<Tokens>();
    expect(await statusAtApi(tokens)).toBe(200);
    expect(await errorOf(await exchange(scene.application, code, { resource: API }))).toEqual(GRANT_REFUSED);
    expect(await statusAtApi(tokens)).toBe(401);
    expect(await errorOf(await refresh(scene.application, tokens.refresh_token))).toEqual(GRANT_REFUSED);
  });

  it('a code that is used several times at once gives tokens to at most one request, and they do not work', async () => {
    const scene = await openScene();
    const code = await codeOf(scene, { resource: API });
    const uses = await Promise.all([1, 2, 3].map(() => exchange(scene.application, code, { resource: API })));
    const granted = uses.filter(({ status }) => status === 200);
    expect(granted.length).toBe(1);
    expect(await statusAtApi(await granted[0]!.json<Tokens>())).toBe(401);
    const families = await rowsWhere(
      `SELECT ended_at IS NULL AS lives FROM token_families WHERE user_id = ? AND began_by = 'oauth'`,
      scene.caller.userId,
    );
    expect(families).toEqual([{ lives: 0 }]);
  });

  it.each([
    ['without the verifier', { code_verifier: undefined }, 'invalid_request'],
    ['with an empty verifier', { code_verifier: '' }, 'invalid_request'],
    ['with a short verifier', { code_verifier: 'v' }, 'invalid_request'],
    ['with the challenge as verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['with another redirect_uri', { redirect_uri: 'https://assistant.example/other' }, 'invalid_grant'],
    ['for another resource', { resource: API }, 'invalid_grant'],
    ['without the application', { client_id: undefined }, 'invalid_request'],
    ['with another grant_type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['with another code', { code: 'x'.repeat(43) }, 'invalid_grant'],
  ])('a code is refused %s, and still works for its application', async (_what, changes, error) => {
    const scene = await openScene();
    const code = await codeOf(scene);
    expect(await errorOf(await exchange(scene.application, code, changes))).toEqual([400, error]);
    expect((await exchange(scene.application, code)).status).toBe(200);
  });

  it('a code of one application gives nothing to another one', async () => {
    const scene = await openScene();
    const code = await codeOf(scene);
    expect(await errorOf(await exchange(await registered(), code))).toEqual(GRANT_REFUSED);
    expect((await exchange(scene.application, code)).status).toBe(200);
  });

  it('a code and a token are kept as hashes alone', async () => {
    const scene = await openScene();
    const code = await codeOf(scene);
    const { refresh_token: token } = await (await exchange(scene.application, code)).json<Tokens>();
    for (const table of ['oauth_codes', 'oauth_grants', 'refresh_tokens', 'token_families']) {
      const text = JSON.stringify(await rowsWhere(`SELECT * FROM ${table}`));
      expect([text.includes(code), text.includes(token), text.includes(VERIFIER)]).toEqual([false, false, false]);
    }
  });
});

describe('tokens at another resource', () => {
  it('a token for MCP does not work at the API, nor one for the API at MCP', async () => {
    const scene = await openScene();
    const [ofMcp, ofApi] = [await connect(scene, MCP), await connect(scene, API)];
    expect([await statusAtApi(ofMcp), await statusAtApi(ofApi)]).toEqual([401, 200]);
    const statuses = [ofMcp, ofApi].map(async (tokens) => (await ask(bearer(tokens), 'tools/list')).status);
    expect(await Promise.all(statuses)).toEqual([200, 401]);
    expect((await ask(bearer(ofApi), 'tools/list')).headers.get('WWW-Authenticate')).toContain('resource_metadata="');
  });

  it.each(TOKEN_ENDPOINTS)('$name refuses a token of OAuth', async ({ send, header }) => {
    const scene = await openScene();
    await seedLink(scene.caller);
    for (const resource of [MCP, API]) {
      const { access_token: token } = await connect(scene, resource);
      expect((await send(scene.caller, header(token))).status).toBe(401);
    }
  });

  it('pages refuse a token of OAuth, as a cookie and as a header', async () => {
    const scene = await openScene();
    const { access_token: access, refresh_token: refreshToken } = await connect(scene, API);
    for (const headers of [
      { Cookie: `__Host-terse=${refreshToken}` },
      { Cookie: `__Host-terse=${access}` },
      { Authorization: `Bearer ${access}` },
    ]) {
      const response = await call('/platform/account', { headers });
      expect([response.status, response.headers.get('Location')]).toEqual([
        303,
        expect.stringMatching(/^\/platform\/sign-in/),
      ]);
    }
  });

  it('endpoints of sign-ins neither refresh nor end a grant, and get no api_token of it', async () => {
    const scene = await openScene();
    const tokens = await connect(scene, API);
    const refused = await refreshSignIn(tokens.refresh_token);
    expect([refused.status, await refused.text()]).toEqual([401, expect.not.stringContaining('api_token')]);
    for (const token of [tokens.refresh_token, tokens.access_token])
      expect((await call('/tokens/revoke_token', { form: { token } })).status).toBe(200);
    expect(await statusAtApi(tokens)).toBe(200);
    expect((await refresh(scene.application, tokens.refresh_token)).status).toBe(200);
  });

  it('endpoints of OAuth neither refresh nor end a sign-in', async () => {
    const [tenant, application] = [await seedTenant(), await registered()];
    const tokens = await signIn(tenant);
    expect(await errorOf(await refresh(application, tokens.refresh_token))).toEqual(GRANT_REFUSED);
    for (const token of [tokens.refresh_token, tokens.access_token, tokens.api_token])
      expect((await revoke({ client_id: application, token })).status).toBe(200);
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    expect((await call('/v1/links', { headers })).status).toBe(200);
    expect((await refreshSignIn(tokens.refresh_token)).status).toBe(201);
  });

  it('a family is used only by tokens of its kind, even if another one is signed for it', async () => {
    const scene = await openScene();
    await connect(scene, API);
    const session = `SELECT id FROM token_families WHERE user_id = ?`;
    const [granted] = await rowsWhere(`${session} AND began_by = 'oauth'`, scene.caller.userId);
    const [signedIn] = await rowsWhere(`${session} AND began_by IS NOT 'oauth'`, scene.caller.userId);
    const seconds = Math.floor(Date.now() / 1000);
    const sign = async (typ: string, aud: string, sid: unknown) =>
      compact(
        { typ, alg: 'EdDSA', kid: await kidOf(SIGNING_KEY) },
        { sub: scene.caller.userId, sid, iat: seconds, exp: seconds + 60, jti: 'j', iss: ORIGIN, aud },
      );
    const statusOf = async (token: string) => statusAtApi({ access_token: token, refresh_token: '', scope: '' });
    expect(await statusOf(await sign('oauth+jwt', API, granted?.['id']))).toBe(200);
    expect(await statusOf(await sign('oauth+jwt', API, signedIn?.['id']))).toBe(401);
    expect(await statusOf(await sign('at+jwt', 'terse:access', granted?.['id']))).toBe(401);
    expect(await statusOf(await sign('oauth+jwt', 'terse:access', granted?.['id']))).toBe(401);
    expect(await statusOf(await sign('at+jwt', API, granted?.['id']))).toBe(401);
    expect(await statusOf(await sign('oauth+jwt', 'https://other.example/v1', granted?.['id']))).toBe(401);
  });
});

describe('the end of a grant', () => {
  it.each(['refresh_token', 'access_token'] as const)('an application revokes its grant by the %s', async (name) => {
    const scene = await openScene();
    const tokens = await connect(scene, API);
    expect((await revoke({ client_id: await registered(), token: tokens[name] })).status).toBe(200);
    expect(await statusAtApi(tokens)).toBe(200);
    expect((await revoke({ client_id: scene.application, token: tokens[name] })).status).toBe(200);
    expect(await statusAtApi(tokens)).toBe(401);
    expect(await errorOf(await refresh(scene.application, tokens.refresh_token))).toEqual(GRANT_REFUSED);
  });

  it('an unknown token is no error, and a missing one is', async () => {
    const application = await registered();
    for (const token of ['unknown', 'a.b.c'])
      expect((await revoke({ client_id: application, token })).status).toBe(200);
    expect(await errorOf(await revoke({ client_id: application }))).toEqual([400, 'invalid_request']);
    expect(await errorOf(await revoke({ token: 'unknown' }))).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['the user is disabled', 'UPDATE users SET disabled_at = 1 WHERE id = ?'],
    ['the user leaves the workspace', 'DELETE FROM members WHERE user_id = ?'],
    ['the time of the grant is over', 'UPDATE token_families SET ends_at = 1 WHERE user_id = ?'],
  ])('a token opens nothing once %s', async (_what, sql) => {
    const scene = await openScene();
    const tokens = await connect(scene, API);
    await rowsWhere(sql, scene.caller.userId);
    expect([401, 403]).toContain(await statusAtApi(tokens));
  });

  it('a new password ends all grants of its user', async () => {
    const scene = await openScene();
    const tokens = await connect(scene, API);
    await changePassword(db, scene.caller.userName, 'another one');
    expect(await statusAtApi(tokens)).toBe(401);
    expect(await errorOf(await refresh(scene.application, tokens.refresh_token))).toEqual(GRANT_REFUSED);
  });

  it('a grant ends with the membership, and does not come back with it', async () => {
    const scene = await openScene();
    const { browse } = await openBrowser(await seedMember(scene.caller, 'owner'));
    const tokens = await connect(scene, API);
    const removal = `/platform/c/${scene.caller.clientId}/members/${scene.caller.userId}/remove`;
    expect((await browse(removal, form({ keys: 'revoke' }))).status).toBe(303);
    await rowsWhere(
      `INSERT INTO members (user_id, client_id, created_at) VALUES (?, ?, 1)`,
      scene.caller.userId,
      scene.caller.clientId,
    );
    expect(await statusAtApi(tokens)).toBe(401);
  });
});

it('a body that is no form, and a field that is given twice, are errors in the form of OAuth', async () => {
  const json = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } };
  expect(await errorOf(await call('/oauth/token', json))).toEqual([415, 'invalid_request']);
  const twice = await call('/oauth/token', {
    method: 'POST',
    body: 'client_id=a&client_id=b',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  expect(await errorOf(twice)).toEqual([400, 'invalid_request']);
  expect(await errorOf(await askForTokens({ client_id: 'a' }))).toEqual([400, 'invalid_request']);
  expect((await call('/oauth/token')).status).toBe(405);
  expect((await call('/oauth/unknown')).status).toBe(404);
});
