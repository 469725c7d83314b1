import { recordAudited } from '../audit/audit-events.ts';
import type { Statement } from '../../database/database.ts';
import { ANOTHER_OWNER, IS_EMERGENCY_OWNER } from '../members/member-store.ts';
import { IS_CONFIRMED } from '../sessions/confirmation-store.ts';
import { IS_SIGNED_IN, type SessionRef } from '../sessions/session-store.ts';
import { CLIENTS_OF_USER } from '../members/user-clients.ts';
import { HAS_PASSWORD } from './password.ts';
import { DAY_MS } from '../../time/day.ts';

/** The SQL by which users delete their own accounts. */

/** The memberships of the user ?2 that keep them from it: those of a last owner, and of an emergency owner. */
const BLOCKING = `FROM members m
  WHERE m.user_id = ?2 AND ((m.role = 'owner' AND NOT ${ANOTHER_OWNER}) OR ${IS_EMERGENCY_OWNER})`;

export interface BlockingRow {
  readonly client_id: string;
  readonly name: string;
  /** The number of members besides the user. */
  readonly others: number;
  readonly is_emergency_owner: number;
}

export function selectBlocking({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `SELECT m.client_id, (SELECT coalesce(c.name, c.id) FROM clients c WHERE c.id = m.client_id) AS name,
            (SELECT count(*) FROM members o WHERE o.client_id = m.client_id AND o.user_id <> ?2) AS others,
            ${IS_EMERGENCY_OWNER} AS is_emergency_owner
          ${BLOCKING} AND ${IS_SIGNED_IN} ORDER BY m.created_at, m.client_id`,
    params: [familyId, userId, now],
  };
}

export interface ClientRow {
  readonly client_id: string;
}

export function selectClientsOf({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `SELECT client_id FROM (${CLIENTS_OF_USER}) WHERE ${IS_SIGNED_IN}`,
    params: [familyId, userId, now],
  };
}

/**
 * Removes the name of a user, and those that they gave to their keys, from the audit log of one client. The entries stay,
 * with ids that name no one. Keys that others have adopted keep their names.
 */
export function forgetName(userId: string, name: string, clientId: string): Statement[] {
  return [
    {
      sql: `UPDATE audit_entries SET subject_name = NULL WHERE client_id = ?1 AND subject_id = ?2 AND subject_name IS NOT NULL`,
      params: [clientId, userId],
    },
    {
      sql: `UPDATE audit_entries SET details = json_remove(details, '$.former_holder')
            WHERE client_id = ?1 AND details ->> 'former_holder' = ?2`,
      params: [clientId, name],
    },
    {
      sql: `UPDATE audit_entries SET subject_name = NULL, details = json_remove(details, '$.former_name')
            WHERE client_id = ?1 AND substr(action, 1, 4) = 'key.' AND subject_id IN (
                SELECT id FROM api_keys WHERE client_id = ?1 AND user_id = ?2
                UNION SELECT subject_id FROM audit_entries WHERE client_id = ?1 AND user_id = ?2 AND action = 'key.created')
              AND subject_id NOT IN (SELECT id FROM api_keys WHERE client_id = ?1 AND user_id <> ?2)`,
      params: [clientId, userId],
    },
  ];
}

/** True if the statement before it has marked the user ?1. No password has this hash. */
const IS_MARKED = `EXISTS (SELECT 1 FROM users WHERE id = ?1 AND password_hash = '')`;

/** The tables with rows that belong to users, and which of their rows do, in an order that foreign keys allow. */
const ROWS_OF_USERS: readonly (readonly [table: string, rows: (users: string) => string])[] = [
  ['refresh_tokens', ofFamilies],
  ['sessions', ofFamilies],
  ['oauth_grants', ofFamilies],
  ['oauth_codes', ofUsers],
  ['token_families', ofUsers],
  ['totp_seeds', ofUsers],
  ['recovery_codes', ofUsers],
  ['code_tries', ofUsers],
  ['application_passwords', ofUsers],
  ['sign_ins', ofUsers],
  ['passkeys', ofUsers],
  ['identities', ofUsers],
  ['mails', ofUsers],
  ['mail_addresses', ofUsers],
  ['api_keys', ofUsers],
  ['invites', ofUsers],
  ['password_resets', (users) => `user_id IN ${users} OR made_by IN ${users}`],
  ['encode_days', ofUsers],
  ['members', ofUsers],
  ['suspended_members', ofUsers],
];

function ofUsers(users: string): string {
  return `user_id IN ${users}`;
}

function ofFamilies(users: string): string {
  return `family_id IN (SELECT id FROM token_families WHERE user_id IN ${users})`;
}

/**
 * Deletes users that an earlier statement of the batch has marked by the hash '', which no password has, with all rows that
 * belong to them.
 *
 * @param users their ids, as a list in SQL with the parameter ?1
 */
export function deleteMarked(users: string, param: string): Statement[] {
  const marked = `(SELECT id FROM users WHERE id IN ${users} AND password_hash = '')`;
  const params = [param];
  return [
    { sql: `UPDATE invites SET accepted_by = NULL WHERE accepted_by IN ${marked}`, params },
    { sql: `UPDATE deletions SET user_id = '' WHERE user_id IN ${marked}`, params },
    ...ROWS_OF_USERS.map(([table, rows]) => ({ sql: `DELETE FROM ${table} WHERE ${rows(marked)}`, params })),
    { sql: `DELETE FROM users WHERE id IN ${users} AND password_hash = ''`, params },
  ];
}

/**
 * Deletes a user whose password was just verified and is still the same, unless they are the last owner of a client. The
 * first statement returns a row if it does. Each client keeps an entry in its audit log, without the name.
 *
 * @param passwordHash null for a user without a password, whose session was confirmed within ten minutes
 */
export function deleteUser({ familyId, userId }: SessionRef, passwordHash: string | null, now: number): Statement[] {
  const entry = (action: string, subject: string, name: string, details: string, rows: string): Statement => ({
    sql: `INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id,
            credential_kind, credential_id)
          SELECT m.client_id, ?2, lower(hex(randomblob(8))), '${action}', ${subject}, ${name}, ${details}, ?1, 'session', ?3
          FROM ${rows} AND ${IS_MARKED}`,
    params: [userId, now, familyId],
  });
  return [
    {
      sql: `UPDATE users AS u SET password_hash = '' WHERE id = ?2 AND ${IS_SIGNED_IN}
              AND CASE WHEN ?4 IS NULL THEN NOT ${HAS_PASSWORD} AND ${IS_CONFIRMED} ELSE password_hash = ?4 END
              AND NOT EXISTS (SELECT 1 ${BLOCKING}) RETURNING id`,
      params: [familyId, userId, now, passwordHash],
    },
    entry('key.revoked', 'm.id', 'm.name', 'NULL', 'api_keys m WHERE m.user_id = ?1 AND m.revoked_at IS NULL'),
    recordAudited(now, 'SELECT client_id FROM api_keys WHERE user_id = ?2', [userId]),
    // The event about it has the name of the key, as all such events.
    {
      sql: `UPDATE audit_entries SET subject_name = NULL
            WHERE user_id = ?1 AND created_at = ?2 AND action = 'key.revoked' AND ${IS_MARKED}
              AND client_id IN (SELECT client_id FROM members WHERE user_id = ?1)`,
      params: [userId, now],
    },
    entry('member.removed', '?1', 'NULL', `json_object('role', m.role)`, 'members m WHERE m.user_id = ?1'),
    // They are counted for their addresses: else new accounts, each deleted, would mail to one without a bound.
    {
      sql: `UPDATE mails SET user_id = NULL WHERE user_id = ?1 AND kind = 'confirm' AND created_at > ?2 AND ${IS_MARKED}`,
      params: [userId, now - DAY_MS],
    },
    ...deleteMarked('(?1)', userId),
  ];
}
