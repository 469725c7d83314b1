import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../../accounts/access.ts';
import { insertAudit } from '../../accounts/audit/write-audit.ts';
import type { Database } from '../../database/database.ts';

/** True if the destinations of all links of the client `c` are checked, except those of links that say otherwise, in SQL. */
export const CHECKS_ALL_LINKS = `EXISTS (SELECT 1 FROM check_sweeps WHERE client_id = c.id AND is_whole = 1)`;
const IS_CHANGED = `c.id = ${SOLE_CLIENT} AND ${CHECKS_ALL_LINKS} <> ?8`;

/**
 * Turns the checks of all links of the actor's client on or off. What was found of links that are no longer checked is
 * forgotten at once. Throws what `authorize` throws.
 */
export async function setChecks(db: Database, actor: Actor, isOn: boolean): Promise<void> {
  const now = Date.now();
  const params = [...actingParams(actor, 'members', now), Number(isOn)];
  const [access] = await db.batch<[AccessRow, never, never, never]>([
    selectAccess(actor, 'members', now),
    insertAudit(actor, 'members', now, {
      action: isOn ? 'client.checks_on' : 'client.checks_off',
      subjects: `SELECT c.id, c.id, c.name, NULL FROM clients c WHERE ${IS_CHANGED}`,
      params: [Number(isOn)],
    }),
    {
      sql: `${ACTING} INSERT INTO check_sweeps (client_id, is_whole) SELECT c.id, ?8 FROM clients c WHERE ${IS_CHANGED}
        ON CONFLICT (client_id) DO UPDATE SET is_whole = ?8, begun_at = 0, ended_at = 0, after_at = 0, after_id = ''`,
      params,
    },
    {
      sql: `${ACTING} DELETE FROM link_checks WHERE NOT ?8 AND client_id = ${SOLE_CLIENT}
        AND link_id NOT IN (SELECT id FROM links INDEXED BY links_checked
          WHERE client_id = ${SOLE_CLIENT} AND check_destination = 1 AND deleted_at IS NULL)`,
      params,
    },
  ]);
  authorize(access, actor);
}
