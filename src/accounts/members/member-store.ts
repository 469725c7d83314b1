import type { Statement } from '../../database/database.ts';
import { andHolds } from '../../database/matcher.ts';
import { rowsOfPage, type Page } from '../../input/pagination.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../access.ts';
import { insertAudit } from '../audit/write-audit.ts';
import type { KeysOfRemoved, Role } from '../roles.ts';
import { HAS_PASSWORD } from '../users/password.ts';
import { shownName } from './given-name.ts';

/** The SQL by which owners manage members. */

export interface MemberRow {
  readonly local_id: string;
  readonly name: string;
  readonly shown_name: string;
  readonly role: Role;
  readonly created_at: number;
  readonly disabled_at: number | null;
  readonly suspended_at: number | null;
  readonly has_password: number;
  readonly is_role_given: number;
  /** JSON: [{name, confirmedAt}] */
  readonly providers: string;
}

/** The members of clients, and those whom a provider has suspended. */
const ALL_MEMBERS = `(
  SELECT user_id, client_id, created_at, role, role_by_claims, NULL AS suspended_at FROM members
  UNION ALL
  SELECT user_id, client_id, created_at, role, role_by_claims, suspended_at FROM suspended_members
  WHERE suspended_at IS NOT NULL)`;

/** The identities `i` of the member `m` at providers `p` of the client or of the service. */
const IDENTITIES = `FROM identities i JOIN providers p ON p.id = i.provider_id
  WHERE i.user_id = m.user_id AND p.ended_at IS NULL AND coalesce(p.client_id, m.client_id) = m.client_id`;

/** True if a provider gives the role of the member `m` at each sign-in. */
const IS_ROLE_GIVEN = `(m.role_by_claims = 1 AND EXISTS (
    SELECT 1 ${IDENTITIES} AND (p.client_id IS NULL OR p.on_at IS NOT NULL)))`;

/** The name of the member `m`, the user `u`, on pages. */
const SHOWN_NAME = shownName({ id: 'u.id', name: 'u.name', client: 'm.client_id' });

const COLUMNS = `m.user_id AS local_id, u.name, ${SHOWN_NAME} AS shown_name, m.role, m.created_at, u.disabled_at, m.suspended_at,
  ${HAS_PASSWORD} AS has_password, ${IS_ROLE_GIVEN} AS is_role_given,
  (SELECT json_group_array(json_object('name', p.name, 'confirmedAt', i.confirmed_at) ORDER BY i.confirmed_at DESC)
    ${IDENTITIES}) AS providers`;

const IS_THE_MEMBER = `m.user_id = ?8 AND m.client_id = ${SOLE_CLIENT}`;

/** True if the client of the member `m` has another owner who is not disabled. */
export const ANOTHER_OWNER = `EXISTS (
    SELECT 1 FROM members om JOIN users ou ON ou.id = om.user_id
    WHERE om.client_id = m.client_id AND om.user_id <> m.user_id AND om.role = 'owner' AND ou.disabled_at IS NULL
  )`;

/** True if the member `m` opens the client also when the provider that it demands fails. */
export const IS_EMERGENCY_OWNER = `EXISTS (
    SELECT 1 FROM clients ec JOIN members em ON em.client_id = ec.id AND em.user_id = ec.break_glass_id
    WHERE ec.id = m.client_id AND ec.required_provider IS NOT NULL AND em.user_id = m.user_id)`;

/** True if the member `m` is suspended, and no provider is left whose confirmation would end that. */
const CAN_LIFT = `(m.suspended_at IS NOT NULL AND NOT EXISTS (SELECT 1 ${IDENTITIES}))`;

/** True if the member `m` belongs to another client as well, also to one that is deleted: its owner can restore it. */
export const BELONGS_ELSEWHERE = `(EXISTS (
    SELECT 1 FROM members elsewhere WHERE elsewhere.user_id = m.user_id AND elsewhere.client_id <> m.client_id
  ) OR EXISTS (SELECT 1 FROM suspended_members deleted WHERE deleted.user_id = m.user_id))`;

/** @param name a part of the names; '' for all members */
export function selectMembers(actor: Actor, now: number, { after, limit }: Page, name: string): Statement {
  const params = [...actingParams(actor, 'members', now), ...after, rowsOfPage(limit)];
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM ${ALL_MEMBERS} m JOIN users u ON u.id = m.user_id
      WHERE m.client_id = ${SOLE_CLIENT} AND (m.created_at, m.user_id) < (?8, ?9)${andHolds(SHOWN_NAME, name, params)}
      ORDER BY m.created_at DESC, m.user_id DESC LIMIT ?10`,
    params,
  };
}

export interface MemberDetailsRow extends MemberRow {
  readonly keys: number;
  readonly is_last_owner: number;
  readonly is_emergency_owner: number;
  readonly can_lift: number;
}

export function selectMemberDetails(actor: Actor, now: number, userId: string): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS},
        m.role = 'owner' AND NOT ${ANOTHER_OWNER} AS is_last_owner, ${IS_EMERGENCY_OWNER} AS is_emergency_owner,
        ${CAN_LIFT} AS can_lift,
        (SELECT count(*) FROM api_keys k WHERE k.client_id = m.client_id AND k.user_id = m.user_id
          AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?5)) AS keys
      FROM ${ALL_MEMBERS} m JOIN users u ON u.id = m.user_id WHERE ${IS_THE_MEMBER}`,
    params: [...actingParams(actor, 'members', now), userId],
  };
}

/**
 * Changes a member's role, unless a provider gives it, or that would leave the client without an owner, also for
 * emergencies; the second statement returns a row if it did.
 */
export function updateRole(actor: Actor, now: number, userId: string, role: Role): Statement[] {
  const change = `${IS_THE_MEMBER} AND m.role <> ?9 AND NOT ${IS_ROLE_GIVEN}
    AND (?9 = 'owner' OR (${ANOTHER_OWNER} AND NOT ${IS_EMERGENCY_OWNER}))`;
  return [
    insertAudit(actor, 'members', now, {
      action: 'member.role_changed',
      subjects: `SELECT m.client_id, m.user_id, u.name, json_object('role', ?9, 'former_role', m.role)
        FROM members m JOIN users u ON u.id = m.user_id WHERE ${change}`,
      params: [userId, role],
    }),
    {
      sql: `${ACTING} UPDATE members AS m SET role = ?9, role_by_claims = 0 WHERE ${change} RETURNING user_id`,
      params: [...actingParams(actor, 'members', now), userId, role],
    },
  ];
}

/**
 * Removes a member with their identity at the client's provider, ends what opens the client alone, and ends their keys or
 * gives them to the actor: seven statements; the third returns a row for each of their keys, and one of the last two if the
 * member was removed. They do nothing for the last owner and that for emergencies, or if an actor who leaves would adopt
 * their own keys.
 */
export function deleteMember(actor: Actor, now: number, userId: string, keys: KeysOfRemoved): Statement[] {
  const acting = actingParams(actor, 'members', now);
  const removal = `${IS_THE_MEMBER} AND (m.role <> 'owner' OR ${ANOTHER_OWNER}) AND NOT ${IS_EMERGENCY_OWNER}
    AND (?9 <> 'adopt' OR NOT EXISTS (SELECT 1 FROM acting WHERE user_id = m.user_id))`;
  const theirKeys = `k.user_id = ?8 AND k.client_id = ${SOLE_CLIENT} AND k.revoked_at IS NULL
    AND EXISTS (SELECT 1 FROM ${ALL_MEMBERS} m WHERE ${removal})`;
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
        FROM ${ALL_MEMBERS} m JOIN users u ON u.id = m.user_id WHERE ${removal}`,
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
        WHERE f.user_id = ?8 AND f.client_id = ${SOLE_CLIENT} AND f.ended_at IS NULL AND f.id IS NOT ?3
          AND EXISTS (SELECT 1 FROM ${ALL_MEMBERS} m WHERE ${removal})`,
      params: [...acting, userId, keys],
    },
    {
      // Else the provider, which can claim any subject, would let the user join again.
      sql: `${ACTING} DELETE FROM identities AS i
        WHERE i.user_id = ?8 AND i.provider_id IN (SELECT id FROM providers WHERE client_id = ${SOLE_CLIENT})
          AND EXISTS (SELECT 1 FROM ${ALL_MEMBERS} m WHERE ${removal})`,
      params: [...acting, userId, keys],
    },
    ...[`members AS m WHERE ${removal}`, `suspended_members AS m WHERE ${removal} AND m.suspended_at IS NOT NULL`].map(
      (rows) => ({
        sql: `${ACTING} DELETE FROM ${rows} RETURNING user_id`,
        params: [...acting, userId, keys],
      }),
    ),
  ];
}

/** Restores a member whom a provider has suspended that no longer exists; the second statement returns a row if it did. */
export function liftSuspension(actor: Actor, now: number, userId: string): Statement[] {
  const params = [...actingParams(actor, 'members', now), userId];
  const lifted = `FROM suspended_members m JOIN users u ON u.id = m.user_id WHERE ${IS_THE_MEMBER} AND ${CAN_LIFT}`;
  return [
    insertAudit(actor, 'members', now, {
      action: 'member.confirmed',
      subjects: `SELECT m.client_id, m.user_id, u.name, NULL ${lifted}`,
      params: [userId],
    }),
    {
      sql: `${ACTING} INSERT INTO members (user_id, client_id, created_at, role, role_by_claims)
        SELECT m.user_id, m.client_id, m.created_at, m.role, 0 ${lifted} ON CONFLICT DO NOTHING RETURNING user_id`,
      params,
    },
    {
      sql: `${ACTING} DELETE FROM suspended_members AS m WHERE ${IS_THE_MEMBER} AND ${CAN_LIFT}
        AND EXISTS (SELECT 1 FROM members o WHERE o.user_id = m.user_id AND o.client_id = m.client_id)`,
      params,
    },
  ];
}
