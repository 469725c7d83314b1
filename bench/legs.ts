import { startContestant, startService, type Contestant, type Service } from './contestant.ts';
import type { Stream } from './load.ts';
import { seedLinks, slugOf } from './links.ts';
import { linkForm, unknownSlug, VISITORS } from './requests.ts';
import { CONNECTIONS, LINKS, manyPaths, eachLinkSlowly, redirects, repeat } from './streams.ts';
import { BATCH_SECONDS } from './usage.ts';
import type { Sandbox } from './sandbox.ts';

/** The legs of a round: which contestant gets which requests. */

const FLOOD_CONNECTIONS = 8;
// A rate that leaves most of the server's core to the redirects, even on a slow machine: the CPU time of the redirects
// is found by subtraction.
const FLOOD_PER_SECOND = 125;
// More than any machine can answer on one core.
const MAX_FLOOD_PER_SECOND = 5000;
/** The time that the queue waits for a batch: in a short run no longer than the run of a leg. */
export const batchSecondsOf = (seconds: number) => Math.min(BATCH_SECONDS, seconds);

interface Leg {
  readonly contestant: Contestant;
  /** Created anew each time, so that unknown slugs are unknown and random orders differ. */
  readonly streams: () => readonly [Stream, ...Stream[]];
  /** Sent once before each leg, and not measured. */
  readonly prime?: Stream;
}

/**
 * In the order of a round: those of one ratio are close to each other. The legs with many links come before the hot
 * ones, since half a minute of preparation precedes each of them.
 */
export const LEG_NAMES = [
  'many',
  'hot',
  'empty',
  'hot_and_flood',
  'flood',
  'hono',
  'token_info',
  'kv_floor',
  'kv',
  // Far enough from the others with many links, so that those have left memory.
  'many_crowd',
  'hot_crowd',
  'insert_floor',
  'create',
  'select_floor',
] as const;
export type LegName = (typeof LEG_NAMES)[number];

export interface Contest {
  readonly empty: Contestant;
  readonly terse: Service;
  /** Terse with its memory tier switched off. */
  readonly terseOnKv: Service;
  readonly legs: Readonly<Record<LegName, Leg>>;
}

/** Starts all contestants, and prepares the data for their requests. */
export async function openContest(sandbox: Sandbox, prefix: readonly string[], seconds: number): Promise<Contest> {
  const start = (name: string) => startContestant(sandbox, { name, main: `bench/floors/${name}.ts` }, prefix);
  const empty = await start('empty');
  const hono = await start('hono');
  const [kvGet, select, insert] = [await start('kv-get'), await start('d1-select'), await start('d1-insert')];
  await kvGet.put(slugOf(0), 'https://example.com/a/long/page/0');
  for (const { db } of [select, insert]) await openFloorTable(db);

  const main = 'src/index.ts';
  const batchSeconds = batchSecondsOf(seconds);
  const terse = await startService(sandbox, { name: 'terse', main, batchSeconds }, prefix);
  const vars = { MEMORY_SECONDS: '0' };
  const terseOnKv = await startService(sandbox, { name: 'terse on KV', main, vars, batchSeconds }, prefix);
  for (const { db } of [terse, terseOnKv]) await seedLinks(db, 0, LINKS);

  const hot = redirects(repeat(`/${slugOf(0)}`));
  const prime = eachLinkSlowly(seconds);
  const form = linkForm({ url: 'https://example.com/a/page', client_id: 'bench', campaign_name: 'spring' });
  const create: Stream = {
    ...form,
    method: 'POST',
    paths: repeat('/v1/links'),
    headers: { ...form.headers, 'X-API-Key': terse.apiKey },
    connections: CONNECTIONS,
    status: 200,
  };
  const tokenInfo: Stream = {
    paths: repeat('/tokens/token_info'),
    headers: { Authorization: `Bearer ${terse.accessToken}` },
    connections: CONNECTIONS,
    status: 200,
  };
  return {
    empty,
    terse,
    terseOnKv,
    legs: {
      empty: { contestant: empty, streams: () => [hot] },
      hot: { contestant: terse, streams: () => [hot] },
      many: {
        contestant: terse,
        streams: () => [redirects(manyPaths())],
        prime,
      },
      // Links with a thousand visitors each: if the links are many, hardly any two clicks are equal.
      hot_crowd: { contestant: terse, streams: () => [{ ...hot, visitors: VISITORS }] },
      many_crowd: {
        contestant: terse,
        streams: () => [{ ...redirects(manyPaths()), visitors: VISITORS }],
        prime,
      },
      hot_and_flood: { contestant: terse, streams: () => [hot, floodFor(seconds, FLOOD_PER_SECOND)] },
      // As fast as possible, over as many connections as beside the redirects: an idle server spends more CPU time on
      // each request than a busy one, and a server with more concurrent requests spends less.
      flood: { contestant: terse, streams: () => [floodFor(seconds)] },
      hono: { contestant: hono, streams: () => [hot] },
      token_info: { contestant: terse, streams: () => [tokenInfo] },
      kv_floor: { contestant: kvGet, streams: () => [hot] },
      kv: { contestant: terseOnKv, streams: () => [hot] },
      insert_floor: { contestant: insert, streams: () => [create] },
      create: { contestant: terse, streams: () => [create] },
      select_floor: { contestant: select, streams: () => [hot] },
    },
  };
}

/** Creates the table of the floors that use D1, with one row. */
export async function openFloorTable(db: Contestant['db']): Promise<void> {
  await db.batch([
    {
      sql: `CREATE TABLE floor (id TEXT PRIMARY KEY, slug TEXT NOT NULL, client_id TEXT NOT NULL, url TEXT NOT NULL,
              campaign_name TEXT) STRICT, WITHOUT ROWID`,
      params: [],
    },
    {
      sql: `INSERT INTO floor (id, slug, client_id, url) VALUES (?1, ?1, 'bench', 'https://example.com/a/page')`,
      params: [slugOf(0)],
    },
  ]);
}

// Enough slugs that none is repeated within a leg.
function floodFor(seconds: number, perSecond?: number): Stream {
  return {
    paths: Array.from({ length: (perSecond ?? MAX_FLOOD_PER_SECOND) * (seconds + 2) }, () => `/${unknownSlug()}`),
    connections: FLOOD_CONNECTIONS,
    perSecond,
    status: 404,
  };
}
