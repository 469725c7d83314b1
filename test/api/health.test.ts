import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SCHEMA_VERSION } from '../../src/database/schema-version.ts';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { signOperatorToken } from '../../src/tokens/operator.ts';
import { logged } from '../support/clicks.ts';
import { D1_SESSION } from '../support/d1.ts';
import { D1_REFUSALS, HANG_MS, endFaults, refuseD1Writes, stopTimers } from '../support/faults.ts';
import { bearerOf, expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { HOST, openOperator } from '../support/operator.ts';
import { rowsOf, seedDomain } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(endFaults);

const INVALID = 'The credential is revoked, expired or unknown. Use another one.';
const MISSING =
  'Send an API key in the header X-API-Key, or an access token as "Authorization: Bearer <ACCESS_TOKEN>".';
const silent = () => new Promise<never>(() => undefined);
const down = async () => {
  throw new Error('out of order');
};

describe('GET /health', () => {
  it('GET /health responds without asking any store, and is not kept', async () => {
    const trips = await countTrips();
    const response = await call('/health');
    expect(await response.json()).toEqual({ status: 'ok', checked: [] });
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it.each(['?deep=', '?deep=0'])('GET /health asks no store for %s either', async (query) => {
    const trips = await countTrips();
    expect(await (await call(`/health${query}`)).json()).toEqual({ status: 'ok', checked: [] });
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('GET /health takes HEAD too, and no method that changes anything', async () => {
    const response = await call('/health', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect((await call('/health', { method: 'POST' })).headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('GET /health is on the service’s host only', async () => {
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
  ])('GET /health refuses %s', async (query, error) => {
    await expectFailure(await call(`/health${query}`), 400, error);
  });
});

describe('GET /health?deep=1', () => {
  it('GET /health?deep=1 asks each store once, and writes nothing', async () => {
    const caller = await seedCaller();
    const trips = await countTrips();
    const response = await call('/health?deep=1', { headers: bearerOf(caller) });
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', checked: ['d1', 'kv'] }]);
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
  });

  it('GET /health?deep=1 is for callers with a credential, and asks no store for others', async () => {
    const trips = await countTrips();
    await expectFailure(await call('/health?deep=1'), 401, `missing_credential: ${MISSING}`);
    expect((await call('/health?deep=1', { headers: { Authorization: 'Bearer x.y.z' } })).status).toBe(401);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('GET /health?deep=1 checks for HEAD what it checks for GET', async () => {
    const caller = await seedCaller();
    const head = () => call('/health?deep=1', { method: 'HEAD', headers: bearerOf(caller) });
    expect((await head()).status).toBe(200);
    expect((await call('/health?deep=1', { method: 'HEAD' })).status).toBe(401);
    breakDatabase(down);
    const response = await head();
    expect([response.status, response.headers.get('Retry-After'), await response.text()]).toEqual([503, '5', '']);
  });

  it('GET /health?deep=1 refuses the token of a family that has ended', async () => {
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
  ])(
    'GET /health?deep=1 says which store it is where %s, to the caller and in the log',
    async (_what, stores, breakStores) => {
      const caller = await seedCaller();
      breakStores();
      const problems = logged();
      const response = await call('/health?deep=1', { headers: bearerOf(caller) });
      expect(response.headers.get('Retry-After')).toBe('5');
      await expectFailure(response, 503, `store_unavailable: These stores do not respond: ${stores}.`);
      const failed = problems().filter(({ event }) => event === 'health_failed');
      expect(new Set(failed.map(({ store }) => store))).toEqual(new Set(stores.split(', ')));
      expect(new Set(failed.map((line) => line['request_id']))).toEqual(
        new Set([response.headers.get('X-Request-Id')]),
      );
    },
  );
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

describe('GET /health?deep=1 with other credentials', () => {
  it.each([
    ['an API key', ({ apiKey }: Caller) => ({ 'X-API-Key': apiKey })],
    ['an API key as a bearer token', ({ apiKey }: Caller) => ({ Authorization: `Bearer ${apiKey}` })],
    ['an api_token', ({ apiToken }: Caller) => ({ 'X-API-Key': apiToken })],
  ])('GET /health?deep=1 takes %s, and refuses it after its end', async (_what, headersOf) => {
    const caller = await seedCaller();
    const headers = headersOf(caller);
    expect((await call('/health?deep=1', { headers })).status).toBe(200);
    await env.DB.batch([
      env.DB.prepare('UPDATE token_families SET ended_at = 1 WHERE user_id = ?1').bind(caller.userId),
      env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE user_id = ?1').bind(caller.userId),
    ]);
    await expectFailure(await call('/health?deep=1', { headers }), 401, `invalid_credential: ${INVALID}`);
  });

  it('GET /health?deep=1 takes a token of an operator’s tool, once, also if it is for a command, and none of another service', async () => {
    const operator = await openOperator();
    const show = (token: string) => operator.call('/health?deep=1', { headers: { Authorization: `Bearer ${token}` } });
    const [token, another] = [await signOperatorToken(operator.key, HOST), await signOperatorToken(operator.key, HOST)];
    expect((await show(token)).status).toBe(200);
    expect((await operator.show(another)).status).toBe(200);
    const used = 'invalid_credential: The token has already been used: sign a new one for each request.';
    await expectFailure(await show(token), 401, used);
    await expectFailure(await show(another), 401, used);
    expect((await operator.show(token)).status).toBe(401);
    const sentence =
      "The token is not valid here. Send requests with the operator's tools, which sign a new one for each.";
    const strangers = [
      await signOperatorToken(operator.key, 'other.example'),
      await signOperatorToken(await generateTokenKey(), HOST),
    ];
    for (const stranger of strangers) {
      const refused = await show(stranger);
      expect(refused.headers.get('WWW-Authenticate')).toBe(
        `Bearer realm="terse", error="invalid_token", error_description="${sentence}", ApiKey realm="terse"`,
      );
      await expectFailure(refused, 401, `invalid_credential: ${sentence}`);
    }
  });
});

describe('the words of GET /health?deep=1', () => {
  const restoring = () =>
    env.DB.prepare(`INSERT INTO restores (id, sha256, is_emptied, next_row, begun_at) VALUES (1, 'x', 1, 0, 1)`).run();
  afterEach(async () => {
    endFaults();
    await env.DB.batch([
      env.DB.prepare('DELETE FROM restores'),
      env.DB.prepare('UPDATE schema_support SET oldest_migration = 1'),
    ]);
  });
  const refusing = (name: string) => async () => {
    const refusal = D1_REFUSALS.find((each) => each.name === name)!;
    refuseD1Writes(refusal);
  };
  const newer = () =>
    env.DB.prepare('UPDATE schema_support SET oldest_migration = ?')
      .bind(SCHEMA_VERSION + 1)
      .run();

  it.each([
    ['restoring', 'The database is being restored from a backup', restoring],
    ['full', 'The database is full: nothing can be saved.', refusing('is full')],
    ['full', 'The database is full: nothing can be saved.', refusing('is on a full disk')],
    ['read_only', 'The database takes no writes: nothing can be saved.', refusing('has taken all writes of the day')],
    ['read_only', 'The database takes no writes: nothing can be saved.', refusing('is read-only')],
    ['read_only', 'The database takes no writes: nothing can be saved.', refusing('fails on writes')],
    ['read_only', 'The service runs a version that is older than its database', newer],
  ])('GET /health?deep=1 says of the database that %s: %s', async (code, sentence, begin) => {
    const [caller, operator] = [await seedCaller(), await openOperator()];
    await begin();
    for (const headers of [
      bearerOf(caller),
      { 'X-API-Key': caller.apiKey },
      { Authorization: `Bearer ${await signOperatorToken(operator.key, HOST)}` },
    ]) {
      const response = await operator.call('/health?deep=1', { headers });
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '60']);
      expect((await response.json<{ error: string }>()).error).toContain(`${code}: ${sentence}`);
      expect((await operator.call('/health?deep=1', { method: 'HEAD', headers: bearerOf(caller) })).status).toBe(503);
      expect((await operator.call('/health')).status).toBe(200);
    }
  });

  it('GET /health?deep=1 says what the database does not do, and names the stores that do not respond besides', async () => {
    const caller = await seedCaller();
    refuseD1Writes(D1_REFUSALS[0]!);
    vi.spyOn(env.LINKS, 'get').mockImplementation(down);
    const { error } = await (
      await openIsolate()('/health?deep=1', { headers: bearerOf(caller) })
    ).json<{ error: string }>();
    expect(error).toMatch(/^full: .* These stores do not respond: kv\.$/);
  });

  it('GET /health?deep=1 checks the database by a write that leaves nothing, at most every ten seconds in an isolate, and for valid credentials only', async () => {
    const caller = await seedCaller();
    const isolate = openIsolate();
    stopTimers();
    const show = (headers: Readonly<Record<string, string>>) => isolate('/health?deep=1', { headers });
    const writes = vi.spyOn(D1_SESSION, 'batch');
    const written = () => writes.mock.calls.filter(([statements]) => statements.length > 1).length;
    const unknown = { 'X-API-Key': `${caller.apiKey.slice(0, -1)}${caller.apiKey.endsWith('A') ? 'B' : 'A'}` };
    expect((await show(unknown)).status).toBe(401);
    expect(await rowsOf('write_checks')).toEqual([]);
    for (let i = 0; i < 3; i++) expect((await show(bearerOf(caller))).status).toBe(200);
    expect(written()).toBe(2);
    expect(await rowsOf('write_checks')).toEqual([]);
    vi.advanceTimersByTime(10_000);
    refuseD1Writes(D1_REFUSALS[0]!);
    expect((await show(bearerOf(caller))).status).toBe(503);
    vi.restoreAllMocks();
    // What it knows holds for ten seconds.
    expect((await show(bearerOf(caller))).status).toBe(503);
    vi.advanceTimersByTime(10_000);
    expect((await show(bearerOf(caller))).status).toBe(200);
  });
});

/** A database whose queries do this. */
function breakDatabase(answer: () => Promise<never>): void {
  vi.spyOn(env.DB, 'batch').mockImplementation(answer);
}
