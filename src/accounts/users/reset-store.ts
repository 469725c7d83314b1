import type { Statement } from '../../database/database.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../access.ts';
import { insertAudit } from '../audit/write-audit.ts';
import { BELONGS_ELSEWHERE } from '../members/member-store.ts';

/** The SQL of links by which users choose a new password. */

export interface NewReset {
  readonly id: string;
  readonly tokenHash: string;
  readonly expiresAt: number;
}

/**
 * True if an owner may create a link for the member `m`: it is another user, whose account is not disabled. Whether
 * they belong to other clients as well is not the owner's to know: a link is created in both cases, and `IS_USABLE`
 * decides later what it can do.
 */
const IS_RESETTABLE = `m.user_id = ?8 AND m.client_id = ${SOLE_CLIENT}
  AND m.user_id NOT IN (SELECT user_id FROM acting)
  AND EXISTS (SELECT 1 FROM users WHERE id = m.user_id AND disabled_at IS NULL)`;

/**
 * Inserts a link for a member and its audit entry, and ends the former links: three statements; the second
 * returns the user's name if it did. Of a member of several clients, links that others created stay.
 */
export function insertMemberReset(actor: Actor, now: number, userId: string, reset: NewReset): Statement[] {
  const acting = actingParams(actor, 'members', now);
  return [
    {
      sql: `${ACTING}
        UPDATE password_resets SET ended_at = ?5
        WHERE ended_at IS NULL AND user_id IN (
          SELECT m.user_id FROM members m WHERE ${IS_RESETTABLE}
            AND (password_resets.client_id = m.client_id OR NOT ${BELONGS_ELSEWHERE}))`,
      params: [...acting, userId],
    },
    {
      sql: `${ACTING}
        INSERT INTO password_resets (id, token_hash, user_id, client_id, made_by, created_at, expires_at)
        SELECT ?9, ?10, m.user_id, m.client_id, (SELECT user_id FROM acting), ?5, ?11 FROM members m WHERE ${IS_RESETTABLE}
        RETURNING (SELECT name FROM users WHERE id = ?8) AS name`,
      params: [...acting, userId, reset.id, reset.tokenHash, reset.expiresAt],
    },
    insertAudit(actor, 'members', now, {
      action: 'member.reset_link_made',
      subjects: `SELECT r.client_id, r.user_id, u.name, NULL FROM password_resets r JOIN users u ON u.id = r.user_id WHERE r.id = ?8`,
      params: [reset.id],
    }),
  ];
}

/** For the operator: ends the former links of a user and inserts one. */
export function insertReset(userId: string, now: number, { id, tokenHash, expiresAt }: NewReset): Statement[] {
  return [
    endResetsOf(userId, now),
    {
      sql: `INSERT INTO password_resets (id, token_hash, user_id, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)`,
      params: [id, tokenHash, userId, now, expiresAt],
    },
  ];
}

/** For the batch that changes a password: no link outlives the password it was created for. */
export function endResetsOf(userId: string, now: number): Statement {
  return {
    sql: `UPDATE password_resets SET ended_at = ?2 WHERE user_id = ?1 AND ended_at IS NULL`,
    params: [userId, now],
  };
}

/**
 * True if the page of the link `r` is shown at ?2. A link that an owner created is no longer valid once that owner
 * loses the role, or once the user has left the client.
 */
const IS_OPEN = `r.ended_at IS NULL AND r.expires_at > ?2
  AND EXISTS (SELECT 1 FROM users WHERE id = r.user_id AND disabled_at IS NULL)
  AND (r.client_id IS NULL OR EXISTS (
    SELECT 1 FROM members m
    JOIN members om ON om.client_id = m.client_id AND om.user_id = r.made_by AND om.role = 'owner'
    JOIN users ou ON ou.id = om.user_id AND ou.disabled_at IS NULL
    WHERE m.user_id = r.user_id AND m.client_id = r.client_id))`;

/**
 * True if the link `r` can set a password at ?2. That of an owner cannot while the user belongs to another client as
 * well: its data would be open to this owner. Nor can it if the user signs in by a provider that is not the client's own:
 * the user would not notice the password, and it would open all clients that they join later.
 */
const IS_USABLE = `${IS_OPEN} AND (r.client_id IS NULL OR EXISTS (
    SELECT 1 FROM members m
    WHERE m.user_id = r.user_id AND m.client_id = r.client_id AND NOT ${BELONGS_ELSEWHERE}
      AND NOT EXISTS (
        SELECT 1 FROM identities i JOIN providers p ON p.id = i.provider_id
        WHERE i.user_id = m.user_id AND p.client_id IS NOT m.client_id)))`;

export interface ResetRow {
  readonly user_name: string;
  readonly expires_at: number;
  readonly is_open: number;
}

export function selectReset(tokenHash: string, now: number): Statement {
  return {
    sql: `SELECT u.name AS user_name, r.expires_at, ${IS_OPEN} AS is_open
          FROM password_resets r JOIN users u ON u.id = r.user_id WHERE r.token_hash = ?1`,
    params: [tokenHash, now],
  };
}

const USER_OF_LINK = `(SELECT r.user_id FROM password_resets r WHERE r.token_hash = ?1 AND ${IS_USABLE})`;

/**
 * Uses up a usable link to set a new password: ends all families and all links of the user, and adds an entry to the
 * audit log of each of their clients. Four statements; the second returns a row if it did.
 */
export function useReset(tokenHash: string, passwordHash: string, now: number): Statement[] {
  const params = [tokenHash, now];
  return [
    {
      sql: `INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, user_id, credential_kind,
              credential_id)
            SELECT m.client_id, ?2, lower(hex(randomblob(8))), 'member.password_reset', u.id, u.name, u.id, 'reset', r.id
            FROM password_resets r JOIN users u ON u.id = r.user_id JOIN members m ON m.user_id = u.id
            WHERE r.token_hash = ?1 AND u.id = ${USER_OF_LINK}`,
      params,
    },
    {
      sql: `UPDATE users SET password_hash = ?3, factor_version = factor_version + 1 WHERE id = ${USER_OF_LINK} RETURNING id`,
      params: [...params, passwordHash],
    },
    {
      sql: `UPDATE token_families SET ended_at = ?2 WHERE user_id = ${USER_OF_LINK} AND ended_at IS NULL`,
      params,
    },
    {
      sql: `UPDATE password_resets SET ended_at = ?2 WHERE user_id = ${USER_OF_LINK} AND ended_at IS NULL`,
      params,
    },
  ];
}

export function deleteResetsBefore(expiredBefore: number): Statement {
  return { sql: `DELETE FROM password_resets WHERE expires_at < ?1`, params: [expiredBefore] };
}
