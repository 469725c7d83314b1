import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../src/time/day.ts';
import { continueDeletions } from '../../src/workspaces/daily.ts';
import { purgeClient } from '../../src/workspaces/purge.ts';
import { readAllTables, readObject, rowsWith } from '../support/all-rows.ts';
import { CHROME } from '../support/clicks.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { form, openBrowser } from '../support/platform.ts';
import { rowsOf, seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { PURGE_STORES } from '../support/purge-stores.ts';

/** The part of deleted workspaces that one run of the daily work removes. */

async function remove(caller: Caller): Promise<void> {
  const { browse } = await openBrowser(caller);
  const sent = await browse(`/platform/c/${caller.clientId}/settings/delete`, form({ name: caller.clientId }));
  expect(sent.status).toBe(303);
}

const linksOf = async ({ clientId }: Caller) =>
  (await rowsOf('links')).filter((row) => row['client_id'] === clientId).length;

it('more limited links than one run has calls for are removed by several runs', async () => {
  const caller = await seedCaller();
  const limited = [];
  for (let count = 0; count < 3; count++) limited.push(await seedLink(caller, { max_clicks: '5' }));
  for (const { id } of limited) await call(`/${id}`, { headers: { 'User-Agent': CHROME } });
  await remove(caller);
  const run = () => purgeClient(PURGE_STORES, caller.clientId, { until: Date.now() + 60_000, limits: 2, entries: 10 });
  expect([await run(), await linksOf(caller)]).toEqual([false, 1]);
  expect([await run(), await linksOf(caller)]).toEqual([true, 0]);
  for (const { id } of limited)
    expect(await readObject('LIMITS', id)).toEqual(await readObject('LIMITS', 'a new link'));
  expect(rowsWith(await readAllTables(), [caller.clientId])).toEqual({});
});

it('more rows of a table than one run has time for are removed by several runs, and the workspace with the last ones', async () => {
  const caller = await seedCaller();
  await remove(caller);
  // A slice has 2,000 rows.
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2001)
     INSERT INTO tags (id, client_id, name, folded, colour, created_at)
     SELECT 'tag-' || i, ?1, 'tag ' || i, 'tag ' || i, 'red', 1 FROM n`,
  )
    .bind(caller.clientId)
    .run();
  const run = (until: number) => purgeClient(PURGE_STORES, caller.clientId, { until, limits: 1, entries: 1 });
  const tagsOf = async () => (await rowsOf('tags')).filter((row) => row['client_id'] === caller.clientId).length;
  expect([await run(Date.now()), await tagsOf()]).toEqual([false, 1]);
  expect((await rowsOf('clients')).some(({ id }) => id === caller.clientId)).toBe(true);
  expect(await run(Date.now() + 60_000)).toBe(true);
  expect(rowsWith(await readAllTables(), [caller.clientId])).toEqual({});
});

it('entries in KV leave the calls for limits alone', async () => {
  const caller = await seedCaller();
  for (let count = 0; count < 3; count++) await seedLink(caller, count === 0 ? { max_clicks: '5' } : {});
  await remove(caller);
  const pace = { until: Date.now() + 60_000, limits: 1, entries: 1 };
  expect(await purgeClient(PURGE_STORES, caller.clientId, pace)).toBe(true);
  expect(pace).toMatchObject({ limits: 0, entries: 0 });
});

it('links are stopped before anything is removed, since they still redirect', async () => {
  const [ended, begun] = [await seedCaller(), await seedCaller()];
  const left = await seedLink(begun);
  await remove(ended);
  await remove(begun);
  const end = Date.now() - DAY_MS;
  await env.DB.batch([
    env.DB.prepare('UPDATE deletions SET ends_at = ?2, requested_at = 1 WHERE client_id = ?1').bind(
      ended.clientId,
      end,
    ),
    env.DB.prepare('UPDATE links SET deleted_at = NULL WHERE id = ?').bind(left.id),
  ]);
  // Its time is over after the first deletion.
  await continueDeletions(PURGE_STORES, Date.now(), 0);
  expect((await rowsOf('links')).find(({ id }) => id === left.id)?.['deleted_at']).not.toBeNull();
  await continueDeletions(PURGE_STORES, Date.now());
  expect(rowsWith(await readAllTables(), [ended.clientId])).toEqual({});
});
