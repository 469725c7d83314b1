import type { ClickSources } from '../clicks/days.ts';
import { deleteFormerClicks } from '../clicks/former/retention.ts';
import type { Database } from '../database.ts';
import { logProblem } from '../log.ts';
import { REMOVED_CONTENT } from './fields/content.ts';
import { RESTORABLE_MS } from './managed.ts';

const MOST_LINKS = 500;
const MOST_ROUNDS = 200;

/**
 * Removes the content, the history and the click statistics of links deleted more than 30 days ago, whose addresses stay
 * reserved. What takes longer goes on the next day, and so do links whose statistics cannot be removed. Throws what the
 * database throws, and the failure of an object after all others are done.
 */
export async function removeExpiredLinks({ db, statistics }: ClickSources, now: number): Promise<void> {
  const failures = new Map<string, unknown>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const links = await findExpired(db, now, [...failures.keys()]);
    const byClient = Map.groupBy(links, ({ client_id }) => client_id);
    for (const [clientId, ofClient] of byClient) {
      const ids = ofClient.map(({ id }) => id);
      try {
        await statistics.call(clientId, (object) => object.purge(ids));
        await removeContent(db, clientId, ids);
      } catch (cause) {
        logProblem('links_not_removed', cause, { client_id: clientId, links: ids.length });
        failures.set(clientId, cause);
      }
    }
    if (links.length < MOST_LINKS) break;
  }
  const [failure] = failures.values();
  if (failure !== undefined) throw failure;
}

interface ExpiredRow {
  readonly id: string;
  readonly client_id: string;
}

async function findExpired(db: Database, now: number, failedClients: readonly string[]) {
  const [rows] = await db.batch<[ExpiredRow]>([
    {
      sql: `SELECT id, client_id FROM links
        WHERE deleted_at IS NOT NULL AND url <> '' AND deleted_at <= ?1
          AND client_id NOT IN (SELECT value FROM json_each(?2))
        LIMIT ${MOST_LINKS}`,
      params: [now - RESTORABLE_MS, JSON.stringify(failedClients)],
    },
  ]);
  return rows;
}

async function removeContent(db: Database, clientId: string, ids: readonly string[]): Promise<void> {
  const params = [clientId, JSON.stringify(ids)];
  const ofLinks = 'IN (SELECT id FROM links WHERE client_id = ?1 AND id IN (SELECT value FROM json_each(?2)))';
  await db.batch([
    deleteFormerClicks(clientId, ids),
    { sql: `DELETE FROM link_history WHERE link_id ${ofLinks}`, params },
    {
      sql: `UPDATE links SET ${REMOVED_CONTENT}, password_hash = NULL, password_at = NULL, limited_at = NULL WHERE id ${ofLinks}`,
      params,
    },
  ]);
}
