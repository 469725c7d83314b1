import { ACTING, actingParams, type Actor } from '../../accounts/access.ts';
import type { Statement } from '../../database/database.ts';
import { isTargetBlocked } from '../../targets/blocklist.ts';
import { targetColumns, type TargetRow } from '../redirect/target-store.ts';

/** A link as a redirect needs it, and what its domain adds. */
export interface VisitedRow extends TargetRow {
  readonly slug: string;
  /** Null on the service's own host. */
  readonly host: string | null;
  readonly domain_status: 'pending' | 'active' | 'lost' | null;
  /** Where the domain redirects visitors who find no link. */
  readonly not_found_url: string | null;
  /** 0 if a path of the domain is not trimmed. */
  readonly tolerant: number | null;
}

/** Selects one link of the actor's clients, unless its content was removed. */
export function selectVisited(actor: Actor, id: string, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT ${targetColumns('l')}, l.slug, d.host, d.tolerant, d.status AS domain_status,
        CASE WHEN NOT ${isTargetBlocked('d.not_found_url')} THEN d.not_found_url END AS not_found_url
      FROM links l LEFT JOIN domains d ON d.id = l.domain_id
      WHERE l.id = ?8 AND l.client_id IN (SELECT client_id FROM acting) AND l.url <> ''`,
    params: [...actingParams(actor, 'links:read', now), id],
  };
}
