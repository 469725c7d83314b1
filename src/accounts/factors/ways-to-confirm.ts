import type { Database } from '../../database/database.ts';
import { expiredSession } from '../refusals.ts';
import type { Session } from '../sessions/session.ts';
import { IS_IN_SESSION, IS_SIGNED_IN } from '../sessions/session-store.ts';
import { HAS_PASSWORD } from '../users/password.ts';

/** The ways in which the user of a session can confirm who they are. */
export interface WaysToConfirm {
  readonly password: boolean;
  /** True if there is an app or a recovery code, and the session opens all of the account. */
  readonly codes: boolean;
  /** True if there is a passkey for the host. */
  readonly passkeys: boolean;
}

/**
 * Finds the ways for a session. Throws `invalid_credential`, `store_unavailable`.
 *
 * @param rpId the host of passkeys; null where none can be used
 */
export async function waysToConfirm(
  db: Database,
  { credential: { familyId, userId } }: Session,
  rpId: string | null,
): Promise<WaysToConfirm> {
  const row = await db.first<{ readonly codes: number; readonly passkeys: number; readonly password: number }>({
    sql: `SELECT ${IS_SIGNED_IN} AND (EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = ?2)
              OR EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ?2 AND spent_at IS NULL)) AS codes,
            EXISTS (SELECT 1 FROM passkeys WHERE user_id = ?2 AND rp_id = ?4) AS passkeys,
            ${HAS_PASSWORD} AS password
          FROM users u WHERE u.id = ?2 AND ${IS_IN_SESSION}`,
    params: [familyId, userId, Date.now(), rpId],
  });
  if (!row) throw expiredSession();
  return { password: row.password === 1, codes: row.codes === 1, passkeys: row.passkeys === 1 };
}
