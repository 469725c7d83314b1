import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../../accounts/access.ts';
import { givenName, toGivenName, type GivenName } from '../../accounts/members/given-name.ts';
import type { Database } from '../../database/database.ts';

/** Events of links that can explain their clicks, for charts. */

/** When a campaign began. */
export interface CampaignStart {
  readonly name: string;
  /** When its first link was created, deleted ones excluded, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** An import of links. */
export interface Import {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The user; null if the operator imported, or a user who is deleted. */
  readonly userName: string | null;
  /** The name that a provider gives to a user without one of their own, or null. */
  readonly given: GivenName | null;
}

/** The most imports that are listed. */
const MAX_IMPORTS = 10;

/** Two instants, in milliseconds since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds when some campaigns of the actor's client began, and the last ten imports of a span, newest first; none without a
 * span. One round trip, and one row of an index for each. Campaigns without links are left out. Throws
 * `store_unavailable`, and what `authorize` throws.
 */
export async function listHappenings(
  db: Database,
  actor: Actor,
  names: readonly string[],
  span: Span | null,
): Promise<{ readonly starts: readonly CampaignStart[]; readonly imports: readonly Import[] }> {
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, HappeningRow]>([
    selectAccess(actor, 'links:read', now),
    {
      sql: SELECT_HAPPENINGS,
      params: [...actingParams(actor, 'links:read', now), JSON.stringify(names), span?.from ?? null, span?.to ?? null],
    },
  ]);
  authorize(access, actor);
  return {
    starts: rows.flatMap(({ campaign: name, at }) => (name === null ? [] : [{ name, startedAt: at }])),
    imports: rows.flatMap(({ campaign, at, user_name: userName, given }) =>
      campaign === null ? [{ at, userName, given: toGivenName(given) }] : [],
    ),
  };
}

interface HappeningRow {
  /** The name of the campaign; null for an import. */
  readonly campaign: string | null;
  readonly at: number;
  readonly user_name: string | null;
  readonly given: string | null;
}

const SELECT_HAPPENINGS = `${ACTING}, own (id) AS MATERIALIZED (SELECT ${SOLE_CLIENT})
  SELECT campaign, at, NULL AS user_name, NULL AS given FROM (
    SELECT value AS campaign, (SELECT l.created_at FROM links l INDEXED BY links_of_campaign
      WHERE l.client_id = own.id AND l.deleted_at IS NULL AND l.campaign_name = value
      ORDER BY l.created_at LIMIT 1) AS at
    FROM own CROSS JOIN json_each(?8)) WHERE at IS NOT NULL
  UNION ALL
  SELECT NULL, created_at, name, given FROM (
    SELECT e.created_at, u.name, ${givenName({ id: 'u.id', name: 'u.name', client: 'own.id' })} AS given FROM own
    CROSS JOIN audit_entries e INDEXED BY audit_entries_of_imports ON e.client_id = own.id AND e.action = 'client.imported'
    LEFT JOIN users u ON u.id = e.user_id
    WHERE e.created_at BETWEEN ?9 AND ?10 ORDER BY e.created_at DESC LIMIT ${MAX_IMPORTS})`;
