import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { insertApplication, MAX_APPLICATIONS } from '../../src/accounts/oauth/registration-store.ts';
import { newAddress } from '../support/address.ts';
import { call, openIsolate } from '../support/service.ts';
import { errorOf, openScene, queryOf, REDIRECT, register, rowsWhere } from '../support/oauth.ts';
import { consent } from '../support/oauth.ts';

const HOUR_MS = 3600 * 1000;
const metadata = { client_name: 'Assistant', redirect_uris: [REDIRECT] };
const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } });

afterEach(() => void vi.restoreAllMocks());
beforeEach(() => rowsWhere('DELETE FROM oauth_applications'));

describe('what a registration must have', () => {
  it.each([
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: REDIRECT }, 'invalid_redirect_uri'],
    [{ redirect_uris: [1] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 11 }, () => REDIRECT) }, 'invalid_redirect_uri'],
    [{ redirect_uris: [REDIRECT], client_name: 1 }, 'invalid_client_metadata'],
  ])('%j is refused', async (sent, error) => {
    expect(await errorOf(await register(sent))).toEqual([400, error]);
  });

  it('a registration without a name, or with further metadata, is one of a public client', async () => {
    const response = await register({
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'client_secret_basic',
      logo_uri: 'https://assistant.example/logo.png',
    });
    expect(response.status).toBe(201);
    const body = await response.json<object>();
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', redirect_uris: [REDIRECT] });
    expect(Object.keys(body)).not.toContain('client_name');
    expect(Object.keys(body)).not.toContain('client_secret');
  });

  it('a member that is null counts as left out', async () => {
    const response = await register({ client_name: null, redirect_uris: [REDIRECT], scope: null });
    expect([response.status, Object.keys(await response.json())]).toEqual([
      201,
      expect.not.arrayContaining(['client_name']),
    ]);
  });

  it('a body that is not JSON, or is too large, is refused', async () => {
    const form = { method: 'POST', body: new URLSearchParams({ redirect_uris: REDIRECT }) };
    expect(await errorOf(await call('/oauth/register', form))).toEqual([415, 'invalid_request']);
    const large = register({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(70_000) });
    expect(await errorOf(await large)).toEqual([413, 'invalid_request']);
  });
});

describe('the bounds of the register', () => {
  it('an address registers ten applications in an hour, an IPv6 network too', async () => {
    for (const addresses of [
      Array.from({ length: 11 }, () => '198.51.100.9'),
      Array.from({ length: 11 }, (_, at) => `2001:db8:1:2::${at}`),
    ]) {
      const statuses: number[] = [];
      for (const address of addresses) statuses.push((await register(metadata, from(address))).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
      const refused = await register(metadata, from(addresses[0]!));
      expect(refused.headers.get('Retry-After')).toBe('3600');
      expect(await errorOf(refused)).toEqual([429, 'too_many_requests']);
      expect((await register(metadata, from(newAddress()))).status).toBe(201);
      await rowsWhere(`UPDATE oauth_applications SET created_at = created_at - ${HOUR_MS + 1000}`);
      expect((await register(metadata, from(addresses[0]!))).status).toBe(201);
    }
  });

  const fill = (createdAt: number, consentedAt: number | null = null) =>
    env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
       INSERT INTO oauth_applications (id, name, redirect_uris, created_at, consented_at)
       SELECT 'a' || n, '', '[]', ?2 + n, ?3 FROM numbers`,
    )
      .bind(MAX_APPLICATIONS, createdAt, consentedAt)
      .run();
  const idsOf = async () => new Set((await rowsWhere('SELECT id FROM oauth_applications')).map(({ id }) => id));

  it('a full register drops the oldest application that was never consented to', async () => {
    await fill(Date.now() - 2 * HOUR_MS);
    await rowsWhere(`UPDATE oauth_applications SET consented_at = 1 WHERE id IN ('a1', 'a2')`);
    expect((await register(metadata)).status).toBe(201);
    const ids = await idsOf();
    expect([ids.size, ids.has('a1'), ids.has('a2'), ids.has('a3'), ids.has('a4')]).toEqual([
      MAX_APPLICATIONS,
      true,
      true,
      false,
      true,
    ]);
  });

  it.each([
    ['all were consented to', 2 * HOUR_MS, 1],
    ['none is an hour old', HOUR_MS / 2, null],
  ])('a full register refuses further ones if %s, and says when to try again', async (_what, age, consentedAt) => {
    await fill(Date.now() - age, consentedAt);
    const refused = await register(metadata);
    expect(refused.headers.get('Retry-After')).toBe('3600');
    expect(await errorOf(refused)).toEqual([503, 'temporarily_unavailable']);
    expect((await idsOf()).size).toBe(MAX_APPLICATIONS);
  });

  it('an address beyond its limit drops no application of others', async () => {
    await fill(Date.now() - 2 * HOUR_MS);
    const address = newAddress();
    await rowsWhere(
      `UPDATE oauth_applications SET address = ?, created_at = ? WHERE id IN ('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'a10')`,
      address,
      Date.now(),
    );
    expect((await register(metadata, from(address))).status).toBe(429);
    expect((await idsOf()).has('a11')).toBe(true);
    // D1 bills the rows that are read.
    const values = { id: 'new', name: '', redirectUris: '[]', address, now: Date.now() };
    const statements = insertApplication(values).map(({ sql, params }) => env.DB.prepare(sql).bind(...params));
    const results = await env.DB.batch(statements);
    expect(results.reduce((sum, { meta }) => sum + meta.rows_read, 0)).toBeLessThan(100);
  });

  it('an address that sends registrations without a pause is refused before the register is asked', async () => {
    const isolate = openIsolate();
    vi.spyOn(env.WRITE_ADDRESS_LIMIT, 'limit').mockResolvedValue({ success: false });
    const headers = from(newAddress());
    expect((await register(metadata, headers, isolate)).status).toBe(201);
    const batch = vi.spyOn(env.DB, 'batch');
    expect(await errorOf(await register(metadata, headers, isolate))).toEqual([429, 'too_many_requests']);
    expect(batch).not.toHaveBeenCalled();
  });

  it('a consent keeps an application', async () => {
    const { browse, caller, application } = await openScene();
    await consent(browse, queryOf(application), caller);
    expect(
      await rowsWhere('SELECT consented_at > 0 AS kept FROM oauth_applications WHERE id = ?', application),
    ).toEqual([{ kept: 1 }]);
  });
});
