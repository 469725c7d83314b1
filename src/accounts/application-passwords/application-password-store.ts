import type { Statement } from '../../database/database.ts';
import { IS_IN_SESSION, type SessionRef } from '../sessions/session-store.ts';

/** The SQL by which users manage their application passwords. In all of it ?1 to ?3 are those of `IS_IN_SESSION`. */

export interface PasswordRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

const COLUMNS = 'p.id, p.name, p.created_at, p.last_used_at, p.revoked_at';

/** The client that the session ?1 opens alone, or NULL. What it creates has the same limit. */
const LIMIT_OF_SESSION = '(SELECT client_id FROM token_families WHERE id = ?1)';

const PROVIDER_OF_SESSION = '(SELECT provider_id FROM token_families WHERE id = ?1)';

/** True if the session may see the application password `p`. */
const IS_OWN = `p.user_id = ?2 AND coalesce(p.client_id = ${LIMIT_OF_SESSION}, ${LIMIT_OF_SESSION} IS NULL) AND ${IS_IN_SESSION}`;

const IS_WORKING = 'p.revoked_at IS NULL';

/**
 * The most working application passwords of a user, and beside them of each workspace whose provider alone opens it, so that
 * its owner uses up none of the account's; and the most revoked ones that are kept.
 */
export const MAX_PASSWORDS = 50;
const MAX_REVOKED = 200;

export function selectPasswords({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `SELECT ${COLUMNS} FROM application_passwords p WHERE ${IS_OWN} AND ${IS_WORKING}
          ORDER BY p.created_at DESC, p.id DESC`,
    params: [familyId, userId, now],
  };
}

export function selectPassword({ familyId, userId }: SessionRef, now: number, id: string): Statement {
  return {
    sql: `SELECT ${COLUMNS} FROM application_passwords p WHERE p.id = ?4 AND ${IS_OWN}`,
    params: [familyId, userId, now, id],
  };
}

interface NewPassword {
  readonly id: string;
  readonly name: string;
  readonly secretHash: string;
  /** That of the form, which creates one however often it is sent. */
  readonly nonce: string;
}

/**
 * Three statements: inserts an application password, unless its form was sent before or the user has too many; deletes
 * the oldest revoked ones beyond the bound; and selects the one that the form has created.
 */
export function insertPassword({ familyId, userId }: SessionRef, now: number, added: NewPassword): Statement[] {
  return [
    {
      sql: `INSERT INTO application_passwords (id, user_id, name, secret_hash, nonce, client_id, provider_id, created_at)
            SELECT ?4, ?2, ?5, ?6, ?7, ${LIMIT_OF_SESSION}, ${PROVIDER_OF_SESSION}, ?3
            WHERE ${IS_IN_SESSION}
              AND (SELECT count(*) FROM application_passwords p WHERE p.user_id = ?2 AND p.client_id IS ${LIMIT_OF_SESSION}
                AND ${IS_WORKING}) < ${MAX_PASSWORDS}
            ON CONFLICT (user_id, nonce) DO NOTHING`,
      params: [familyId, userId, now, added.id, added.name, added.secretHash, added.nonce],
    },
    {
      sql: `DELETE FROM application_passwords WHERE id IN (
              SELECT p.id FROM application_passwords p WHERE ${IS_OWN} AND NOT ${IS_WORKING}
              ORDER BY p.revoked_at DESC, p.id DESC LIMIT -1 OFFSET ${MAX_REVOKED})`,
      params: [familyId, userId, now],
    },
    {
      sql: `SELECT ${COLUMNS} FROM application_passwords p WHERE p.nonce = ?4 AND ${IS_OWN}`,
      params: [familyId, userId, now, added.nonce],
    },
  ];
}

/** Revokes an application password, and ends the token families that began with it. */
export function revokePassword({ familyId, userId }: SessionRef, now: number, id: string): Statement[] {
  const params = [familyId, userId, now, id];
  return [
    {
      sql: `UPDATE application_passwords AS p SET revoked_at = ?3 WHERE p.id = ?4 AND ${IS_WORKING} AND ${IS_OWN}`,
      params,
    },
    {
      sql: `UPDATE token_families SET ended_at = ?3
            WHERE user_id = ?2 AND began_by = 'application_password' AND begun_with = ?4 AND ended_at IS NULL
              AND EXISTS (SELECT 1 FROM application_passwords p WHERE p.id = ?4 AND NOT ${IS_WORKING} AND ${IS_OWN})`,
      params,
    },
  ];
}

/**
 * When a program last got tokens with the own password of the user `u`, in SQL. Families that began before that was noted
 * are counted by themselves, as long as they are kept.
 */
export const BASIC_USED_AT = `coalesce(u.basic_used_at, (
    SELECT max(f.started_at) FROM token_families f
    WHERE f.user_id = u.id AND f.began_by IS NULL AND f.id NOT IN (SELECT family_id FROM sessions)))`;

export function selectBasicUse({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    // That of the account is not for a session that opens one workspace alone.
    sql: `SELECT iif(${LIMIT_OF_SESSION} IS NULL, ${BASIC_USED_AT}, NULL) AS used_at FROM users u WHERE u.id = ?2 AND ${IS_IN_SESSION}`,
    params: [familyId, userId, now],
  };
}

/** For the daily clean-up: the history of sign-ins no longer names these. */
export function deletePasswordsRevokedBefore(at: number): Statement {
  return { sql: 'DELETE FROM application_passwords WHERE revoked_at < ?1', params: [at] };
}
