import type { ClickSources } from '../clicks/days.ts';
import type { Database } from '../database/database.ts';
import { forEachConcurrently } from '../bounds/concurrency-limit.ts';
import type { LinkLimits } from '../link-limit/limits.ts';
import { logProblem } from '../isolate/log.ts';
import { REMOVED_CONTENT } from './fields/content.ts';
import { RESTORABLE_MS } from './managed-link.ts';

const MAX_LINKS = 500;
const MAX_ROUNDS = 200;
// Each has an object of its own, and an invocation may make 1,000 calls.
const MAX_LIMITS = 300;
const LIMITS_AT_A_TIME = 6;

/**
 * Removes the content, the history, the click statistics and the counts of click limits of links deleted more than 30
 * days ago, whose addresses stay reserved. What takes longer continues the next day, and so do links whose statistics
 * cannot be removed. Throws what the database throws, and the failure of an object after all others are done.
 */
export async function removeExpiredLinks(
  { db, statistics, limits }: ClickSources & { readonly limits: LinkLimits },
  now: number,
): Promise<void> {
  let limitsLeft = MAX_LIMITS;
  const failures = new Map<string, unknown>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = await findExpired(db, now, [...failures.keys()], limitsLeft > 0);
    const links = found.filter((link) => link.is_limited === 0 || limitsLeft-- > 0);
    const byClient = Map.groupBy(links, ({ client_id }) => client_id);
    for (const [clientId, ofClient] of byClient) {
      const ids = ofClient.map(({ id }) => id);
      try {
        await statistics.call(clientId, (object) => object.purge(ids));
        const limited = ofClient.filter((link) => link.is_limited === 1);
        await forEachConcurrently(limited, LIMITS_AT_A_TIME, ({ id }) => limits.remove(id));
        await removeContent(db, clientId, ids);
      } catch (cause) {
        logProblem('links_not_removed', cause, { client_id: clientId, links: ids.length });
        failures.set(clientId, cause);
      }
    }
    if (found.length < MAX_LINKS) break;
  }
  const [failure] = failures.values();
  if (failure !== undefined) throw failure;
}

interface ExpiredRow {
  readonly id: string;
  readonly client_id: string;
  readonly is_limited: number;
}

// The first of them is null for a link that has had its limit since its creation.
const IS_LIMITED = '(limited_at IS NOT NULL OR max_clicks IS NOT NULL)';

async function findExpired(db: Database, now: number, failedClients: readonly string[], withLimits: boolean) {
  const [rows] = await db.batch<[ExpiredRow]>([
    {
      sql: `SELECT id, client_id, ${IS_LIMITED} AS is_limited FROM links
        WHERE deleted_at IS NOT NULL AND url <> '' AND deleted_at <= ?1
          AND client_id NOT IN (SELECT value FROM json_each(?2)) AND (?3 OR NOT ${IS_LIMITED})
        LIMIT ${MAX_LINKS}`,
      params: [now - RESTORABLE_MS, JSON.stringify(failedClients), Number(withLimits)],
    },
  ]);
  return rows;
}

async function removeContent(db: Database, clientId: string, ids: readonly string[]): Promise<void> {
  const params = [clientId, JSON.stringify(ids)];
  const ofLinks = 'IN (SELECT id FROM links WHERE client_id = ?1 AND id IN (SELECT value FROM json_each(?2)))';
  await db.batch([
    { sql: `DELETE FROM link_history WHERE link_id ${ofLinks}`, params },
    { sql: `DELETE FROM link_tags WHERE link_id ${ofLinks}`, params },
    { sql: `DELETE FROM statistics_shares WHERE link_id ${ofLinks}`, params },
    {
      sql: `UPDATE links SET ${REMOVED_CONTENT}, password_hash = NULL, password_at = NULL, limited_at = NULL WHERE id ${ofLinks}`,
      params,
    },
  ]);
}
