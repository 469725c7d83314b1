import { removePeopleOf } from '../accounts/users/remove-people.ts';
import type { Database } from '../database/database.ts';
import { takeDownHost, type CustomHostnames } from '../domains/custom-hostnames.ts';
import { forEachConcurrently } from '../bounds/concurrency-limit.ts';
import type { LinkLimits } from '../link-limit/limits.ts';
import { deleteLinks, readLinksOf, type LinkOfClient } from '../links/client-links-sql.ts';
import { writeEntries } from '../links/redirect/write-entries.ts';
import type { Statistics } from '../statistics/statistics.ts';
import { readOwnedTables, type OwnedTable } from './owned-tables.ts';

/** Where all that is kept of a client is. */
export interface ClientStores {
  readonly db: Database;
  readonly kv: KVNamespace;
  readonly statistics: Statistics;
  readonly limits: LinkLimits;
  readonly customHostnames: CustomHostnames | null;
}

/** The most work that a run does. */
export interface PurgePace {
  /** The instant after which no further slice begins. */
  readonly until: number;
  /** The number of calls to the objects of limits that are left, of the 1,000 calls that an invocation may make. */
  limits: number;
  /** The calls for entries in KV that are left, counted apart: entries expire by themselves, and limits do not. */
  entries: number;
}

const LINKS = 500;
const ROWS = 2000;
const AT_A_TIME = 6;

/**
 * Removes all that is kept of a deleted client, in slices: its links with their limits and their entries in KV, its
 * statistics, the users that are nothing but people of its provider, and then the rows of all tables that have a client.
 * Entries in KV for which no calls are left expire within a day of the last visit. Returns false if some is left for the
 * next run. It can be repeated.
 */
export async function purgeClient(stores: ClientStores, clientId: string, pace: PurgePace): Promise<boolean> {
  const tables = await readOwnedTables(stores.db);
  if (!(await purgeLinks(stores, tables, clientId, pace))) return false;
  await stores.statistics.call(clientId, (object) => object.erase());
  await takeDownHosts(stores, clientId);
  // While their identities say that the client's provider has made them.
  if (!(await removePeopleOf(stores.db, clientId, pace.until))) return false;
  for (const table of tables) {
    // The deletion is the last row, with the client, so that a run that was cut is repeated.
    if (LAST.has(table.name)) continue;
    if (!(await purgeTable(stores.db, table, clientId, pace))) return false;
  }
  await stores.db.batch([
    { sql: 'DELETE FROM deletions WHERE client_id = ?1', params: [clientId] },
    { sql: 'DELETE FROM clients WHERE id = ?1', params: [clientId] },
  ]);
  return true;
}

const LAST: ReadonlySet<string> = new Set(['clients', 'deletions']);

async function purgeLinks(
  stores: ClientStores,
  tables: readonly OwnedTable[],
  clientId: string,
  pace: PurgePace,
): Promise<boolean> {
  for (let from: string | null = ''; from !== null;) {
    const { links: found, after } = await readLinksOf(stores.db, clientId, from, LINKS);
    const beyond = found.filter(({ is_limited }) => is_limited === 1)[pace.limits];
    // Up to the first one for which no call is left, so that each run makes progress.
    const links = beyond ? found.slice(0, found.indexOf(beyond)) : found;
    const limited = links.filter(({ is_limited }) => is_limited === 1);
    pace.limits -= limited.length;
    await forEachConcurrently(limited, AT_A_TIME, ({ id }) => stores.limits.remove(id));
    if (links.length > 0) await stores.db.batch(deleteLinks(clientId, links, tables));
    await clearEntries(stores, links, pace);
    if (beyond || (after !== null && Date.now() >= pace.until)) return false;
    from = after;
  }
  return true;
}

// After the rows, since a visit would fill KV again.
async function clearEntries({ kv, db }: ClientStores, links: readonly LinkOfClient[], pace: PurgePace): Promise<void> {
  const slugs = links.flatMap((link): string[] => JSON.parse(link.slugs));
  const cleared = slugs.slice(0, pace.entries);
  pace.entries -= cleared.length;
  const entries = cleared.map((slug) => ({ address: { host: '', slug }, target: null }));
  await writeEntries({ kv, db, unwritten: null }, entries, Date.now());
}

async function takeDownHosts({ db, customHostnames }: ClientStores, clientId: string): Promise<void> {
  if (!customHostnames) return;
  const [hosts] = await db.batch<[{ readonly host: string }]>([
    {
      sql: `SELECT host FROM domains d WHERE client_id = ?1 AND former_status IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM domains o WHERE o.host = d.host AND o.status <> 'pending')`,
      params: [clientId],
    },
  ]);
  await forEachConcurrently(hosts, AT_A_TIME, ({ host }) => takeDownHost(customHostnames, host));
}

async function purgeTable(
  db: Database,
  { name, key, isOwned }: OwnedTable,
  clientId: string,
  pace: PurgePace,
): Promise<boolean> {
  const columns = key.map((column) => `"${column}"`).join(', ');
  const sql = `DELETE FROM "${name}" WHERE (${columns}) IN (SELECT ${columns} FROM "${name}" WHERE ${isOwned} LIMIT ${ROWS})
    RETURNING 1`;
  for (;;) {
    const [rows] = await db.batch<[unknown]>([{ sql, params: [clientId] }]);
    if (rows.length < ROWS) return true;
    if (Date.now() >= pace.until) return false;
  }
}
