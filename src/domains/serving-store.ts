import type { Database } from '../database/database.ts';
import { isTargetBlocked } from '../targets/blocklist.ts';
import { IS_SERVING } from '../links/domain-conditions.ts';
import { TOKEN } from './domain-row.ts';

/** True if links are served on a host: it is an active or a lost custom domain. */
export async function findServing(db: Database, host: string): Promise<boolean> {
  const row = await db.first({ sql: `SELECT 1 FROM domains WHERE host = ?1 AND ${IS_SERVING}`, params: [host] });
  return row !== null;
}

/** Selects where the root of a host leads, if its domain has a root URL. */
export async function findRootUrl(db: Database, host: string): Promise<string | null> {
  const row = await db.first<{ readonly root_url: string | null }>({
    sql: `SELECT root_url FROM domains WHERE host = ?1 AND ${IS_SERVING} AND NOT ${isTargetBlocked('root_url')}`,
    params: [host],
  });
  return row?.root_url ?? null;
}

/**
 * Selects the tokens by which clients can prove that they control a host, on which no links are served yet. It reads the
 * domains of all clients, and is for a machine of its own, with few of them.
 */
export async function findPendingTokens(db: Database, host: string): Promise<readonly string[]> {
  const [rows] = await db.batch<[{ readonly token: string }]>([
    {
      sql: `SELECT ${TOKEN} AS token FROM domains WHERE host = ?1 AND NOT (${IS_SERVING}) AND removed_at IS NULL`,
      params: [host],
    },
  ]);
  return rows.map(({ token }) => token);
}
