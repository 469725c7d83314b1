import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { changePassword, disableUser, enableUser } from '../../src/accounts/operator.ts';
import { db, rowsOf, seedLink, seedTenant, signIn, type Tenant, type Tokens } from '../support/seed.ts';
import { call } from '../support/service.ts';
import {
  CREATION_REFUSAL,
  STORE_ENDPOINTS,
  familiesOf,
  refresh,
  refusalOf,
  type TokenEndpoint,
} from '../support/tokens.ts';

// Tokens with a valid signature that have not expired, of a sign-in that has ended. Their caller had the credential, so
// the sentence may say that it ended, but not why.

const INFO_SENTENCE = 'The sign-in of this token has expired or was revoked. Sign in again to get a new token.';
const CREATE_SENTENCE = 'The credential is revoked, expired or unknown. Use another one, or create a new one.';

function refusalAt({ name, refusal: [status, challenge] }: TokenEndpoint): unknown[] {
  const sentence = name.startsWith('GET /info') ? INFO_SENTENCE : CREATE_SENTENCE;
  const described = challenge.replace(/error_description=".*"/, `error_description="${sentence}"`);
  return [status, described, { result: 'Failed', error: `invalid_credential: ${sentence}` }];
}

const ENDINGS: readonly [what: string, end: (tenant: Tenant, tokens: Tokens) => Promise<unknown>][] = [
  ['its account is disabled', ({ userName }) => disableUser(db, userName)],
  [
    'its account is disabled, with a family that began in that very moment',
    ({ userId }) => env.DB.prepare('UPDATE users SET disabled_at = ?2 WHERE id = ?1').bind(userId, Date.now()).run(),
  ],
  [
    'its account was disabled, and is enabled again',
    async ({ userName }) => {
      await disableUser(db, userName);
      await enableUser(db, userName);
    },
  ],
  ['its password was changed', ({ userName }) => changePassword(db, userName, 'another one')],
  ['it was revoked', (_, { refresh_token }) => call('/tokens/revoke_token', { form: { token: refresh_token } })],
  [
    'a refresh token of it was used twice',
    async (_, { refresh_token }) => {
      const { refresh_token: second } = await (await refresh(refresh_token)).json<Tokens>();
      await refresh(second);
      await refresh(refresh_token);
    },
  ],
  [
    'its 30 days are over',
    ({ userId }) =>
      env.DB.prepare('UPDATE token_families SET ends_at = ?2 WHERE user_id = ?1').bind(userId, Date.now()).run(),
  ],
  [
    'it is not in the database',
    async ({ userId }) => {
      await env.DB.prepare(
        'DELETE FROM refresh_tokens WHERE family_id IN (SELECT id FROM token_families WHERE user_id = ?1)',
      )
        .bind(userId)
        .run();
      await env.DB.prepare('DELETE FROM token_families WHERE user_id = ?1').bind(userId).run();
    },
  ],
];

describe('a token of a sign-in that has ended', () => {
  it.each(ENDINGS)(
    'a token of a sign-in that has ended is refused by every endpoint that asks the database when %s',
    async (_what, end) => {
      const tenant = await seedTenant();
      await seedLink(tenant);
      const tokens = await signIn(tenant);
      for (const { takes, header, send } of STORE_ENDPOINTS) {
        expect((await send(tenant, header(tokens[takes]))).status).toBe(200);
      }
      const links = await rowsOf('links');

      await end(tenant, tokens);

      for (const endpoint of STORE_ENDPOINTS) {
        const response = await endpoint.send(tenant, endpoint.header(tokens[endpoint.takes]));
        expect([endpoint.name, ...(await refusalOf(response))]).toEqual([endpoint.name, ...refusalAt(endpoint)]);
      }
      expect(await refusalOf(await refresh(tokens.refresh_token))).toEqual(CREATION_REFUSAL);
      expect(await rowsOf('links')).toEqual(links);
    },
  );

  it('a token of a sign-in that has ended is refused although the user has signed in again, and the new one is taken', async () => {
    const tenant = await seedTenant();
    await seedLink(tenant);
    const ended = await signIn(tenant);
    await call('/tokens/revoke_token', { form: { token: ended.refresh_token } });
    const living = await signIn(tenant);
    for (const { takes, header, send } of STORE_ENDPOINTS) {
      expect((await send(tenant, header(ended[takes]))).status).toBe(401);
      expect((await send(tenant, header(living[takes]))).status).toBe(200);
    }
  });
});

describe('a disabled account', () => {
  it('a disabled account gets no token, as if its password were wrong, and its API key creates no link', async () => {
    const tenant = await seedTenant();
    await signIn(tenant);
    await disableUser(db, tenant.userName);
    const families = await familiesOf(tenant);

    const headers = { Authorization: tenant.basic, 'CF-Connecting-IP': tenant.address };
    expect(await refusalOf(await call('/tokens/create_token', { headers }))).toEqual(CREATION_REFUSAL);
    expect(await familiesOf(tenant)).toEqual(families);

    const form = { url: 'https://example.com/', client_id: tenant.clientId };
    const byKey = await call('/v1/links', { headers: { 'X-API-Key': tenant.apiKey }, form });
    expect(await refusalOf(byKey)).toEqual([
      401,
      'ApiKey realm="terse"',
      { result: 'Failed', error: `invalid_credential: ${CREATE_SENTENCE}` },
    ]);
  });

  it('a disabled account can sign in and use its keys once it is enabled again', async () => {
    const tenant = await seedTenant();
    await disableUser(db, tenant.userName);
    await enableUser(db, tenant.userName);
    const { access_token } = await signIn(tenant);
    const link = await seedLink(tenant);
    const headers = { Authorization: `Bearer ${access_token}` };
    expect((await call(`/info/${link.id}/${tenant.clientId}/${link.sec_id}`, { headers })).status).toBe(200);
  });
});
