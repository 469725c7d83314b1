import type { Param, Statement } from '../../database/database.ts';
import { skeletonsOf } from '../../text/skeletons.ts';
import { looksTaken } from '../store.ts';
import { GRANTS, grantParams, type Credential } from '../grants.ts';
import { IS_OPEN, isMember } from './invite-store.ts';
import type { Role } from '../roles.ts';

/**
 * The SQL that makes the holder of an invite's token a member. In all of it ?6 is the token's hash, and ?5 the instant.
 */

/** The user who accepts: `head` begins a statement and defines the table `joiner`, which holds their id or is empty. */
interface Joiner {
  readonly head: string;
  /** The parameters ?1 to ?5 of `head`. */
  readonly params: readonly Param[];
  /** SQL conditions: whether the credential is valid, and whether it is a key or an api_token. */
  readonly checks: { readonly credentialOk: string; readonly keyOnly: string };
}

/**
 * The user of an access token or a session. The table is empty for keys and api_tokens, and for what opens one workspace
 * alone, which leads to no other one.
 */
export function userOf(credential: Credential, now: number): Joiner {
  return {
    head: `${GRANTS}, joiner (user_id) AS (
      SELECT DISTINCT user_id FROM grants WHERE role IS NOT 'key' AND NOT ${IS_LIMITED})`,
    params: grantParams(credential, now),
    checks: {
      credentialOk: `EXISTS (SELECT 1 FROM grants)`,
      keyOnly: `(${IS_LIMITED} OR EXISTS (SELECT 1 FROM grants WHERE role = 'key'))`,
    },
  };
}

/** True if the family ?3 opens one workspace alone. */
const IS_LIMITED = `EXISTS (SELECT 1 FROM token_families WHERE id = ?3 AND client_id IS NOT NULL)`;

/** A user who is inserted in the same batch. */
export function newUser(id: string, now: number): Joiner {
  return {
    head: `WITH joiner (user_id) AS (SELECT id FROM users WHERE id = ?1)`,
    params: [id, null, null, null, now],
    checks: { credentialOk: `TRUE`, keyOnly: `FALSE` },
  };
}

/** The conditions for accepting an invite: one row, selected before anything is changed. */
export interface ConditionsRow {
  readonly credential_ok: number;
  /** True if the credential is a key or an api_token. */
  readonly key_only: number;
  readonly invite_known: number;
  readonly invite_open: number;
  readonly member_already: number;
  readonly name_taken: number;
}

/** @param name the name that a new user wants, or null */
export function selectConditions(joiner: Joiner, tokenHash: string, name: string | null): Statement {
  return {
    sql: `${joiner.head}
      SELECT ${joiner.checks.credentialOk} AS credential_ok, ${joiner.checks.keyOnly} AS key_only,
        EXISTS (SELECT 1 FROM invites WHERE token_hash = ?6) AS invite_known,
        EXISTS (SELECT 1 FROM invites i WHERE token_hash = ?6 AND ${IS_OPEN}) AS invite_open,
        EXISTS (
          SELECT 1 FROM invites i JOIN members m ON m.client_id = i.client_id
          WHERE i.token_hash = ?6 AND m.user_id IN (SELECT user_id FROM joiner)
        ) AS member_already,
        EXISTS (SELECT 1 FROM users WHERE name = ?7) OR ${looksTaken('?8')} AS name_taken`,
    params: [...joiner.params, tokenHash, name, name === null ? '[]' : JSON.stringify(skeletonsOf(name).all)],
  };
}

/** Inserts a user for an open invite, unless the name is taken. */
export function insertInvitedUser(
  user: { readonly id: string; readonly name: string; readonly passwordHash: string },
  tokenHash: string,
  now: number,
): Statement {
  const { own, all } = skeletonsOf(user.name);
  return {
    sql: `INSERT INTO users (id, name, password_hash, created_at, skeleton)
          SELECT ?1, ?2, ?3, ?5, ?7 FROM invites i
          WHERE i.token_hash = ?6 AND ${IS_OPEN} AND NOT ${looksTaken('?8')}
          ON CONFLICT DO NOTHING`,
    params: [user.id, user.name, user.passwordHash, null, now, tokenHash, own, JSON.stringify(all)],
  };
}

export interface JoinedRow {
  readonly client_id: string;
  readonly local_id: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at: number;
}

/**
 * Uses up an open invite for a joiner who is not a member yet, in four statements. The second marks the invite as
 * accepted and returns a row if it did; the last selects the new member. The audit entry is inserted first, under the
 * same condition.
 */
export function useInvite({ head, params }: Joiner, tokenHash: string): Statement[] {
  const all = [...params, tokenHash];
  const isUsable = `i.token_hash = ?6 AND ${IS_OPEN}`;
  const noMemberYet = `NOT ${isMember('j.user_id')}`;
  return [
    {
      sql: `${head}
        INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id,
          credential_kind, credential_id)
        SELECT i.client_id, ?5, lower(hex(randomblob(8))), 'member.joined', u.id, u.name,
          json_object('role', i.role), u.id, 'invite', i.id
        FROM joiner j JOIN users u ON u.id = j.user_id JOIN invites i
        WHERE ${isUsable} AND ${noMemberYet}`,
      params: all,
    },
    {
      sql: `${head}
        UPDATE invites AS i SET accepted_at = ?5, accepted_by = (SELECT user_id FROM joiner)
        WHERE ${isUsable} AND EXISTS (SELECT 1 FROM joiner j WHERE ${noMemberYet})
        RETURNING id`,
      params: all,
    },
    {
      sql: `${head}
        INSERT INTO members (user_id, client_id, created_at, role)
        SELECT i.accepted_by, i.client_id, ?5, i.role FROM invites i
        WHERE i.token_hash = ?6 AND i.accepted_at = ?5 AND i.accepted_by IN (SELECT user_id FROM joiner)
        ON CONFLICT DO NOTHING`,
      params: all,
    },
    {
      sql: `${head}
        SELECT m.client_id, m.user_id AS local_id, u.name, m.role, m.created_at
        FROM invites i JOIN members m ON m.client_id = i.client_id AND m.user_id = i.accepted_by
        JOIN users u ON u.id = m.user_id
        WHERE i.token_hash = ?6 AND i.accepted_by IN (SELECT user_id FROM joiner)`,
      params: all,
    },
  ];
}
