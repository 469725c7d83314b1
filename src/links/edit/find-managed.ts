import { ACTING, actingParams, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { KeyScope } from '../../accounts/scopes.ts';
import type { Database, Statement } from '../../database.ts';
import { MANAGED_COLUMNS, type ManagedRow } from '../managed.ts';

/** Selects one link of the actor's clients, unless its content was removed. */
export function selectManaged(actor: Actor, permission: KeyScope, id: string, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT ${MANAGED_COLUMNS} FROM links l LEFT JOIN domains d ON d.id = l.domain_id
      WHERE l.id = ?8 AND l.client_id IN (SELECT client_id FROM acting) AND l.url <> ''`,
    params: [...actingParams(actor, permission, now), id],
  };
}

export interface Found {
  readonly access: readonly AccessRow[];
  readonly row: ManagedRow | null;
  /** The target after the requested change, or null. */
  readonly formerUrl: string | null;
}

/**
 * Finds a link that is to be edited.
 *
 * @param n the change in its history whose target is requested too; 0 for none
 */
export async function findManaged(db: Database, actor: Actor, id: string, n: number, now: number): Promise<Found> {
  const former: Statement = {
    sql: `${ACTING}
      SELECT coalesce(
        (SELECT url FROM link_history WHERE link_id = l.id AND n = ?9), CASE WHEN ?9 = 1 THEN l.url END) AS url
      FROM links l WHERE l.id = ?8 AND l.client_id IN (SELECT client_id FROM acting)`,
    params: [...actingParams(actor, 'links:write', now), id, n],
  };
  const [access, [row], formers] = await db.batch<[AccessRow, ManagedRow, { readonly url: string | null }]>([
    selectAccess(actor, 'links:write', now),
    selectManaged(actor, 'links:write', id, now),
    ...(n > 0 ? [former] : []),
  ]);
  return { access, row: row ?? null, formerUrl: formers?.[0]?.url ?? null };
}
