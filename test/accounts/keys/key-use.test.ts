import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { carryUse } from '../../../src/accounts/keys/key-use.ts';
import { KEY_SCOPES } from '../../../src/accounts/scopes.ts';
import { RecentlySeen } from '../../../src/isolate/recently-seen.ts';
import { ENDPOINTS, methodOf } from '../../support/endpoints.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { ask, seedKey, send } from '../../support/management.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { call, openIsolate } from '../../support/service.ts';
import { countTrips } from '../../support/trips.ts';

const HOUR_MS = 3600 * 1000;
const FOR_KEYS = ENDPOINTS.filter(({ needs }) => (KEY_SCOPES as readonly string[]).includes(needs));

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const keyHeader = (key: string) => ({ 'X-API-Key': key });
const lastUseOf = async (id: string) => (await rowsOf('api_keys')).find((row) => row['id'] === id)?.['last_used_at'];
const setLastUse = (id: string, at: number) =>
  env.DB.prepare('UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1').bind(id, at).run();
const create = (caller: Caller, key: string, through = call) =>
  through('/v1/links', {
    headers: keyHeader(key),
    form: { url: 'https://example.com/', client_id: caller.clientId },
  });

describe('the last use of a key', () => {
  it('the last use of a key is recorded once a minute by an isolate, and again after a batch that failed', () => {
    const recent = new RecentlySeen();
    const record = () => ({ sql: 'SELECT 1', params: [] });
    const carry = carryUse('name', recent, record);
    const carried = carry();
    expect(carried?.statement).toEqual(record());
    expect([carry(), carryUse('name', recent, record)()]).toEqual([null, null]);
    carried?.onFailure();
    expect(carry()?.statement).toEqual(record());
    expect([carry(), carryUse('name', recent, record)()]).toEqual([null, null]);
  });

  it.each(FOR_KEYS)(
    'the last use of a key moves with $name, which asks the database no more often for that',
    async (endpoint) => {
      const caller = await seedCaller();
      const { id, key } = await seedKey(caller);
      const tripsOf = async (headers: Record<string, string>) => {
        const { path, body } = await endpoint.prepare(caller);
        const trips = await countTrips();
        expect((await send(headers, methodOf(endpoint), path, body)).status).toBe(endpoint.status);
        const { d1 } = trips();
        vi.restoreAllMocks();
        return d1;
      };
      const usual = await tripsOf(keyHeader(caller.apiToken));
      expect(await lastUseOf(id)).toBeNull();
      // What an import finds the second time it need not write.
      expect(await tripsOf(keyHeader(key))).toBeLessThanOrEqual(usual);
      expect(await lastUseOf(id)).toBeGreaterThan(Date.now() - HOUR_MS);
    },
  );

  it('the last use of a key moves with a create, in its one trip, and the next create is spared the question', async () => {
    const caller = await seedCaller();
    const { id, key } = await seedKey(caller);
    const batch = vi.spyOn(env.DB, 'batch');
    expect([(await create(caller, key)).status, (await create(caller, key)).status]).toEqual([200, 200]);
    expect(batch.mock.calls.map(([statements]) => statements.length)).toEqual([6, 5]);
    expect(await lastUseOf(id)).toBeGreaterThan(Date.now() - HOUR_MS);
  });

  it('the last use of a key is updated also if a good key was refused', async () => {
    const caller = await seedCaller();
    const { id, key } = await seedKey(caller, ['stats:read']);
    expect((await create(caller, key)).status).toBe(403);
    expect(await lastUseOf(id)).toBeGreaterThan(Date.now() - HOUR_MS);
  });

  it('the last use of a key is written at most hourly, by however many isolates', async () => {
    const caller = await seedCaller();
    const { id, key } = await seedKey(caller);
    const now = Date.now();
    vi.setSystemTime(now);
    await setLastUse(id, now - HOUR_MS + 1);
    expect((await create(caller, key, openIsolate())).status).toBe(200);
    expect(await lastUseOf(id)).toBe(now - HOUR_MS + 1);
    await setLastUse(id, now - HOUR_MS);
    expect((await create(caller, key, openIsolate())).status).toBe(200);
    expect(await lastUseOf(id)).toBe(now);
  });

  it('the last use of a key is asked for again by the same isolate after ten minutes', async () => {
    const caller = await seedCaller();
    const { id, key } = await seedKey(caller);
    const isolate = openIsolate();
    const now = Date.now();
    vi.setSystemTime(now);
    await create(caller, key, isolate);
    await setLastUse(id, now - HOUR_MS);
    vi.setSystemTime(now + 10 * 60_000 - 1);
    await create(caller, key, isolate);
    expect(await lastUseOf(id)).toBe(now - HOUR_MS);
    vi.setSystemTime(now + 10 * 60_000);
    await create(caller, key, isolate);
    expect(await lastUseOf(id)).toBe(now + 10 * 60_000);
  });

  it('the last use of a key moves with the next use where the batch that was to note it has failed', async () => {
    const caller = await seedCaller();
    const { id, key } = await seedKey(caller);
    const isolate = openIsolate();
    vi.spyOn(env.DB, 'batch').mockRejectedValueOnce(new Error('out of order'));
    expect([(await create(caller, key, isolate)).status, await lastUseOf(id)]).toEqual([503, null]);
    expect((await create(caller, key, isolate)).status).toBe(200);
    expect(await lastUseOf(id)).toBeGreaterThan(Date.now() - HOUR_MS);
  });

  it('the last use of a key is not changed by a key that is not valid, and a caller who knows the id cannot prevent a change', async () => {
    const caller = await seedCaller();
    const [{ id, key }, revoked] = [await seedKey(caller), await seedKey(caller)];
    await ask(caller, 'DELETE', `/v1/keys/${revoked.id}`);
    const wrong = `tk_${id}_${'x'.repeat(43)}`;
    for (const text of [wrong, revoked.key]) expect((await create(caller, text)).status).toBe(401);
    expect([await lastUseOf(id), await lastUseOf(revoked.id)]).toEqual([null, null]);
    expect((await create(caller, key)).status).toBe(200);
    expect(await lastUseOf(id)).not.toBeNull();
  });

  it('the last use of a key does not move with an access token', async () => {
    const caller = await seedCaller();
    const keys = async () => (await rowsOf('api_keys')).filter((row) => row['client_id'] === caller.clientId);
    await seedLink(caller);
    await env.DB.prepare('UPDATE api_keys SET last_used_at = NULL WHERE client_id = ?').bind(caller.clientId).run();
    const before = await keys();
    expect((await ask(caller, 'GET', '/v1/links')).status).toBe(200);
    expect(await keys()).toEqual(before);
  });
});
