import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../accounts/access.ts';
import type { Database } from '../database/database.ts';
import { CHECKS_ALL_LINKS } from '../links/health/setting.ts';

/** The settings of a client that its owners can change. */
export interface WorkspaceSettings {
  /** True if the destinations of all links are checked, except those of links that say otherwise. */
  readonly areChecked: boolean;
  /** The number of characters of generated slugs on the service's own host. */
  readonly slugLength: number;
}

/** Reads the settings of the actor's client. One round trip. Throws `store_unavailable`, and what `authorize` throws. */
export async function getSettings(db: Database, actor: Actor): Promise<WorkspaceSettings> {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, { readonly are_checked: number; readonly slug_length: number }]>([
    selectAccess(actor, 'members', now),
    {
      sql: `${ACTING} SELECT ${CHECKS_ALL_LINKS} AS are_checked, slug_length FROM clients c WHERE c.id = ${SOLE_CLIENT}`,
      params: actingParams(actor, 'members', now),
    },
  ]);
  authorize(access, actor);
  if (!row) throw new TypeError('an owner acts for a client that does not exist');
  return { areChecked: row.are_checked === 1, slugLength: row.slug_length };
}
