import { env } from 'cloudflare:workers';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { seedLink, seedTenant, signIn, type Tenant, type Tokens } from '../support/seed.ts';
import { call } from '../support/service.ts';
import {
  CREATION_REFUSAL,
  STORE_ENDPOINTS,
  changed,
  compact,
  familiesOf,
  refresh,
  refusalOf,
  signerOf,
} from '../support/tokens.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const revoke = (form: Record<string, string>) => call('/tokens/revoke_token', { form });

/** The status that each endpoint which asks the database has for a set of tokens. */
async function statusesOf(tenant: Tenant, tokens: Tokens): Promise<number[]> {
  const statuses: number[] = [];
  for (const { takes, header, send } of STORE_ENDPOINTS) {
    statuses.push((await send(tenant, header(tokens[takes]))).status);
  }
  return statuses;
}

async function expectRevoked(response: Response): Promise<void> {
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ result: 'Token Revoked' });
}

describe('POST /tokens/revoke_token', () => {
  it.each<[what: string, form: (tokens: Tokens) => Record<string, string>]>([
    ['a refresh token', ({ refresh_token }) => ({ token: refresh_token })],
    ['a refresh token under the name it has elsewhere', ({ refresh_token }) => ({ refresh_token })],
    ['an access token', ({ access_token }) => ({ token: access_token })],
    ['an API token', ({ api_token }) => ({ token: api_token })],
    ['a token with a hint', ({ refresh_token }) => ({ token: refresh_token, token_type_hint: 'refresh_token' })],
    ['a token with the wrong hint', ({ access_token }) => ({ token: access_token, token_type_hint: 'refresh_token' })],
  ])('POST /tokens/revoke_token ends the whole family of %s, and no other', async (_what, form) => {
    const tenant = await seedTenant();
    await seedLink(tenant);
    const [mine, other] = [await signIn(tenant), await signIn(tenant)];
    expect(await statusesOf(tenant, mine)).toEqual([200, 200, 200]);

    await expectRevoked(await revoke(form(mine)));

    expect(await statusesOf(tenant, mine)).toEqual([401, 401, 401]);
    expect(await refusalOf(await refresh(mine.refresh_token))).toEqual(CREATION_REFUSAL);
    expect(await statusesOf(tenant, other)).toEqual([200, 200, 200]);
    expect((await refresh(other.refresh_token)).status).toBe(201);
  });

  it('POST /tokens/revoke_token ends the family of a refresh token that is already spent', async () => {
    const tenant = await seedTenant();
    const first = await signIn(tenant);
    const second = await (await refresh(first.refresh_token)).json<Tokens>();
    await expectRevoked(await revoke({ token: first.refresh_token }));
    expect((await refresh(second.refresh_token)).status).toBe(401);
  });

  it('POST /tokens/revoke_token takes a urlencoded form, as RFC 7009 has it', async () => {
    const tenant = await seedTenant();
    const { refresh_token } = await signIn(tenant);
    const body = new URLSearchParams({ token: refresh_token });
    await expectRevoked(await call('/tokens/revoke_token', { method: 'POST', body }));
    expect((await familiesOf(tenant))[0]?.['ended_at']).toEqual(expect.any(Number));
  });

  it('POST /tokens/revoke_token is 200 again for a family that has ended, and leaves the time of its end', async () => {
    const tenant = await seedTenant();
    const { refresh_token } = await signIn(tenant);
    await revoke({ token: refresh_token });
    const ended = await familiesOf(tenant);
    await expectRevoked(await revoke({ token: refresh_token }));
    expect(await familiesOf(tenant)).toEqual(ended);
  });

  it.each<[what: string, token: (tokens: Tokens) => string | Promise<string>]>([
    ['unknown', () => 'x'.repeat(43)],
    ['no token at all', () => 'a.b.c'],
    ['of 8 KB', () => `${'x'.repeat(4096)}.${'x'.repeat(4096)}`],
    [
      'signed by a stranger',
      async ({ access_token }) => changed(access_token, { sign: signerOf(await generateTokenKey()) }),
    ],
    [
      'of no algorithm',
      ({ access_token }) => changed(access_token, { header: { alg: 'none' }, sign: async () => new ArrayBuffer(0) }),
    ],
    ['of another issuer', ({ access_token }) => changed(access_token, { claims: { iss: 'https://other.example' } })],
    ['without a payload', () => compact({ alg: 'EdDSA', typ: 'at+jwt' }, null)],
  ])('POST /tokens/revoke_token is 200 for a token that is %s, and ends nothing', async (_what, token) => {
    const tenant = await seedTenant();
    const tokens = await signIn(tenant);
    await expectRevoked(await revoke({ token: await token(tokens) }));
    expect(await familiesOf(tenant)).toEqual([expect.objectContaining({ ended_at: null })]);
  });

  it.each<[what: string, form: Record<string, string>, error: string]>([
    ['no token', { token_type_hint: 'access_token' }, 'missing_field: token is required.'],
    ['an empty token', { token: '' }, 'missing_field: token is required.'],
  ])('POST /tokens/revoke_token refuses a form with %s with 400', async (_what, form, error) => {
    const response = await revoke(form);
    expect([response.status, await response.json()]).toEqual([400, { result: 'Failed', error }]);
  });

  it('POST /tokens/revoke_token ignores the fields that OAuth clients send along', async () => {
    const tenant = await seedTenant();
    const { refresh_token } = await signIn(tenant);
    await expectRevoked(await revoke({ token: refresh_token, client_id: 'a client of OAuth' }));
    expect(await familiesOf(tenant)).toEqual([expect.objectContaining({ ended_at: expect.any(Number) })]);
  });

  it('POST /tokens/revoke_token ends the family also by an access token that has expired', async () => {
    const tenant = await seedTenant();
    const { access_token } = await signIn(tenant);
    vi.setSystemTime(Date.now() + 2 * 3_600_000);
    await expectRevoked(await revoke({ token: access_token }));
    expect(await familiesOf(tenant)).toEqual([expect.objectContaining({ ended_at: expect.any(Number) })]);
  });

  it('POST /tokens/revoke_token refuses another body type with 415, and another method with 405', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const json = await call('/tokens/revoke_token', { method: 'POST', headers, body: '{"token":"x"}' });
    expect(json.status).toBe(415);
    const get = await call('/tokens/revoke_token');
    expect([get.status, get.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it('POST /tokens/revoke_token does not claim to have revoked what it could not reach', async () => {
    const tenant = await seedTenant();
    const { refresh_token } = await signIn(tenant);
    const outage = vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: no answer');
    });
    const response = await revoke({ token: refresh_token });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    outage.mockRestore();
    expect((await refresh(refresh_token)).status).toBe(201);
  });
});
