import type { Statement } from '../../database/database.ts';
import { BASIC_USED_AT } from '../application-passwords/application-password-store.ts';
import { IS_CONFIRMED } from '../sessions/confirmation-store.ts';
import { wrongCodesOf } from './code-store.ts';
import { endOthers } from '../sessions/active-session-store.ts';
import { IS_SIGNED_IN, type SessionRef } from '../sessions/session-store.ts';

/** The SQL of second factors: authenticator apps and recovery codes. */

export interface FactorsRow {
  readonly app_since: number | null;
  readonly passkeys_are_factor: number;
  readonly reset_at: number | null;
  readonly basic_used_at: number | null;
  readonly recovery_left: number;
  readonly recovery_codes: number;
  /** The wrong codes of the last day. */
  readonly wrong_codes: number;
  /** JSON: [{id, name}] of the workspaces that demand a second factor, now or from an instant on. */
  readonly demanded_by: string;
}

export function selectFactors({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `SELECT (SELECT created_at FROM totp_seeds WHERE user_id = ?2) AS app_since,
            (SELECT passkeys_are_factor FROM users WHERE id = ?2) AS passkeys_are_factor,
            (SELECT ${BASIC_USED_AT} FROM users u WHERE u.id = ?2) AS basic_used_at,
            (SELECT factors_reset_at FROM users WHERE id = ?2 AND factor_since IS NULL) AS reset_at,
            (SELECT count(*) FROM recovery_codes WHERE user_id = ?2 AND spent_at IS NULL) AS recovery_left,
            (SELECT count(*) FROM recovery_codes WHERE user_id = ?2) AS recovery_codes,
            ${wrongCodesOf('?2', '?3')} AS wrong_codes,
            (SELECT json_group_array(json_object('id', c.id, 'name', coalesce(c.name, c.id)))
              FROM members m JOIN clients c ON c.id = m.client_id
              WHERE m.user_id = ?2 AND c.factors_from IS NOT NULL) AS demanded_by
          WHERE ${IS_SIGNED_IN}`,
    params: [familyId, userId, now],
  };
}

interface NewApp {
  readonly seed: string;
  /** The step of the code that showed that the app has the seed. */
  readonly step: number;
  /** The hashes of the recovery codes that come with it. */
  readonly hashes: readonly string[];
}

/**
 * The first statement returns a row if the app was added: the user has none, and has confirmed who they are. The others do
 * something only then: they replace the recovery codes, and sign all other browsers out.
 */
export function insertApp({ familyId, userId }: SessionRef, now: number, app: NewApp): Statement[] {
  return [
    {
      sql: `INSERT INTO totp_seeds (user_id, seed, created_at, last_step)
            SELECT ?2, ?4, ?3, ?5 WHERE ${IS_CONFIRMED} ON CONFLICT (user_id) DO NOTHING RETURNING user_id`,
      params: [familyId, userId, now, app.seed, app.step],
    },
    {
      sql: `UPDATE users SET factor_since = coalesce(factor_since, ?2), factor_version = factor_version + 1
            WHERE id = ?1 AND EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = ?1 AND seed = ?3)`,
      params: [userId, now, app.seed],
    },
    ...replaceRecoveryCodes({ familyId, userId }, now, app.hashes, app.seed),
    // Who knew the password may be signed in there.
    endOthers({ familyId, userId }, now, 'EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = ?2 AND created_at = ?3)'),
  ];
}

/** True if the user ?2 has a second factor left. */
const HAS_FACTOR_LEFT = `EXISTS (
    SELECT 1 FROM users u WHERE u.id = ?2
      AND (u.passkeys_are_factor = 1 OR EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = u.id)))`;

/** The first statement returns a row if there was an app to remove. Recovery codes go with the last factor. */
export function deleteApp({ familyId, userId }: SessionRef, now: number): Statement[] {
  return [
    {
      sql: `DELETE FROM totp_seeds WHERE user_id = ?2 AND ${IS_CONFIRMED} RETURNING user_id`,
      params: [familyId, userId, now],
    },
    ...endWithoutFactor({ familyId, userId }, now),
  ];
}

/**
 * After a factor was removed: without another one, a sign-in needs none, recovery codes have no use, and no browser is
 * known.
 */
export function endWithoutFactor({ familyId, userId }: SessionRef, now: number): Statement[] {
  const params = [familyId, userId, now];
  return [
    {
      sql: `UPDATE users SET factor_since = NULL, factor_version = factor_version + 1
            WHERE id = ?2 AND factor_since IS NOT NULL AND ${IS_SIGNED_IN} AND NOT ${HAS_FACTOR_LEFT}`,
      params,
    },
    {
      sql: `DELETE FROM recovery_codes WHERE user_id = ?2 AND ${IS_SIGNED_IN} AND NOT ${HAS_FACTOR_LEFT}`,
      params,
    },
  ];
}

/**
 * Replaces the recovery codes of a user who has a factor; the last statement returns a row for each new one.
 *
 * @param ofSeed if given, only as long as this is the seed of the user's app
 */
export function replaceRecoveryCodes(
  { familyId, userId }: SessionRef,
  now: number,
  hashes: readonly string[],
  ofSeed: string | null = null,
): Statement[] {
  const params = [familyId, userId, now, ofSeed];
  const may = `${IS_CONFIRMED} AND EXISTS (SELECT 1 FROM users WHERE id = ?2 AND factor_since IS NOT NULL)
      AND (?4 IS NULL OR EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = ?2 AND seed = ?4))`;
  return [
    { sql: `DELETE FROM recovery_codes WHERE user_id = ?2 AND ${may}`, params },
    {
      sql: `INSERT INTO recovery_codes (user_id, hash) SELECT ?2, value FROM json_each(?5) WHERE ${may} RETURNING hash`,
      params: [...params, JSON.stringify(hashes)],
    },
  ];
}

/**
 * Stores recovery codes for a user whose passkeys are a second factor, and who has no code left; returns a row for each.
 */
export function insertMissingCodes(
  { familyId, userId }: SessionRef,
  now: number,
  hashes: readonly string[],
): Statement {
  return {
    sql: `INSERT INTO recovery_codes (user_id, hash) SELECT ?2, value FROM json_each(?4)
          WHERE ${IS_CONFIRMED} AND EXISTS (SELECT 1 FROM users WHERE id = ?2 AND passkeys_are_factor = 1)
            AND NOT EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ?2 AND spent_at IS NULL)
          RETURNING hash`,
    params: [familyId, userId, now, JSON.stringify(hashes)],
  };
}

/** For the operator: a user signs in with the password alone again, and is remembered by no browser. */
export function removeFactors(userId: string, now: number): Statement[] {
  return [
    { sql: `DELETE FROM totp_seeds WHERE user_id = ?1`, params: [userId] },
    { sql: `DELETE FROM recovery_codes WHERE user_id = ?1`, params: [userId] },
    // One of them may be on the phone that was lost.
    { sql: `DELETE FROM passkeys WHERE user_id = ?1`, params: [userId] },
    { sql: `DELETE FROM code_tries WHERE user_id = ?1`, params: [userId] },
    {
      sql: `UPDATE users SET factor_since = NULL, passkeys_are_factor = 0, factor_version = factor_version + 1,
              factors_reset_at = ?2 WHERE id = ?1`,
      params: [userId, now],
    },
    {
      sql: `UPDATE token_families SET ended_at = ?2
            WHERE user_id = ?1 AND ended_at IS NULL AND id IN (SELECT family_id FROM sessions)`,
      params: [userId, now],
    },
  ];
}
