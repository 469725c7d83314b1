import type { Statement } from '../../database/database.ts';
import { IS_SIGNED_IN, type SessionRef } from '../sessions/session-store.ts';

/** The SQL of second factors: authenticator apps and recovery codes, and the codes that are tried. */

export interface FactorsRow {
  readonly app_since: number | null;
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
            (SELECT basic_used_at FROM users WHERE id = ?2) AS basic_used_at,
            (SELECT factors_reset_at FROM users WHERE id = ?2 AND factor_since IS NULL) AS reset_at,
            (SELECT count(*) FROM recovery_codes WHERE user_id = ?2 AND spent_at IS NULL) AS recovery_left,
            (SELECT count(*) FROM recovery_codes WHERE user_id = ?2) AS recovery_codes,
            (SELECT count(*) FROM code_tries WHERE user_id = ?2 AND tried_at > ?3 - ${DAY_MS}) AS wrong_codes,
            (SELECT json_group_array(json_object('id', c.id, 'name', coalesce(c.name, c.id)))
              FROM members m JOIN clients c ON c.id = m.client_id
              WHERE m.user_id = ?2 AND c.factors_from IS NOT NULL) AS demanded_by
          WHERE ${IS_SIGNED_IN}`,
    params: [familyId, userId, now],
  };
}

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The most wrong codes of an account from one address in an hour, and from all together in a day. */
const MAX_OF_ADDRESS = 10;
const MAX_OF_ACCOUNT = 50;

interface CodeTry {
  readonly id: string;
  readonly userId: string;
  readonly address: string;
  readonly now: number;
  /** True for a browser in which the user has signed in before. Strangers have half of its tries, so that it stays open. */
  readonly isKnown: boolean;
}

/**
 * Counts a code before it is compared, so that no two at once pass the limit, and records it as a wrong one. The first
 * statement returns a row unless there were too many.
 */
export function insertTry({ id, userId, address, now, isKnown }: CodeTry): Statement[] {
  return [
    {
      sql: `INSERT INTO code_tries (user_id, tried_at, id, address)
          SELECT id, ?2, ?3, ?4 FROM users
          WHERE id = ?1 AND (SELECT count(*) FROM code_tries WHERE user_id = ?1 AND tried_at > ?2 - ${DAY_MS}) < ?5
            AND (?6 OR ${MAX_OF_ADDRESS} > (
              SELECT count(*) FROM code_tries WHERE user_id = ?1 AND tried_at > ?2 - ${HOUR_MS} AND address = ?4))
          RETURNING id`,
      params: [userId, now, id, address, isKnown ? 2 * MAX_OF_ACCOUNT : MAX_OF_ACCOUNT, isKnown ? 1 : 0],
    },
    {
      sql: `INSERT INTO sign_ins (user_id, at, id, way, outcome)
          SELECT user_id, tried_at, id, 'app', 'wrong_code' FROM code_tries WHERE user_id = ?1 AND tried_at = ?2 AND id = ?3`,
      params: [userId, now, id],
    },
  ];
}

/** After the statements of what a right code was spent for: its try was none of a wrong one. */
export function deleteTry({ id, userId, now }: Pick<CodeTry, 'id' | 'userId' | 'now'>, spentFor: string): Statement[] {
  return [
    ['code_tries', 'tried_at'],
    ['sign_ins', 'at'],
  ].map(([table, at]) => ({
    sql: `DELETE FROM ${table} WHERE user_id = ?1 AND ${at} = ?2 AND id = ?3 AND ${wasSpent('?1', '?4')}`,
    params: [userId, now, id, spentFor],
  }));
}

/** True if a code of the user was spent for this. */
const wasSpent = (userId: string, spentFor: string) => `(
    EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = ${userId} AND spent_by = ${spentFor})
    OR EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ${userId} AND spent_by = ${spentFor}))`;

export function deleteTriesBefore(at: number): Statement {
  return { sql: `DELETE FROM code_tries WHERE user_id IN (SELECT id FROM users) AND tried_at < ?1`, params: [at] };
}

export interface StepRow {
  readonly name: string;
  readonly password_hash: string;
  readonly disabled_at: number | null;
  readonly factor_version: number;
  readonly seed: string | null;
}

/** The user of a second step, and the sealed seed of their app. */
export function selectStep(userId: string): Statement {
  return {
    sql: `SELECT u.name, u.password_hash, u.disabled_at, u.factor_version, t.seed
          FROM users u LEFT JOIN totp_seeds t ON t.user_id = u.id WHERE u.id = ?1`,
    params: [userId],
  };
}

/** A code that is right, as far as it was not used before. */
export type RightCode = { readonly step: number } | { readonly recoveryHash: string };

/** Spends a code for one thing, unless it has been spent: of two requests at once one finds it. */
export function spendCode(userId: string, code: RightCode, spentFor: string, now: number): Statement {
  return 'step' in code
    ? {
        sql: `UPDATE totp_seeds SET last_step = ?2, spent_by = ?3 WHERE user_id = ?1 AND last_step < ?2`,
        params: [userId, code.step, spentFor],
      }
    : {
        sql: `UPDATE recovery_codes SET spent_at = ?4, spent_by = ?3 WHERE user_id = ?1 AND hash = ?2 AND spent_at IS NULL`,
        params: [userId, code.recoveryHash, spentFor, now],
      };
}

/** Returns a row if the session is confirmed: by a code that was spent for `spentFor`, or by the password with this hash. */
export function confirmSession(
  { familyId, userId }: SessionRef,
  now: number,
  by: { readonly spentFor: string } | { readonly passwordHash: string },
): Statement {
  const [condition, param] =
    'spentFor' in by
      ? [wasSpent('?2', '?4'), by.spentFor]
      : [`EXISTS (SELECT 1 FROM users WHERE id = ?2 AND password_hash = ?4)`, by.passwordHash];
  return {
    sql: `UPDATE token_families SET confirmed_at = ?3 WHERE id = ?1 AND ${IS_SIGNED_IN} AND ${condition} RETURNING id`,
    params: [familyId, userId, now, param],
  };
}

/** True if the session ?1 of the user ?2 was confirmed after ?4, and is valid at ?3. */
const IS_CONFIRMED = `${IS_SIGNED_IN} AND EXISTS (
    SELECT 1 FROM token_families WHERE id = ?1 AND coalesce(confirmed_at, started_at) >= ?4)`;

interface NewApp {
  readonly seed: string;
  /** The step of the code that showed that the app has the seed. */
  readonly step: number;
  readonly confirmedSince: number;
}

/** The first statement returns a row if the app was added: the user has none, and has confirmed who they are. */
export function insertApp({ familyId, userId }: SessionRef, now: number, app: NewApp): Statement[] {
  return [
    {
      sql: `INSERT INTO totp_seeds (user_id, seed, created_at, last_step)
            SELECT ?2, ?5, ?3, ?6 WHERE ${IS_CONFIRMED} ON CONFLICT (user_id) DO NOTHING RETURNING user_id`,
      params: [familyId, userId, now, app.confirmedSince, app.seed, app.step],
    },
    {
      sql: `UPDATE users SET factor_since = coalesce(factor_since, ?2)
            WHERE id = ?1 AND EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = ?1 AND created_at = ?2)`,
      params: [userId, now],
    },
  ];
}

/** After `insertApp`: signs all other browsers out, since who knew the password may be signed in there. */
export function endOthersAfterApp({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `UPDATE token_families SET ended_at = ?3
          WHERE user_id = ?2 AND id <> ?1 AND ended_at IS NULL AND id IN (SELECT family_id FROM sessions)
            AND EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = ?2 AND created_at = ?3)`,
    params: [familyId, userId, now],
  };
}

/** True if the user ?2 has a second factor left. */
const HAS_FACTOR_LEFT = `EXISTS (
    SELECT 1 FROM users u WHERE u.id = ?2
      AND (u.passkeys_are_factor = 1 OR EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = u.id)))`;

/** The first statement returns a row if there was an app to remove. Recovery codes go with the last factor. */
export function deleteApp({ familyId, userId }: SessionRef, now: number, confirmedSince: number): Statement[] {
  return [
    {
      sql: `DELETE FROM totp_seeds WHERE user_id = ?2 AND ${IS_CONFIRMED} RETURNING user_id`,
      params: [familyId, userId, now, confirmedSince],
    },
    ...endWithoutFactor({ familyId, userId }, now),
  ];
}

/** After a factor was removed: without another one, a sign-in needs none, and recovery codes have no use. */
function endWithoutFactor({ familyId, userId }: SessionRef, now: number): Statement[] {
  const params = [familyId, userId, now];
  return [
    {
      sql: `UPDATE users SET factor_since = NULL WHERE id = ?2 AND ${IS_SIGNED_IN} AND NOT ${HAS_FACTOR_LEFT}`,
      params,
    },
    {
      sql: `DELETE FROM recovery_codes WHERE user_id = ?2 AND ${IS_SIGNED_IN} AND NOT ${HAS_FACTOR_LEFT}`,
      params,
    },
  ];
}

/** Replaces the recovery codes of a user who has a factor; the last statement returns a row for each new one. */
export function replaceRecoveryCodes(
  { familyId, userId }: SessionRef,
  now: number,
  { hashes, confirmedSince }: { readonly hashes: readonly string[]; readonly confirmedSince: number },
): Statement[] {
  const params = [familyId, userId, now, confirmedSince];
  const may = `${IS_CONFIRMED} AND EXISTS (SELECT 1 FROM users WHERE id = ?2 AND factor_since IS NOT NULL)`;
  return [
    { sql: `DELETE FROM recovery_codes WHERE user_id = ?2 AND ${may}`, params },
    {
      sql: `INSERT INTO recovery_codes (user_id, hash) SELECT ?2, value FROM json_each(?5) WHERE ${may} RETURNING hash`,
      params: [...params, JSON.stringify(hashes)],
    },
  ];
}

/** Stores recovery codes for a user who has a factor and no code left; returns a row for each. */
export function insertMissingCodes(
  { familyId, userId }: SessionRef,
  now: number,
  hashes: readonly string[],
): Statement {
  return {
    sql: `INSERT INTO recovery_codes (user_id, hash) SELECT ?2, value FROM json_each(?4)
          WHERE ${IS_SIGNED_IN} AND EXISTS (SELECT 1 FROM users WHERE id = ?2 AND factor_since IS NOT NULL)
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
