import type { Statement } from '../../database/database.ts';
import { CONFIRMED_MS } from '../sessions/lifetime.ts';
import { IS_SIGNED_IN, type SessionRef } from '../sessions/session-store.ts';

/** The SQL of passkeys as a second factor. */

/** True if the family ?1 of the user ?2 is valid at ?3, and its user has confirmed who they are a short time before. */
export const IS_CONFIRMED = `${IS_SIGNED_IN} AND EXISTS (
    SELECT 1 FROM token_families WHERE id = ?1 AND coalesce(confirmed_at, started_at) > ?3 - ${CONFIRMED_MS})`;

export interface FactorRow {
  readonly passkeys_are_factor: number;
  /** The number of passkeys. */
  readonly passkeys: number;
  /** The recovery codes that are left. */
  readonly recovery_codes: number;
  /** True if the user has confirmed who they are a short time before. */
  readonly is_confirmed: number;
}

export function selectFactor({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `SELECT passkeys_are_factor, (SELECT count(*) FROM passkeys WHERE user_id = ?2) AS passkeys,
            (SELECT count(*) FROM recovery_codes WHERE user_id = ?2 AND spent_at IS NULL) AS recovery_codes,
            ${IS_CONFIRMED} AS is_confirmed
          FROM users WHERE id = ?2 AND ${IS_SIGNED_IN}`,
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
    {
      sql: `UPDATE token_families SET ended_at = ?3
            WHERE user_id = ?2 AND id <> ?1 AND ended_at IS NULL AND id IN (SELECT family_id FROM sessions)
              AND EXISTS (SELECT 1 FROM users WHERE id = ?2 AND factor_since = ?3)`,
      params,
    },
  ];
}

/** True if the user ?2 has a second factor besides passkeys. */
const HAS_APP = 'EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = ?2)';

/**
 * Passkeys of a session's user are no longer a second factor. An authenticator app stays one; without it, recovery codes
 * have no use.
 */
export function endFactor({ familyId, userId }: SessionRef, now: number, condition = 'TRUE'): Statement[] {
  const params = [familyId, userId, now];
  return [
    {
      sql: `UPDATE users SET passkeys_are_factor = 0, factor_since = CASE WHEN ${HAS_APP} THEN factor_since END
            WHERE id = ?2 AND passkeys_are_factor = 1 AND ${IS_CONFIRMED} AND ${condition}`,
      params,
    },
    {
      sql: `DELETE FROM recovery_codes WHERE user_id = ?2 AND ${IS_CONFIRMED}
              AND EXISTS (SELECT 1 FROM users WHERE id = ?2 AND factor_since IS NULL)`,
      params,
    },
  ];
}
