import type { Statement } from '../../database/database.ts';
import { andHolds } from '../../database/matcher.ts';
import { rowsOfPage, type Page } from '../../input/pagination.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../access.ts';
import { insertAudit } from '../audit/write-audit.ts';
import type { KeysOfRemoved, Role } from '../roles.ts';

/** The SQL by which owners manage members. */

export interface MemberRow {
  readonly local_id: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at: number;
  readonly disabled_at: number | null;
}

const COLUMNS = `m.user_id AS local_id, u.name, m.role, m.created_at, u.disabled_at`;

const IS_THE_MEMBER = `m.user_id = ?8 AND m.client_id = ${SOLE_CLIENT}`;

/** True if the client of the member `m` has another owner who is not disabled. */
export const ANOTHER_OWNER = `EXISTS (
    SELECT 1 FROM members om JOIN users ou ON ou.id = om.user_id
    WHERE om.client_id = m.client_id AND om.user_id <> m.user_id AND om.role = 'owner' AND ou.disabled_at IS NULL
  )`;

/** True if the member `m` opens the client also when the provider that it demands fails. */
export const IS_EMERGENCY_OWNER = `EXISTS (
    SELECT 1 FROM clients ec WHERE ec.id = m.client_id AND ec.required_provider IS NOT NULL AND ec.break_glass_id = m.user_id
  )`;

/** True if the member `m` belongs to another client as well, also to one that is deleted: its owner can restore it. */
export const BELONGS_ELSEWHERE = `(EXISTS (
    SELECT 1 FROM members elsewhere WHERE elsewhere.user_id = m.user_id AND elsewhere.client_id <> m.client_id
  ) OR EXISTS (SELECT 1 FROM suspended_members deleted WHERE deleted.user_id = m.user_id))`;

/** @param name a part of the names; '' for all members */
export function selectMembers(actor: Actor, now: number, { after, limit }: Page, name: string): Statement {
  const params = [...actingParams(actor, 'members', now), ...after, rowsOfPage(limit)];
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.client_id = ${SOLE_CLIENT} AND (m.created_at, m.user_id) < (?8, ?9)${andHolds('u.name', name, params)}
      ORDER BY m.created_at DESC, m.user_id DESC LIMIT ?10`,
    params,
  };
}

export function selectMember(actor: Actor, now: number, userId: string): Statement {
  return {
    sql: `${ACTING} SELECT ${COLUMNS} FROM members m JOIN users u ON u.id = m.user_id WHERE ${IS_THE_MEMBER}`,
    params: [...actingParams(actor, 'members', now), userId],
  };
}

export interface MemberDetailsRow extends MemberRow {
  readonly keys: number;
  readonly is_last_owner: number;
}

export function selectMemberDetails(actor: Actor, now: number, userId: string): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS},
        m.role = 'owner' AND NOT ${ANOTHER_OWNER} AS is_last_owner,
        (SELECT count(*) FROM api_keys k WHERE k.client_id = m.client_id AND k.user_id = m.user_id
          AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?5)) AS keys
      FROM members m JOIN users u ON u.id = m.user_id WHERE ${IS_THE_MEMBER}`,
    params: [...actingParams(actor, 'members', now), userId],
  };
}

/**
 * Changes a member's role, unless that would leave the client without an owner; the second statement returns a row if
 * it did.
 */
export function updateRole(actor: Actor, now: number, userId: string, role: Role): Statement[] {
  const change = `${IS_THE_MEMBER} AND m.role <> ?9 AND (?9 = 'owner' OR ${ANOTHER_OWNER})`;
  return [
    insertAudit(actor, 'members', now, {
      action: 'member.role_changed',
      subjects: `SELECT m.client_id, m.user_id, u.name, json_object('role', ?9, 'former_role', m.role)
        FROM members m JOIN users u ON u.id = m.user_id WHERE ${change}`,
      params: [userId, role],
    }),
    {
      sql: `${ACTING} UPDATE members AS m SET role = ?9 WHERE ${change} RETURNING user_id`,
      params: [...actingParams(actor, 'members', now), userId, role],
    },
  ];
}

/**
 * Removes a member, ends their grants to applications, and ends their keys or gives them to the actor: five statements;
 * the third returns a row for each of their keys, and the last one if the member was removed. They do nothing for the
 * last owner, or if an actor who leaves would adopt their own keys.
 */
export function deleteMember(actor: Actor, now: number, userId: string, keys: KeysOfRemoved): Statement[] {
  const acting = actingParams(actor, 'members', now);
  const removal = `${IS_THE_MEMBER} AND (m.role <> 'owner' OR ${ANOTHER_OWNER})
    AND (?9 <> 'adopt' OR NOT EXISTS (SELECT 1 FROM acting WHERE user_id = m.user_id))`;
  const theirKeys = `k.user_id = ?8 AND k.client_id = ${SOLE_CLIENT} AND k.revoked_at IS NULL
    AND EXISTS (SELECT 1 FROM members m WHERE ${removal})`;
  return [
    insertAudit(actor, 'members', now, {
      action: keys === 'adopt' ? 'key.adopted' : 'key.revoked',
      subjects: `SELECT k.client_id, k.id, k.name, json_object('former_holder', u.name)
        FROM api_keys k JOIN users u ON u.id = k.user_id WHERE ${theirKeys}`,
      params: [userId, keys],
    }),
    insertAudit(actor, 'members', now, {
      action: 'member.removed',
      subjects: `SELECT m.client_id, m.user_id, u.name, json_object('role', m.role, 'keys', ?9)
        FROM members m JOIN users u ON u.id = m.user_id WHERE ${removal}`,
      params: [userId, keys],
    }),
    {
      sql: `${ACTING} UPDATE api_keys AS k SET
          user_id = CASE ?9 WHEN 'adopt' THEN (SELECT user_id FROM acting) ELSE k.user_id END,
          revoked_at = CASE ?9 WHEN 'revoke' THEN ?5 END,
          adopted_at = CASE ?9 WHEN 'adopt' THEN ?5 ELSE k.adopted_at END
        WHERE ${theirKeys} RETURNING revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?5) AS is_working`,
      params: [...acting, userId, keys],
    },
    {
      sql: `${ACTING} UPDATE token_families AS f SET ended_at = ?5
        WHERE f.user_id = ?8 AND f.client_id = ${SOLE_CLIENT} AND f.began_by = 'oauth' AND f.ended_at IS NULL
          AND EXISTS (SELECT 1 FROM members m WHERE ${removal})`,
      params: [...acting, userId, keys],
    },
    { sql: `${ACTING} DELETE FROM members AS m WHERE ${removal} RETURNING user_id`, params: [...acting, userId, keys] },
  ];
}
