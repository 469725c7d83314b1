import type { Statement } from '../../database/database.ts';
import { LACKS_PROVIDER } from '../grants.ts';
import { wasSpentFor } from '../factors/spent.ts';

/**
 * The SQL of sessions. A session is a token family with one token, the value of its cookie, which is stored as a hash.
 */

const OF_VALID_SESSION = `FROM token_families f JOIN users u ON u.id = f.user_id
    WHERE f.id = ?1 AND f.user_id = ?2 AND f.ended_at IS NULL AND f.ends_at > ?3 AND u.disabled_at IS NULL`;

/** True if the family ?1 of the user ?2 is valid at ?3, also if it opens one workspace alone. */
export const IS_IN_SESSION = `EXISTS (SELECT 1 ${OF_VALID_SESSION})`;

/**
 * True if the family ?1 of the user ?2 is valid at ?3, and opens all of the account: the condition of all that a session
 * reads and changes of its user. One that opens a workspace alone began at the word of that workspace's owner.
 */
export const IS_SIGNED_IN = `EXISTS (SELECT 1 ${OF_VALID_SESSION} AND f.client_id IS NULL)`;

/** True if the session ?1 may see the family `f` of its user: all of them, or itself if it opens one workspace alone. */
export const IS_SEEN = `(f.id = ?1 OR (SELECT client_id IS NULL FROM token_families WHERE id = ?1))`;

/** The session of a request, as the parameters ?1 and ?2 of `IS_SIGNED_IN`. */
export interface SessionRef {
  readonly familyId: string;
  readonly userId: string;
}

interface NewSession {
  readonly familyId: string;
  readonly hash: string;
  readonly userId: string;
  readonly passwordHash: string;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly browser: string | null;
  readonly os: string | null;
  readonly country: string | null;
  readonly beganBy: BeganBy;
  /** The session that it replaces, which an earlier statement of the same batch ends; or null. */
  readonly replaces: string | null;
  /** The provider that has confirmed the user in the first step, or null. */
  readonly provider: string | null;
}

/** The beginning of a family of tokens. */
export type BeganBy = 'password' | 'app' | 'recovery_code' | 'passkey' | 'provider';

/**
 * True if the user `users` has no second factor, or the family ?1 is what a code or a passkey of theirs was spent for,
 * earlier in the same batch.
 */
const HAS_SPENT_CODE = `(factor_since IS NULL OR ${wasSpentFor('users.id', '?1')})`;

/** True if the family ?1 is what a passkey of the user `users` was used for, earlier in the same batch. */
const HAS_USED_PASSKEY = wasSpentFor('users.id', '?1', ['passkeys']);

/**
 * The first of these statements returns a row unless the user's password or status has changed meanwhile, a second factor
 * is missing, or the passkey by which the session begins was not used for it. A session that replaces another one is no
 * sign-in.
 */
export function insertSession(session: NewSession): Statement[] {
  return [
    {
      sql: `INSERT INTO token_families (id, user_id, started_at, ends_at, began_by, provider_id)
            SELECT ?1, id, ?4, ?5, ?6, ?8 FROM users
            WHERE id = ?2 AND password_hash = ?3 AND disabled_at IS NULL
              AND (${HAS_SPENT_CODE} OR EXISTS (
                SELECT 1 FROM token_families WHERE id = ?7 AND user_id = ?2 AND ended_at = ?4))
              AND (?6 <> 'passkey' OR ${HAS_USED_PASSKEY})
            RETURNING id`,
      params: [
        session.familyId,
        session.userId,
        session.passwordHash,
        session.startedAt,
        session.endsAt,
        session.beganBy,
        session.replaces,
        session.provider,
      ],
    },
    insertBrowser(session),
    ...(session.replaces === null ? [recordSessionBegun(session.familyId)] : []),
    // The way of the owner for emergencies is never the password alone.
    ...(session.beganBy === 'password' ? [] : [recordEmergency(session.familyId)]),
  ];
}

/** After the statements that begin a session: records it in the clients that it opens without the provider they demand. */
function recordEmergency(familyId: string): Statement {
  return {
    sql: `INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id,
            credential_kind, credential_id)
          SELECT c.id, f.started_at, lower(hex(randomblob(8))), 'member.emergency_sign_in', u.id, u.name,
            json_object('way', f.began_by), u.id, 'session', f.id
          FROM token_families f JOIN users u ON u.id = f.user_id
          JOIN members m ON m.user_id = u.id JOIN clients c ON c.id = m.client_id
          WHERE f.id = ?1 AND c.break_glass_id = u.id AND c.required_provider IS NOT f.provider_id AND NOT ${LACKS_PROVIDER}`,
    params: [familyId],
  };
}

/** After the statement that begins the family of a session: stores its cookie, and the browser. */
export function insertBrowser({
  hash,
  familyId,
  browser,
  os,
  country,
}: Pick<NewSession, 'hash' | 'familyId' | 'browser' | 'os' | 'country'>): Statement {
  return {
    sql: `INSERT INTO sessions (hash, family_id, seen_at, browser, os, country)
          SELECT ?1, id, started_at, ?3, ?4, ?5 FROM token_families WHERE id = ?2`,
    params: [hash, familyId, browser, os, country],
  };
}

/** After the statements that begin a session: records it for its user. */
export function recordSessionBegun(familyId: string): Statement {
  return {
    sql: `INSERT INTO sign_ins (user_id, at, id, way, outcome, browser, os, country)
          SELECT f.user_id, f.started_at, f.id, f.began_by, 'success', s.browser, s.os, s.country
          FROM token_families f JOIN sessions s ON s.family_id = f.id WHERE f.id = ?1`,
    params: [familyId],
  };
}

/** After `insertSession`: UTC, which accounts begin with, counts as none as long as the user never signed in before. */
export function setFirstTimeZone(
  { familyId, userId }: Pick<NewSession, 'familyId' | 'userId'>,
  timeZone: string,
): Statement {
  return {
    sql: `UPDATE users SET time_zone = ?3
          WHERE id = ?2 AND time_zone = 'UTC'
            AND EXISTS (SELECT 1 FROM token_families WHERE id = ?1 AND user_id = ?2)
            AND NOT EXISTS (SELECT 1 FROM token_families WHERE user_id = ?2 AND id <> ?1)`,
    params: [familyId, userId, timeZone],
  };
}

/** Returns a row if it changed the password: the session is valid, and the password is still the one just verified. */
export function updateOwnPassword(
  { familyId, userId }: SessionRef,
  now: number,
  hashes: { readonly verified: string; readonly next: string },
): Statement {
  return {
    sql: `UPDATE users SET password_hash = ?5, factor_version = factor_version + 1
          WHERE id = ?2 AND password_hash = ?4 AND ${IS_SIGNED_IN} RETURNING id`,
    params: [familyId, userId, now, hashes.verified, hashes.next],
  };
}

/** After `updateOwnPassword`: ends every family and reset link of the user, if the password is the new one. */
export function endAllUnder(userId: string, passwordHash: string, now: number): Statement[] {
  return ['token_families', 'password_resets'].map((table) => ({
    sql: `UPDATE ${table} SET ended_at = ?3
          WHERE user_id = ?1 AND ended_at IS NULL
            AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND password_hash = ?2)`,
    params: [userId, passwordHash, now],
  }));
}

export function deleteSessionsOfEndedFamilies(now: number): Statement {
  return {
    sql: `DELETE FROM sessions WHERE family_id IN (SELECT id FROM token_families WHERE ends_at <= ?1)`,
    params: [now],
  };
}
