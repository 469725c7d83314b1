import type { Statement } from '../../database/database.ts';
import { IS_FRESH } from '../sessions/confirmation-store.ts';
import { IS_IN_SESSION, type SessionRef } from '../sessions/session-store.ts';

/**
 * The SQL by which a session of a provider confirms an application password that was created in another way. In all of it ?1
 * to ?3 are those of `IS_IN_SESSION`.
 */

/** The provider of the session ?1, if workspaces can demand it. */
const PROVIDER = `(SELECT p.id FROM token_families f JOIN providers p ON p.id = f.provider_id
    WHERE f.id = ?1 AND p.kind = 'openid' AND p.ended_at IS NULL AND p.on_at IS NOT NULL)`;

/** True if the application password `a` is of the session's user, works, and no provider has confirmed it. */
const CAN_BE_KEPT = `a.user_id = ?2 AND a.revoked_at IS NULL AND ${IS_IN_SESSION} AND ${PROVIDER} IS NOT NULL
  AND a.client_id IS NULL AND NOT EXISTS (SELECT 1 FROM providers k WHERE k.id = a.provider_id AND k.ended_at IS NULL)`;

export interface UnconfirmedRow {
  readonly id: string;
  readonly name: string;
}

/** Selects none in a session that opens one workspace alone: what it does not open, it does not see. */
export function selectUnconfirmed({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `SELECT a.id, a.name FROM application_passwords a
          WHERE ${CAN_BE_KEPT} AND (SELECT client_id IS NULL FROM token_families WHERE id = ?1)
          ORDER BY a.created_at DESC, a.id DESC`,
    params: [familyId, userId, now],
  };
}

interface Named {
  readonly id: string;
  /** That of the secret, if the whole password was typed; null for its beginning. */
  readonly secretHash: string | null;
}

/** The first statement returns a row if it confirmed the password; the second does the same for what has begun with it. */
export function keepPassword(
  { familyId, userId }: SessionRef,
  now: number,
  { id, secretHash }: Named,
): readonly [Statement, Statement] {
  return [
    {
      sql: `UPDATE application_passwords AS a SET provider_id = ${PROVIDER}
            WHERE a.id = ?4 AND (?5 IS NULL OR a.secret_hash = ?5) AND ${CAN_BE_KEPT} AND ${IS_FRESH} RETURNING id`,
      params: [familyId, userId, now, id, secretHash],
    },
    {
      sql: `UPDATE token_families SET provider_id = ${PROVIDER}
            WHERE user_id = ?2 AND began_by = 'application_password' AND begun_with = ?4 AND ended_at IS NULL
              AND ${IS_IN_SESSION} AND EXISTS (
                SELECT 1 FROM application_passwords a WHERE a.id = ?4 AND a.user_id = ?2 AND a.provider_id = ${PROVIDER})`,
      params: [familyId, userId, now, id],
    },
  ];
}
