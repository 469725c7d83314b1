import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import { LISTED_COLUMNS, toManaged, type ManagedLink, type ManagedRow } from '../managed-link.ts';

/**
 * Finds some links of the actor's client by their ids, including deleted ones, in the order of the ids; unknown ids are
 * left out. One round trip. Throws `store_unavailable`, and what `authorize` throws.
 */
export async function findLinks(db: Database, actor: Actor, ids: readonly string[]): Promise<readonly ManagedLink[]> {
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, ManagedRow]>([
    selectAccess(actor, 'links:read', now),
    {
      sql: `${ACTING}
        SELECT ${LISTED_COLUMNS} FROM (SELECT value AS id, min(key) AS place FROM json_each(?8) GROUP BY value) AS requested
        CROSS JOIN links l ON l.id = requested.id LEFT JOIN domains d ON d.id = l.domain_id
        WHERE l.client_id = ${SOLE_CLIENT} AND l.url <> '' ORDER BY requested.place`,
      params: [...actingParams(actor, 'links:read', now), JSON.stringify(ids)],
    },
  ]);
  authorize(access, actor);
  return rows.map((row) => toManaged(row, now));
}
