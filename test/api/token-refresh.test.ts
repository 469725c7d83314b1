import { env } from 'cloudflare:workers';
import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changePassword, disableUser, enableUser } from '../../src/accounts/operator.ts';
import { db, rowsOf, seedTenant, signIn, type Tenant, type Tokens } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { CREATION_REFUSAL, familiesOf, refresh, refusalOf, tokenResponse } from '../support/tokens.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const DAY_MS = 24 * 3600 * 1000;

/** Refreshes where that must work. */
async function refreshed(token: string): Promise<Tokens> {
  const response = await refresh(token);
  expect(response.status).toBe(201);
  return response.json();
}

/** The status of an access token at an endpoint that asks the database. */
async function statusOf(tenant: Tenant, accessToken: string): Promise<number> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const form = { url: 'https://example.com/', client_id: tenant.clientId };
  return (await call('/shortener/encode', { headers, form })).status;
}

/** Expects the family of these tokens to be revoked, and all of them to be refused. */
async function expectEnded(tenant: Tenant, ...sets: readonly Tokens[]): Promise<void> {
  for (const { access_token, refresh_token } of sets) {
    expect(await statusOf(tenant, access_token)).toBe(401);
    expect(await refusalOf(await refresh(refresh_token))).toEqual(CREATION_REFUSAL);
  }
}

describe('POST /tokens/refresh_token', () => {
  it.each([
    ['multipart/form-data', FormData],
    ['application/x-www-form-urlencoded', URLSearchParams],
  ])('POST /tokens/refresh_token gives %s 201 and a new set of the same family', async (_type, Body) => {
    const tenant = await seedTenant();
    const first = await signIn(tenant);
    const body = new Body();
    body.set('refresh_token', first.refresh_token);
    const response = await call('/tokens/refresh_token', { method: 'POST', body });
    expect(response.status).toBe(201);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const second = await response.json<Tokens>();
    expect(second).toEqual(tokenResponse(tenant));
    const all = [first, second].flatMap((set) => [set.access_token, set.api_token, set.refresh_token]);
    expect(new Set(all).size).toBe(6);
    expect(decodeJwt(second.access_token)['sid']).toBe(decodeJwt(first.access_token)['sid']);
    expect(await familiesOf(tenant)).toHaveLength(1);
    expect(await statusOf(tenant, second.access_token)).toBe(200);
    expect(await statusOf(tenant, first.access_token)).toBe(200);
  });

  it('POST /tokens/refresh_token continues for any number of rounds', async () => {
    const tenant = await seedTenant();
    let tokens = await signIn(tenant);
    for (let round = 0; round < 5; round += 1) tokens = await refreshed(tokens.refresh_token);
    expect(await statusOf(tenant, tokens.access_token)).toBe(200);
  });

  it.each<[what: string, token: (tokens: Tokens) => string]>([
    ['an unknown token', () => 'x'.repeat(43)],
    ['an access token', (tokens) => tokens.access_token],
    ['an API token', (tokens) => tokens.api_token],
    ['a token cut short', (tokens) => tokens.refresh_token.slice(0, -1)],
    ['8 KB of letters', () => 'x'.repeat(8192)],
    ['text that is no token', () => "' OR 1=1 --"],
  ])('POST /tokens/refresh_token refuses %s with the documented 401, and ends nothing', async (_what, token) => {
    const tokens = await signIn(await seedTenant());
    expect(await refusalOf(await refresh(token(tokens)))).toEqual(CREATION_REFUSAL);
    await refreshed(tokens.refresh_token);
  });

  it.each<[what: string, form: Record<string, string>, error: string]>([
    ['no token', { x: '' }, 'missing_field: refresh_token is required.'],
    ['an empty token', { refresh_token: '' }, 'missing_field: refresh_token is required.'],
  ])('POST /tokens/refresh_token refuses a form with %s with 400', async (_what, form, error) => {
    const response = await call('/tokens/refresh_token', { form });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ result: 'Failed', error });
  });

  it('POST /tokens/refresh_token ignores the fields that OAuth clients send along', async () => {
    const { refresh_token } = await signIn(await seedTenant());
    const form = { refresh_token, grant_type: 'refresh_token', client_id: 'a client of OAuth' };
    expect((await call('/tokens/refresh_token', { form })).status).toBe(201);
  });

  it('POST /tokens/refresh_token refuses another body type with 415, and another method with 405', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const json = await call('/tokens/refresh_token', { method: 'POST', headers, body: '{"refresh_token":"x"}' });
    expect([json.status, await json.json()]).toEqual([
      415,
      {
        result: 'Failed',
        error: 'unsupported_media_type: Send the fields as multipart/form-data or application/x-www-form-urlencoded.',
      },
    ]);
    const get = await call('/tokens/refresh_token');
    expect([get.status, get.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it('POST /tokens/refresh_token spends nothing while the database does not respond', async () => {
    const { refresh_token } = await signIn(await seedTenant());
    const outage = vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1_ERROR: no answer'));
    const response = await refresh(refresh_token);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    outage.mockRestore();
    await refreshed(refresh_token);
  });

  it('POST /tokens/refresh_token stores no refresh token, only its hash', async () => {
    const first = await signIn(await seedTenant());
    const second = await refreshed(first.refresh_token);
    const stored = JSON.stringify(await rowsOf('refresh_tokens'));
    expect(stored).not.toContain(first.refresh_token);
    expect(stored).not.toContain(second.refresh_token);
  });
});

describe('a spent refresh token that comes back', () => {
  it('a spent refresh token that comes back within 30 s, while its successor is unused, counts as a lost response: the successor is replaced', async () => {
    const tenant = await seedTenant();
    const first = await signIn(tenant);
    const lost = await refreshed(first.refresh_token);
    vi.setSystemTime(Date.now() + 29_000);
    const second = await refreshed(first.refresh_token);
    expect(second.refresh_token).not.toBe(lost.refresh_token);
    expect(await statusOf(tenant, second.access_token)).toBe(200);
    await refreshed(second.refresh_token);
  });

  it('a spent refresh token may come back more than once, but its 30 s run from when it was spent', async () => {
    const tenant = await seedTenant();
    const first = await signIn(tenant);
    const spentAt = Date.now() + 1_000;
    vi.setSystemTime(spentAt);
    await refreshed(first.refresh_token);
    vi.setSystemTime(spentAt + 20_000);
    await refreshed(first.refresh_token);
    vi.setSystemTime(spentAt + 30_000);
    const last = await refreshed(first.refresh_token);
    vi.setSystemTime(spentAt + 30_001);
    expect(await refusalOf(await refresh(first.refresh_token))).toEqual(CREATION_REFUSAL);
    await expectEnded(tenant, first, last);
  });

  it('a spent refresh token that comes back ends the family where its successor was used', async () => {
    const tenant = await seedTenant();
    const first = await signIn(tenant);
    const second = await refreshed(first.refresh_token);
    const third = await refreshed(second.refresh_token);
    expect(await refusalOf(await refresh(first.refresh_token))).toEqual(CREATION_REFUSAL);
    await expectEnded(tenant, first, second, third);
  });

  it('a spent refresh token that comes back ends the family where it was replaced before', async () => {
    const tenant = await seedTenant();
    const first = await signIn(tenant);
    const replaced = await refreshed(first.refresh_token);
    const second = await refreshed(first.refresh_token);
    expect(await refusalOf(await refresh(replaced.refresh_token))).toEqual(CREATION_REFUSAL);
    await expectEnded(tenant, first, replaced, second);
  });

  it('a spent refresh token that comes back ends its own family alone', async () => {
    const tenant = await seedTenant();
    const [stolen, other] = [await signIn(tenant), await signIn(tenant)];
    const second = await refreshed(stolen.refresh_token);
    await refreshed(second.refresh_token);
    await refresh(stolen.refresh_token);
    await expectEnded(tenant, stolen);
    expect(await statusOf(tenant, other.access_token)).toBe(200);
    await refreshed(other.refresh_token);
  });

  it('a spent refresh token that comes back leaves one living token where it is sent ten times at once', async () => {
    const tenant = await seedTenant();
    const first = await signIn(tenant);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(first.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const [family] = await familiesOf(tenant);
    const tokens = (await rowsOf('refresh_tokens')).filter((row) => row['family_id'] === family?.['id']);
    const count = (status: string) => tokens.filter((row) => row['status'] === status).length;
    expect([count('live'), count('spent'), count('replaced')]).toEqual([1, 1, 9]);
  });
});

describe('a family', () => {
  it('a family ends 30 days after its sign-in, and no token outlives it', async () => {
    const tenant = await seedTenant();
    const signedInAt = Date.now();
    vi.setSystemTime(signedInAt);
    const first = await signIn(tenant);
    vi.setSystemTime(signedInAt + 30 * DAY_MS - 10_000);
    const last = await refresh(first.refresh_token);
    expect(last.status).toBe(201);
    const body = await last.json<Tokens>();
    const { iat, exp } = decodeJwt(body.access_token);
    expect(exp).toBe(Math.floor((signedInAt + 30 * DAY_MS) / 1000));
    expect(body).toEqual(tokenResponse(tenant, Number(exp) - Number(iat)));
    expect(decodeJwt(body.api_token).exp).toBe(exp);
    vi.setSystemTime(signedInAt + 30 * DAY_MS);
    await expectEnded(tenant, body);
  });

  it.each<[what: string, change: (tenant: Tenant) => Promise<unknown>]>([
    ['the account is disabled', ({ userName }) => disableUser(db, userName)],
    ['the password is changed', ({ userName }) => changePassword(db, userName, 'another one')],
    ['the password is set anew to what it was', ({ userName, password }) => changePassword(db, userName, password)],
  ])('a family ends, as all of its user, when %s', async (_what, change) => {
    const tenant = await seedTenant();
    const [one, two] = [await signIn(tenant), await signIn(tenant)];
    await change(tenant);
    await expectEnded(tenant, one, two);
    await enableUser(db, tenant.userName);
    await expectEnded(tenant, one, two);
  });
});
