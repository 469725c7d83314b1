import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../accounts/access.ts';
import type { AuditAction } from '../accounts/audit/actions.ts';
import { insertAudit } from '../accounts/audit/write-audit.ts';
import type { Database, Param, Statement } from '../database/database.ts';

/** A change of a client `c`, whose parts are SQL with the new value as ?8. */
interface ClientChange {
  readonly action: AuditAction;
  readonly value: Param;
  /** True if the client does not have the value yet. */
  readonly isChanged: string;
  /** The assignment of the value. */
  readonly set: string;
  /** The name of the client in the audit log, and the details there as JSON. */
  readonly name: string;
  readonly details: string;
  /** The statements that follow the change in its batch. */
  readonly after?: readonly Statement[];
}

/**
 * Changes the actor's client, with an entry in the audit log. One round trip. Throws `store_unavailable`, and what
 * `authorize` throws.
 */
export async function changeClient(
  db: Database,
  actor: Actor,
  { action, value, isChanged, set, name, details, after = [] }: ClientChange,
): Promise<void> {
  const now = Date.now();
  const where = `c.id = ${SOLE_CLIENT} AND ${isChanged}`;
  const [access] = await db.batch<[AccessRow, ...never[]]>([
    selectAccess(actor, 'members', now),
    insertAudit(actor, 'members', now, {
      action,
      subjects: `SELECT c.id, c.id, ${name}, ${details} FROM clients c WHERE ${where}`,
      params: [value],
    }),
    {
      sql: `${ACTING} UPDATE clients AS c SET ${set} WHERE ${where}`,
      params: [...actingParams(actor, 'members', now), value],
    },
    ...after,
  ]);
  authorize(access, actor);
}
