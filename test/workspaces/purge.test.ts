import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { DAY_MS } from '../../src/time/day.ts';
import { readOwnedTables } from '../../src/workspaces/owned-tables.ts';
import { purgeClient } from '../../src/workspaces/purge.ts';
import { entriesWith, readAllTables, type Row, rowsWith, rowsWithout, readObject } from '../support/all-rows.ts';
import { form, openBrowser, placeOf } from '../support/platform.ts';
import { db } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { seedFullClient, type FullClient } from '../support/full-client.ts';
import { PURGE_STORES } from '../support/purge-stores.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function deleteByForm({ caller: { clientId, userId } }: FullClient) {
  const { browse } = await openBrowser({ userId });
  const sent = await browse(`/platform/c/${clientId}/settings/delete`, form({ name: clientId }));
  expect(placeOf(sent)).toEqual([303, `/platform/c/${clientId}`]);
  return browse;
}

/** The daily work at an instant. */
async function runAt(at: number): Promise<void> {
  vi.setSystemTime(at);
  await worker.scheduled(createScheduledController(), env);
  vi.useRealTimers();
}

const objectsOf = async (clientId: string, linkId: string) => ({
  statistics: await readObject('STATISTICS', clientId),
  limit: await readObject('LIMITS', linkId),
});

const objectsWith = ({ caller, links }: FullClient) => objectsOf(caller.clientId, links[1]!.id);

it('every table that has rows of clients is tested here', async () => {
  const { words } = await seedFullClient();
  const names = (await readOwnedTables(db)).map(({ name }) => name);
  const filled = Object.keys(rowsWith(await readAllTables(), words));
  // Tables that have rows only after a deletion.
  expect(names.filter((name) => !filled.includes(name)).toSorted()).toEqual(['deletions', 'suspended_members']);
  // The client comes last, since all others refer to it.
  expect(names.at(-1)).toBe('clients');
});

it('a deleted workspace leaves nothing after 7 days, and the one beside it has everything', async () => {
  const [gone, kept] = [await seedFullClient(), await seedFullClient()];
  // A visit that fills KV.
  for (let visits = 0; visits < 3; visits++) await call(`/${gone.links[0]!.id}`);
  const before = await readAllTables();
  const [ours, beside] = [await objectsWith(gone), await objectsWith(kept)];
  for (const { statistics, limit } of [ours, beside]) {
    expect(statistics['deliveries'] ?? statistics).not.toEqual([]);
    expect(limit['period']).toHaveLength(1);
  }
  await deleteByForm(gone);
  expect(await entriesWith(gone.words)).not.toEqual([]);

  // A day before its end all rows are there, besides those of the daily work.
  await runAt(Date.now() + 6 * DAY_MS);
  expect(Object.keys(rowsWith(await readAllTables(), [gone.caller.clientId]))).toContain('suspended_members');
  const rowsBeside = rowsWith(await readAllTables(), kept.words);

  await runAt(Date.now() + 7 * DAY_MS + 1);
  const after = await readAllTables();
  expect(rowsWith(after, gone.words)).toEqual({});
  // As those of a client that never had a link, which knows nothing of webhooks either.
  const empty = await objectsOf('a new client', 'a new link');
  const { statistics, limit } = await objectsWith(gone);
  const state = statistics['state']?.filter(({ name }) => name !== 'click_webhooks_at');
  expect({ statistics: { ...statistics, state }, limit }).toEqual(empty);
  // What voids older entries of its host expires two days after the deletion, by a clock that the test does not move.
  const entries = await entriesWith(gone.words);
  expect(entries.filter((entry) => !entry.startsWith(`forgotten:${gone.host} `))).toEqual([]);
  // Row by row, except what the daily work removes of every client: rows that are too old.
  expect(rowsWith(after, kept.words)).toEqual(rowsBeside);
  for (const table of [
    'links',
    'link_history',
    'addresses',
    'link_tags',
    'tags',
    'domains',
    'api_keys',
    'members',
    'clients',
  ])
    expect([table, rowsWith(after, kept.words)[table]]).toEqual([table, rowsWith(before, kept.words)[table]]);
  expect((await objectsWith(kept)).limit).toEqual(beside.limit);
  const namesOf = (rows: readonly Row[] = []) => rows.map(({ name }) => name);
  expect(namesOf((await objectsWith(kept)).statistics['subjects'])).toEqual(namesOf(beside.statistics['subjects']));
  // The user is left, and can join another workspace.
  expect(rowsWithout(after, kept.words)['users']).toContainEqual(expect.objectContaining({ id: gone.caller.userId }));
  expect((await call(`/${kept.links[0]!.id}`)).status).toBe(302);
});

it('what one run cannot remove, the next ones do', async () => {
  const gone = await seedFullClient();
  await deleteByForm(gone);
  const failing = vi.spyOn(env.STATISTICS, 'getByName').mockImplementation(() => {
    throw new Error('Network connection lost.');
  });
  vi.spyOn(console, 'error').mockReturnValue();
  vi.setSystemTime(Date.now() + 8 * DAY_MS);
  await expect(worker.scheduled(createScheduledController(), env)).rejects.toThrow('Network connection lost.');
  vi.useRealTimers();
  expect(Object.keys(rowsWith(await readAllTables(), gone.words))).toContain('deletions');
  failing.mockRestore();
  await runAt(Date.now() + 9 * DAY_MS);
  expect(rowsWith(await readAllTables(), gone.words)).toEqual({});
});

it('the daily work stops and restores the links that a request has left', async () => {
  const scene = await seedFullClient();
  const browse = await deleteByForm(scene);
  const { clientId } = scene.caller;
  const stateOf = async () => {
    const rows = env.DB.prepare('SELECT deleted_at IS NULL AS works FROM links WHERE client_id = ? ORDER BY id');
    return (await rows.bind(clientId).all<{ works: number }>()).results.map(({ works }) => works);
  };
  const stopped = await stateOf();
  expect(stopped).toEqual([0, 0, 0, 0, 0]);
  // As if its time had run out after the first of them.
  const left = `UPDATE links SET deleted_at = NULL WHERE id = ?`;
  await env.DB.prepare(left).bind(scene.links[0]!.id).run();
  await runAt(Date.now() + DAY_MS);
  expect(await stateOf()).toEqual(stopped);

  expect((await browse(`/platform/c/${clientId}/restore`, form({}))).status).toBe(303);
  const restored = await stateOf();
  expect(restored.filter((works) => works === 1)).toHaveLength(3);
  const requested = Date.now();
  await env.DB.batch([
    env.DB.prepare('UPDATE links SET deleted_at = ?2 WHERE id = ?1').bind(scene.links[0]!.id, requested),
    env.DB.prepare('INSERT INTO deletions VALUES (?1, ?2, ?3, ?3, ?3)').bind(clientId, scene.caller.userId, requested),
  ]);
  // Meanwhile it cannot be deleted again.
  expect((await browse(`/platform/c/${clientId}/settings/delete`, form({ name: clientId }))).status).toBe(409);
  await runAt(Date.now() + DAY_MS);
  expect(await stateOf()).toEqual(restored);
  expect(rowsWith(await readAllTables(), [clientId])['deletions']).toBeUndefined();
});

it('events and deliveries are removed along indexes, however many the others have', async () => {
  const { caller, words } = await seedFullClient();
  const tables = Object.keys(rowsWith(await readAllTables(), words));
  const batches = vi.spyOn(db, 'batch');
  await purgeClient(PURGE_STORES, caller.clientId, { until: Date.now() + 60_000, limits: 100, entries: 100 });
  const deletes = batches.mock.calls.flat(2).filter(({ sql }) => sql.startsWith('DELETE'));
  expect(deletes.length).toBeGreaterThanOrEqual(tables.length);
  const plans = await Promise.all(
    deletes.map(({ sql, params }) =>
      env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...params)
        .all<{ readonly detail: string }>(),
    ),
  );
  const scanned = plans.flatMap(({ results }) =>
    results.flatMap(({ detail }) => /^SCAN (\w+)(?! VIRTUAL)\b/.exec(detail)?.[1] ?? []),
  );
  expect(scanned.filter((table) => ['events', 'deliveries', 'delivery_tries'].includes(table))).toEqual([]);
});
