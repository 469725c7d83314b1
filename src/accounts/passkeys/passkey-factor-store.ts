import type { Statement } from '../../database/database.ts';
import { BASIC_USED_AT } from '../application-passwords/application-password-store.ts';
import { endWithoutFactor } from '../factors/factor-store.ts';
import { IS_CONFIRMED } from '../sessions/confirmation-store.ts';
import { endOthers } from '../sessions/active-session-store.ts';
import { IS_SIGNED_IN, type SessionRef } from '../sessions/session-store.ts';

/** The SQL of passkeys as a second factor. */

export interface FactorRow {
  readonly passkeys_are_factor: number;
  /** The number of passkeys. */
  readonly passkeys: number;
  /** The recovery codes that are left. */
  readonly recovery_codes: number;
  readonly basic_used_at: number | null;
  /** True if the user has confirmed who they are a short time before. */
  readonly is_confirmed: number;
}

export function selectFactor({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `SELECT passkeys_are_factor, (SELECT count(*) FROM passkeys WHERE user_id = ?2) AS passkeys,
            (SELECT count(*) FROM recovery_codes WHERE user_id = ?2 AND spent_at IS NULL) AS recovery_codes,
            ${BASIC_USED_AT} AS basic_used_at, ${IS_CONFIRMED} AS is_confirmed
          FROM users u WHERE u.id = ?2 AND ${IS_SIGNED_IN}`,
    params: [familyId, userId, now],
  };
}

/**
 * Passkeys of a session's user become a second factor, if there are any. Other browsers are then signed out, since the
 * password alone may have opened them.
 */
export function beginFactor({ familyId, userId }: SessionRef, now: number): Statement[] {
  const params = [familyId, userId, now];
  return [
    {
      sql: `UPDATE users SET passkeys_are_factor = 1, factor_since = coalesce(factor_since, ?3)
            WHERE id = ?2 AND ${IS_CONFIRMED}
              AND EXISTS (SELECT 1 FROM passkeys WHERE user_id = ?2)`,
      params,
    },
    endOthers({ familyId, userId }, now, 'EXISTS (SELECT 1 FROM users WHERE id = ?2 AND factor_since = ?3)'),
  ];
}

/** Passkeys of a session's user are no longer a second factor; an authenticator app stays one. */
export function endFactor({ familyId, userId }: SessionRef, now: number, condition = 'TRUE'): Statement[] {
  return [
    {
      sql: `UPDATE users SET passkeys_are_factor = 0
            WHERE id = ?2 AND passkeys_are_factor = 1 AND ${IS_CONFIRMED} AND ${condition}`,
      params: [familyId, userId, now],
    },
    ...endWithoutFactor({ familyId, userId }, now),
  ];
}
