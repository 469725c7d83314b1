import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { logged } from '../support/clicks.ts';
import { HANG_MS, endFaults, stopTimers } from '../support/faults.ts';
import { bearerOf, expectFailure, seedCaller } from '../support/forms.ts';
import { seedDomain } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(endFaults);

const INVALID = 'The credential is revoked, expired or unknown. Use another one.';
const MISSING = 'Send an access token as "Authorization: Bearer <ACCESS_TOKEN>".';
const silent = () => new Promise<never>(() => undefined);
const down = async () => {
  throw new Error('out of order');
};

describe('GET /health', () => {
  it('answers without asking any store, and is not kept', async () => {
    const trips = await countTrips();
    const response = await call('/health');
    expect(await response.json()).toEqual({ status: 'ok', checked: [] });
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it.each(['?deep=', '?deep=0'])('asks none for %s either', async (query) => {
    const trips = await countTrips();
    expect(await (await call(`/health${query}`)).json()).toEqual({ status: 'ok', checked: [] });
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('answers HEAD, and no method that changes anything', async () => {
    const response = await call('/health', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect((await call('/health', { method: 'POST' })).headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('is on the service’s host only', async () => {
    const host = await seedDomain(await seedCaller());
    for (const each of [host, 'unknown.example']) {
      expect((await call(`https://${each}/health`)).status).toBe(404);
      expect((await call(`https://${each}/health?deep=1`)).status).toBe(404);
    }
  });

  it.each([
    ['?deep=yes', 'invalid_deep: deep must be 0 or 1.'],
    ['?deep=0&deep=1', 'repeated_field: The parameter "deep" is given more than once.'],
    ['?deep=1&deep=1', 'repeated_field: The parameter "deep" is given more than once.'],
    ['?deeply=1', 'unknown_field: There is no field "deeply" here. Leave it out.'],
  ])('refuses %s', async (query, error) => {
    await expectFailure(await call(`/health${query}`), 400, error);
  });
});

describe('GET /health?deep=1', () => {
  it('asks each store once, and writes nothing', async () => {
    const caller = await seedCaller();
    const trips = await countTrips();
    const response = await call('/health?deep=1', { headers: bearerOf(caller) });
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', checked: ['d1', 'kv'] }]);
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
  });

  it('is for signed-in users, and asks no store for others', async () => {
    const trips = await countTrips();
    await expectFailure(await call('/health?deep=1'), 401, `missing_credential: ${MISSING}`);
    expect((await call('/health?deep=1', { headers: { Authorization: 'Bearer x.y.z' } })).status).toBe(401);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('answers HEAD, for which it asks as for GET', async () => {
    const caller = await seedCaller();
    const head = () => call('/health?deep=1', { method: 'HEAD', headers: bearerOf(caller) });
    expect((await head()).status).toBe(200);
    expect((await call('/health?deep=1', { method: 'HEAD' })).status).toBe(401);
    breakDatabase(down);
    const response = await head();
    expect([response.status, response.headers.get('Retry-After'), await response.text()]).toEqual([503, '5', '']);
  });

  it('refuses the token of a family that has ended', async () => {
    const caller = await seedCaller();
    await env.DB.prepare('UPDATE token_families SET ended_at = 1 WHERE user_id = ?1').bind(caller.userId).run();
    const response = await call('/health?deep=1', { headers: bearerOf(caller) });
    expect(response.headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
    await expectFailure(response, 401, `invalid_credential: ${INVALID}`);
  });

  it.each([
    ['KV fails', 'kv', () => vi.spyOn(env.LINKS, 'get').mockImplementation(down)],
    ['KV hangs', 'kv', hangKv],
    ['KV answers garbage', 'kv', () => vi.spyOn(env.LINKS, 'get').mockResolvedValue('{}' as never)],
    ['D1 fails', 'd1', () => breakDatabase(down)],
    ['D1 hangs', 'd1', hangD1],
    ['both fail', 'd1, kv', () => [breakDatabase(down), vi.spyOn(env.LINKS, 'get').mockImplementation(down)]],
  ])('says which store it is where %s, to the caller and in the log', async (_what, stores, breakStores) => {
    const caller = await seedCaller();
    breakStores();
    const problems = logged();
    const response = await call('/health?deep=1', { headers: bearerOf(caller) });
    expect(response.headers.get('Retry-After')).toBe('5');
    await expectFailure(response, 503, `store_unavailable: These stores do not respond: ${stores}.`);
    const failed = problems().filter(({ event }) => event === 'health_failed');
    expect(new Set(failed.map(({ store }) => store))).toEqual(new Set(stores.split(', ')));
    expect(new Set(failed.map((line) => line['request_id']))).toEqual(new Set([response.headers.get('X-Request-Id')]));
  });
});

// Taken before a test replaces it.
const { setTimeout } = globalThis;

/** Ten seconds pass at once, after all that waits for an answer has got it. */
function passSeconds(): void {
  setTimeout(() => vi.advanceTimersByTime(HANG_MS), 0);
}

/** KV hangs. The seconds pass once D1 has answered. */
function hangKv(): void {
  stopTimers();
  vi.spyOn(env.LINKS, 'get').mockImplementation(silent);
  const batch = env.DB.batch.bind(env.DB);
  vi.spyOn(env.DB, 'batch').mockImplementation((statements) => batch<never>(statements).finally(passSeconds));
}

/** D1 hangs. The seconds pass once KV has answered. */
function hangD1(): void {
  stopTimers();
  breakDatabase(silent);
  const get = env.LINKS.get.bind(env.LINKS) as (key: string) => Promise<string | null>;
  vi.spyOn(env.LINKS, 'get').mockImplementation(((key: string) => get(key).finally(passSeconds)) as never);
}

/** A database whose queries do this. */
function breakDatabase(answer: () => Promise<never>): void {
  vi.spyOn(env.DB, 'batch').mockImplementation(answer);
}
