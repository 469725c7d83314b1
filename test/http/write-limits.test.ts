import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { browse, form, openBrowser } from '../support/platform.ts';
import { ENDPOINTS, methodOf } from '../support/endpoints.ts';
import { contentOfTables, rowsOf, seedTenant, signIn } from '../support/seed.ts';
import { expectTooMany, fromHome, jsonBy, openIsolatePerTest } from '../support/limits.ts';

const call = openIsolatePerTest();
const json = jsonBy(call);
afterEach(() => void vi.restoreAllMocks());

const WRITES = ENDPOINTS.filter((endpoint) => methodOf(endpoint) !== 'GET' && !endpoint.isRead);

describe.each(WRITES)('$name', (endpoint) => {
  const send = async (caller: Caller, path: string, body: object | string | undefined) =>
    (endpoint.through ?? call)(path, {
      method: methodOf(endpoint),
      headers: {
        ...bearerOf(caller),
        ...(body !== undefined && { 'Content-Type': typeof body === 'string' ? 'text/csv' : 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

  it('a write is refused beyond the limit of its credential, which others do not share', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    const [own, others] = [await endpoint.prepare(caller), await endpoint.prepare(other)];
    vi.spyOn(env.WRITE_LIMIT, 'limit').mockImplementation(async ({ key }) => ({ success: key !== caller.userId }));
    const before = await contentOfTables();
    await expectTooMany(await send(caller, own.path, own.body));
    expect(await contentOfTables()).toEqual(before);
    expect((await send(other, others.path, others.body)).status).toBe(endpoint.status);
  });
});

it('a POST that only reads has no limit of writes', async () => {
  vi.spyOn(env.WRITE_LIMIT, 'limit').mockResolvedValue({ success: false });
  const reads = ENDPOINTS.filter(({ isRead }) => isRead);
  expect(reads.map(({ name }) => name)).toEqual(['POST /v1/links/{id}/resolve']);
  for (const { prepare, status } of reads) {
    const caller = await seedCaller();
    const { path, body = {} } = await prepare(caller);
    const asked = json(path, () => Object(body))(caller, { ...bearerOf(caller), 'X-API-Key': '' });
    expect((await asked).status).toBe(status);
  }
});

it('refuses a write beyond the limit of its address', async () => {
  const caller = await seedCaller();
  vi.spyOn(env.WRITE_ADDRESS_LIMIT, 'limit').mockResolvedValue({ success: false });
  const body = { name: 'one more', scopes: ['links:read'] };
  const make = () =>
    json('/v1/keys', () => body)(caller, { ...bearerOf(caller), ...fromHome(caller), 'X-API-Key': '' });
  expect((await make()).status).toBe(201);
  await expectTooMany(await make());
});

it('refuses sign-ins with a remembered password, and refreshes, beyond the limit', async () => {
  const tenant = await seedTenant();
  const { refresh_token } = await signIn(tenant, call);
  vi.spyOn(env.WRITE_LIMIT, 'limit').mockResolvedValue({ success: false });
  const before = await rowsOf('token_families');
  const headers = { Authorization: tenant.basic, 'CF-Connecting-IP': tenant.address };
  await expectTooMany(await call('/tokens/create_token', { headers }));
  expect(await rowsOf('token_families')).toEqual(before);
  vi.spyOn(env.WRITE_ADDRESS_LIMIT, 'limit').mockResolvedValue({ success: false });
  const refreshed = await call('/tokens/refresh_token', { headers, form: { refresh_token } });
  const next = (await refreshed.json<{ refresh_token: string }>()).refresh_token;
  const spent = await rowsOf('refresh_tokens');
  await expectTooMany(await call('/tokens/refresh_token', { headers, form: { refresh_token: next } }));
  expect(await rowsOf('refresh_tokens')).toEqual(spent);
});

it('counts revocations for the address, and refuses them beyond its limit', async () => {
  const { address } = await seedTenant();
  vi.spyOn(env.WRITE_ADDRESS_LIMIT, 'limit').mockResolvedValue({ success: false });
  const revoke = () =>
    call('/tokens/revoke_token', { headers: { 'CF-Connecting-IP': address }, form: { token: 'unknown' } });
  expect((await revoke()).status).toBe(200);
  await expectTooMany(await revoke());
});

it('refuses forms of the pages beyond the limit of the session', async () => {
  const caller = await seedCaller();
  const { cookie } = await openBrowser(caller);
  vi.spyOn(env.WRITE_LIMIT, 'limit').mockResolvedValue({ success: false });
  await expectTooMany(await browse(cookie, call)('/platform/account/time-zone', form({ tz: 'Europe/Berlin' })));
  expect((await browse(cookie, call)('/platform/account')).status).toBe(200);
});
