import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../accounts/access.ts';
import { GRANTS, grantParams, IS_LIMITED, LACKS_PROVIDER, type Credential } from '../accounts/grants.ts';
import { insertAudit } from '../accounts/audit/write-audit.ts';
import { givenName } from '../accounts/members/given-name.ts';
import type { Statement } from '../database/database.ts';
import { NAME_OF_CLIENT } from './name.ts';

/** The SQL by which an owner deletes a client, and undoes that. */

/** The owners of the client `c` besides the actor, as far as they can sign in. */
const OTHER_OWNERS = `SELECT u.id, u.name, ${givenName({ id: 'u.id', name: 'u.name', client: 'm.client_id' })} AS given
  FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.client_id = c.id AND m.role = 'owner' AND u.disabled_at IS NULL AND m.user_id NOT IN (SELECT user_id FROM acting)`;

/** The facts that decide if a client can be deleted, and that its owner should know before. */
export interface ConditionsRow {
  readonly name: string;
  /** Its other owners as JSON, each with `userId`, `name` and `given`. */
  readonly other_owners: string;
  readonly members: number;
  readonly keys: number;
  /** True if the links of an earlier deletion are still being restored. */
  readonly is_restoring: number;
}

export function selectConditions(actor: Actor, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT ${NAME_OF_CLIENT} AS name, (SELECT json_group_array(json_object('userId', id, 'name', name, 'given', json(given))) FROM (${OTHER_OWNERS} ORDER BY u.name)) AS other_owners,
        (SELECT count(*) FROM members WHERE client_id = c.id) AS members,
        (SELECT count(*) FROM api_keys k WHERE k.client_id = c.id AND k.revoked_at IS NULL
          AND (k.expires_at IS NULL OR k.expires_at > ?5)) AS keys,
        EXISTS (SELECT 1 FROM deletions WHERE client_id = c.id) AS is_restoring
      FROM clients c WHERE c.id = ${SOLE_CLIENT}`,
    params: actingParams(actor, 'members', now),
  };
}

/** True if the deletion of the client ?1 that began at ?2 continues. */
export const IS_DELETED = `EXISTS (SELECT 1 FROM deletions WHERE client_id = ?1 AND requested_at = ?2 AND undone_at IS NULL)`;

/** True if the links of the client ?1 that were stopped at ?2 are to be restored. */
export const IS_UNDONE = `EXISTS (
  SELECT 1 FROM deletions WHERE client_id = ?1 AND requested_at = ?2 AND undone_at IS NOT NULL)`;

export interface HostRow {
  readonly host: string;
}

/**
 * Begins the deletion of a client, if the actor is its last owner and has typed its name: its members are suspended, so
 * that all of its credentials are refused, and its domains serve nothing. Five statements; the first returns a row if it
 * did, the third the hosts of the domains.
 */
export function beginDeletion(
  actor: Actor,
  clientId: string,
  typedName: string,
  now: number,
  endsAt: number,
): Statement[] {
  return [
    {
      sql: `${ACTING}
        INSERT INTO deletions (client_id, user_id, requested_at, ends_at)
        SELECT c.id, (SELECT max(user_id) FROM acting), ?5, ?8 FROM clients c
        WHERE c.id = ${SOLE_CLIENT} AND c.id = ?9 AND ${NAME_OF_CLIENT} = ?10 AND NOT EXISTS (${OTHER_OWNERS})
        ON CONFLICT DO NOTHING RETURNING client_id`,
      params: [...actingParams(actor, 'members', now), endsAt, clientId, typedName],
    },
    insertAudit(actor, 'members', now, {
      action: 'client.deleted',
      subjects: `SELECT d.client_id, d.client_id, c.name, NULL FROM deletions d JOIN clients c ON c.id = d.client_id
        WHERE d.client_id = ${SOLE_CLIENT} AND d.requested_at = ?5 AND d.undone_at IS NULL`,
      params: [],
    }),
    {
      sql: `UPDATE domains SET former_status = status, status = 'pending'
            WHERE client_id = ?1 AND status <> 'pending' AND ${IS_DELETED} RETURNING host`,
      params: [clientId, now],
    },
    {
      sql: `INSERT INTO suspended_members (user_id, client_id, created_at, role, role_by_claims)
            SELECT user_id, client_id, created_at, role, role_by_claims FROM members WHERE client_id = ?1 AND ${IS_DELETED}`,
      params: [clientId, now],
    },
    { sql: `DELETE FROM members WHERE client_id = ?1 AND ${IS_DELETED}`, params: [clientId, now] },
  ];
}

/** A deletion as its suspended members see it. */
export interface SuspendedRow {
  readonly role: string;
  readonly requested_at: number;
  readonly ends_at: number;
}

/**
 * True if the caller is suspended by the deletion of the client ?6 as its member `s`, and not by a provider, with a family
 * that is not limited to another client and began as the client demands.
 */
const CAN_UNDO = `s.client_id = ?6 AND s.suspended_at IS NULL AND s.user_id IN (SELECT user_id FROM grants)
  AND NOT EXISTS (
    SELECT 1 FROM suspended_members m JOIN clients c ON c.id = m.client_id JOIN token_families f ON f.id = ?3
    WHERE m.user_id = s.user_id AND m.client_id = s.client_id AND (${IS_LIMITED} OR ${LACKS_PROVIDER}))`;

/** Selects the deletion of a client whose suspended member the caller is. */
export function selectSuspended(credential: Credential, clientId: string, now: number): Statement {
  return {
    sql: `${GRANTS}
      SELECT s.role, d.requested_at, d.ends_at FROM suspended_members s JOIN deletions d ON d.client_id = s.client_id
      WHERE ${CAN_UNDO} AND d.undone_at IS NULL`,
    params: [...grantParams(credential, now), clientId],
  };
}

/**
 * Undoes a deletion, if a suspended owner asks for it in time: six statements; the first returns a row if it did,
 * and the fourth the hosts that are served again. A domain that another client has verified meanwhile stays pending.
 */
export function undoDeletion(credential: Credential, clientId: string, requestedAt: number, now: number): Statement[] {
  const params = [clientId, requestedAt];
  return [
    {
      sql: `${GRANTS}
        UPDATE deletions SET undone_at = ?5
        WHERE client_id = ?6 AND requested_at = ?7 AND undone_at IS NULL AND ends_at > ?5 AND EXISTS (
          SELECT 1 FROM suspended_members s WHERE s.role = 'owner' AND ${CAN_UNDO})
        RETURNING client_id`,
      params: [...grantParams(credential, now), clientId, requestedAt],
    },
    {
      sql: `INSERT INTO members (user_id, client_id, created_at, role, role_by_claims)
            SELECT user_id, client_id, created_at, role, role_by_claims FROM suspended_members
            WHERE client_id = ?1 AND suspended_at IS NULL AND ${IS_UNDONE}
            ON CONFLICT DO NOTHING`,
      params,
    },
    { sql: `DELETE FROM suspended_members WHERE client_id = ?1 AND suspended_at IS NULL AND ${IS_UNDONE}`, params },
    {
      sql: `UPDATE domains AS d SET status = former_status
            WHERE client_id = ?1 AND former_status IS NOT NULL AND removed_at IS NULL AND ${IS_UNDONE}
              AND NOT EXISTS (SELECT 1 FROM domains o WHERE o.host = d.host AND o.status <> 'pending')
            RETURNING host`,
      params,
    },
    { sql: `UPDATE domains SET former_status = NULL WHERE client_id = ?1 AND ${IS_UNDONE}`, params },
    insertAudit({ credential, clientId }, 'members', now, {
      action: 'client.restored',
      subjects: `SELECT d.client_id, d.client_id, c.name, NULL FROM deletions d JOIN clients c ON c.id = d.client_id
        WHERE d.client_id = ${SOLE_CLIENT} AND d.undone_at = ?5`,
      params: [],
    }),
  ];
}

/** Ends a deletion that was undone, after its last link is restored. */
export function endUndone(clientId: string, requestedAt: number): Statement {
  return {
    sql: `DELETE FROM deletions WHERE client_id = ?1 AND requested_at = ?2 AND undone_at IS NOT NULL`,
    params: [clientId, requestedAt],
  };
}

export interface DeletionRow {
  readonly client_id: string;
  readonly requested_at: number;
  readonly ends_at: number;
  readonly undone_at: number | null;
}

/**
 * Selects all deletions, for the daily work; the oldest first. Those that can no longer be undone are last, since links
 * of the others may still redirect visitors, or not again.
 */
export function selectDeletions(now: number): Statement {
  return {
    sql: `SELECT client_id, requested_at, ends_at, undone_at FROM deletions
          ORDER BY undone_at IS NULL AND ends_at <= ?1, requested_at LIMIT 1000`,
    params: [now],
  };
}

/** Selects the deletion of a client, whether it is undone or not. */
export function selectDeletion(clientId: string): Statement {
  return {
    sql: `SELECT client_id, requested_at, ends_at, undone_at FROM deletions WHERE client_id = ?1`,
    params: [clientId],
  };
}

/** Selects when the deletion of a client ends, if it is deleted. */
export function selectEndOf(clientId: string): Statement {
  return { sql: `SELECT ends_at FROM deletions WHERE client_id = ?1 AND undone_at IS NULL`, params: [clientId] };
}
