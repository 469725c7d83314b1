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

/** When a campaign began. */
interface CampaignStart {
  readonly name: string;
  /** When its first link was created, deleted ones excluded, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * Finds when some campaigns of the actor's client began: one round trip, and one row of an index for each. Campaigns
 * without links are left out. Throws `store_unavailable`, and what `authorize` throws.
 */
export async function listCampaignStarts(
  db: Database,
  actor: Actor,
  names: readonly string[],
): Promise<readonly CampaignStart[]> {
  if (names.length === 0) return [];
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, { readonly name: string; readonly started_at: number | null }]>([
    selectAccess(actor, 'links:read', now),
    {
      sql: `${ACTING} SELECT value AS name,
          (SELECT l.created_at FROM links l INDEXED BY links_of_campaign
            WHERE l.client_id = ${SOLE_CLIENT} AND l.deleted_at IS NULL AND l.campaign_name = value
            ORDER BY l.created_at LIMIT 1) AS started_at
        FROM json_each(?8)`,
      params: [...actingParams(actor, 'links:read', now), JSON.stringify(names)],
    },
  ]);
  authorize(access, actor);
  return rows.flatMap(({ name, started_at: startedAt }) => (startedAt === null ? [] : [{ name, startedAt }]));
}
