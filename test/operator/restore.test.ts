import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { DatabaseWatch } from '../../src/database/database-watch.ts';
import { openDatabase, serveDatabase } from '../../src/database/service-database.ts';
import { openOperator, type Operator } from '../support/operator.ts';
import { bearerOf, seedCaller } from '../support/forms.ts';
import { seedLink, seedTenant, signIn } from '../support/seed.ts';
import { signOperatorToken } from '../../src/tokens/operator.ts';
import { HOST } from '../support/operator.ts';
import { openIsolate } from '../support/service.ts';

const SHA = 'a'.repeat(64);

const count = async (table: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n;
const endRestore = () => env.DB.prepare('DELETE FROM restores').run();

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await endRestore();
});

/** Sends rows of a table like the tool. */
async function send({ key, show }: Operator, head: object, rows: readonly (readonly (string | null)[])[]) {
  const body = [JSON.stringify({ sha256: SHA, ...head }), ...rows.map((row) => JSON.stringify(row)), ''].join('\n');
  return show(await signOperatorToken(key, HOST), { command: 'restore-rows', body });
}

describe('the service during a restore', () => {
  it('the service gives 503 with a sentence and writes nothing while a restore is not over, except for links in its memory', async () => {
    const operator = await openOperator();
    const caller = await seedCaller();
    const [hot, cold] = [await seedLink(caller, { url: 'https://example.com/hot' }), await seedLink(caller)];
    const other = openIsolate();
    expect((await other(`/${hot.id}`)).status).toBe(302);
    expect(await (await operator.ask('begin-restore', { sha256: SHA, force: true })).json()).toEqual({
      state: 'begun',
      is_emptied: false,
      next_row: 0,
      wait_ms: 0,
    });
    const before = await count('links');

    expect((await other(`/${hot.id}`)).headers.get('Location')).toBe('https://example.com/hot');
    const form = { url: 'https://example.com/', client_id: caller.clientId };
    for (const response of [
      await other(`/${cold.id}`),
      await other('/unheard-of'),
      await other('/v1/links', { headers: { 'X-API-Key': caller.apiKey }, form }),
      await other('/v1/links', { headers: bearerOf(caller) }),
      await other(`/v1/links/${cold.id}`, { method: 'DELETE', headers: bearerOf(caller) }),
      await other('/tokens/create_token', { headers: { Authorization: 'Basic eDp5' } }),
      await operator.ask('list-users'),
    ]) {
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '60']);
      expect(await response.text()).toContain('store_unavailable: The database is being restored from a backup.');
    }
    expect(await count('links')).toBe(before);

    await endRestore();
    expect((await other(`/${cold.id}`)).status).toBe(302);
    expect((await other('/unheard-of')).status).toBe(404);
  });
});

describe('an isolate that looks every 5 s whether a restore is under way', () => {
  const settings = { RESTORE_CHECK_SECONDS: '5' };
  const begin = async ({ ask }: Operator) => (await ask('begin-restore', { sha256: SHA, force: true })).json();

  it('an isolate that looks every 5 s whether a restore is under way adds no statement to its queries meanwhile', async () => {
    const caller = await seedCaller();
    const isolate = openIsolate(settings);
    const batch = vi.spyOn(env.DB, 'batch');
    const statements = async () => {
      batch.mockClear();
      expect((await isolate('/v1/links', { headers: bearerOf(caller) })).status).toBe(200);
      return batch.mock.calls.flat(2).length;
    };
    const first = await statements();
    expect(await statements()).toBe(first - 1);
    expect(await statements()).toBe(first - 1);
  });

  it('an isolate that looks every 5 s whether a restore is under way sees one that has begun elsewhere after those 5 s, and long before it may change anything', async () => {
    vi.setSystemTime('2026-05-20T04:17:00Z');
    const [operator, caller] = [await openOperator(settings), await seedCaller()];
    const isolate = openIsolate(settings);
    const list = async () => (await isolate('/v1/links', { headers: bearerOf(caller) })).status;
    expect(await list()).toBe(200);
    expect(await begin(operator)).toEqual({ state: 'begun', is_emptied: false, next_row: 0, wait_ms: 35_000 });
    vi.setSystemTime('2026-05-20T04:17:04.999Z');
    expect(await list()).toBe(200);
    vi.setSystemTime('2026-05-20T04:17:05Z');
    expect(await list()).toBe(503);
    expect(await begin(operator)).toMatchObject({ wait_ms: 30_000 });
    vi.setSystemTime('2026-05-20T04:18:00Z');
    expect(await begin(operator)).toMatchObject({ wait_ms: 0 });
  });

  it('an isolate that looks every 5 s whether a restore is under way does not rely on a look from before it has begun one itself, however late the response comes', async () => {
    const [watch, db] = [new DatabaseWatch(5000), openDatabase(env.DB)];
    const answers = Promise.withResolvers<void>();
    const late: Database = {
      ...db,
      batch: async (statements) => {
        const results = await db.batch<never>(statements);
        await answers.promise;
        return results;
      },
    };
    const question = { sql: 'SELECT 1 AS one', params: [] };
    // Both at the same instant.
    vi.setSystemTime('2026-05-20T04:17:05Z');
    const look = serveDatabase(late, { watch }).first(question);
    await env.DB.prepare('INSERT INTO restores VALUES (1, ?, 0, 0, 0)').bind(SHA).run();
    watch.lookAgain();
    answers.resolve();
    expect(await look).toEqual({ one: 1 });
    await expect(serveDatabase(db, { watch }).first(question)).rejects.toThrow('integer overflow');
  });

  it('an isolate that looks every 5 s whether a restore is under way sees at once the one that it has begun itself', async () => {
    const [operator, caller] = [await openOperator(settings), await seedCaller()];
    const list = async () => (await operator.call('/v1/links', { headers: bearerOf(caller) })).status;
    expect(await list()).toBe(200);
    await begin(operator);
    expect(await list()).toBe(503);
  });
});

describe('a restore', () => {
  it('a restore begins in a filled database only with force, and continues only with the same backup', async () => {
    const { ask } = await openOperator();
    await seedCaller();
    const begin = async (sha256: string, force: boolean) => (await ask('begin-restore', { sha256, force })).json();
    expect(await begin(SHA, false)).toEqual({ state: 'not_empty' });
    expect(await begin(SHA, true)).toMatchObject({ state: 'begun' });
    expect(await begin('b'.repeat(64), false)).toEqual({ state: 'of_another' });
    expect(await begin(SHA, false)).toMatchObject({ state: 'begun' });
    expect(await begin('b'.repeat(64), true)).toMatchObject({ state: 'begun', is_emptied: false, next_row: 0 });
  });

  it('a restore empties nothing for a restore that was replaced by another, and says so', async () => {
    const { ask } = await openOperator();
    await seedCaller();
    await ask('begin-restore', { sha256: SHA, force: true });
    await ask('begin-restore', { sha256: 'b'.repeat(64), force: true });
    const before = await count('users');
    const response = await ask('empty-database', { sha256: SHA });
    expect([response.status, await response.json()]).toEqual([
      409,
      { result: 'Failed', error: expect.stringMatching(/^edit_conflict: Another restore has started/) },
    ]);
    expect(await count('users')).toBe(before);
  });

  it('a restore says what is wrong with a slice whose head is not JSON', async () => {
    const { key, show } = await openOperator();
    const token = await signOperatorToken(key, HOST);
    const response = await show(token, { command: 'restore-rows', body: 'nonsense\n[]\n' });
    expect([response.status, await response.json()]).toEqual([
      400,
      { result: 'Failed', error: 'malformed_body: The first line is not JSON.' },
    ]);
  });

  it('a restore takes each slice once even if it is repeated, and none of another restore or out of order', async () => {
    const operator = await openOperator();
    await operator.ask('begin-restore', { sha256: SHA, force: true });
    const head = { table: 'clients', columns: ['id', 'created_at'], from: 0, to: 2 };
    const rows = [
      ['slice-1', '9007199254740993'],
      ['slice-\0-2', '-1'],
    ];
    const early = await send(operator, head, rows);
    expect(await early.json()).toEqual({ next_row: 0 });
    expect(await count(`clients WHERE id LIKE 'slice-%'`)).toBe(0);
    await env.DB.prepare('UPDATE restores SET is_emptied = 1').run();
    for (let times = 0; times < 3; times++)
      expect(await (await send(operator, head, rows)).json()).toEqual({ next_row: 2 });
    const { results } = await env.DB.prepare(
      `SELECT hex(id) AS id, CAST(created_at AS TEXT) AS at FROM clients WHERE id LIKE 'slice-%' ORDER BY created_at`,
    ).all();
    const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
    expect(results).toEqual([
      { id: hex('slice-\0-2'), at: '-1' },
      { id: hex('slice-1'), at: '9007199254740993' },
    ]);
    expect((await send(operator, { ...head, sha256: 'b'.repeat(64), from: 2, to: 4 }, rows)).status).toBe(409);
    const broken = await send(operator, { ...head, from: 2, to: 3 }, [['slice-1', '1']]);
    expect([broken.status, await broken.text()]).toEqual([
      400,
      expect.stringContaining('breaks a rule of the database'),
    ]);
    expect(await count('restores WHERE next_row = 2')).toBe(1);
    expect((await operator.ask('finish-restore', { sha256: SHA, rows: 3 })).status).toBe(409);
    expect((await operator.ask('finish-restore', { sha256: SHA, rows: 2 })).status).toBe(200);
    expect(await count('restores')).toBe(0);
  });

  it.each([
    ['a table of SQLite', { table: 'sqlite_schema', columns: ['name'] }],
    ['no table', { table: `links" SELECT 1 --`, columns: ['id'] }],
    ['no column', { table: 'clients', columns: [`id") SELECT 1 --`] }],
    ['the notes of restores', { table: 'restores', columns: ['id'] }],
  ])('a restore never writes into %s', async (_, head) => {
    const operator = await openOperator();
    const response = await send(operator, { ...head, from: 0, to: 1 }, [['x']]);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('malformed_body')]);
  });

  it('a restore empties the database in slices, children before their parents', async () => {
    const operator = await openOperator();
    const caller = await seedCaller();
    await seedLink(caller);
    await signIn(await seedTenant());
    await operator.ask('begin-restore', { sha256: SHA, force: true });
    let slices = 0;
    for (let isEmpty = false; !isEmpty; slices++) {
      const response = await operator.ask('empty-database', { sha256: SHA });
      expect(response.status).toBe(200);
      ({ isEmpty } = await response.json<{ isEmpty: boolean }>());
    }
    expect(slices).toBeGreaterThan(3);
    for (const table of ['users', 'clients', 'links', 'addresses', 'token_families'])
      expect(await count(table)).toBe(0);
  });

  it('a restore empties the cache at most 500 entries a request', async () => {
    const operator = await openOperator();
    await Promise.all(Array.from({ length: 1100 }, (_, index) => env.LINKS.put(`/${index}`, 'x')));
    const removed: number[] = [];
    for (let cursor: string | null = null; ;) {
      const response = await operator.ask('empty-cache', { cursor });
      const page: { removed: number; cursor: string | null } = await response.json();
      removed.push(page.removed);
      cursor = page.cursor;
      if (cursor === null) break;
    }
    expect(Math.max(...removed)).toBeLessThanOrEqual(500);
    expect((await env.LINKS.list()).keys).toEqual([]);
  });
});
