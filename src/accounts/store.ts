import type { Database, Statement } from '../database/database.ts';
import { skeletonsOf } from '../text/skeletons.ts';

interface User {
  readonly id: string;
  readonly name: string;
  readonly passwordHash: string;
  /** Milliseconds since the epoch, or null if the account is not disabled. */
  readonly disabledAt: number | null;
  /** True if a sign-in needs a second factor. */
  readonly hasFactor: boolean;
}

interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly password_hash: string;
  readonly disabled_at: number | null;
  readonly has_factor: number;
}

export async function findUserByName(db: Database, name: string): Promise<User | null> {
  const row = await db.first<UserRow>({
    sql: `SELECT id, name, password_hash, disabled_at, factor_since IS NOT NULL AS has_factor FROM users WHERE name = ?1`,
    params: [name],
  });
  return (
    row && {
      id: row.id,
      name: row.name,
      passwordHash: row.password_hash,
      disabledAt: row.disabled_at,
      hasFactor: row.has_factor === 1,
    }
  );
}

/** True if another user has a name that looks like the one whose skeletons the parameter holds, as JSON. */
export const looksTaken = (skeletons: string) =>
  `EXISTS (SELECT 1 FROM users WHERE skeleton IN (SELECT value FROM json_each(${skeletons})))`;

export function insertUser(user: { id: string; name: string; passwordHash: string; now: number }): Statement {
  const { own, all } = skeletonsOf(user.name);
  return {
    sql: `INSERT INTO users (id, name, password_hash, created_at, skeleton)
          SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT ${looksTaken('?6')}
          ON CONFLICT DO NOTHING RETURNING id`,
    params: [user.id, user.name, user.passwordHash, user.now, own, JSON.stringify(all)],
  };
}

/** This and `insertMember` do nothing for a user that `insertUser` did not insert in the same batch. */
export function insertClientOf(user: { id: string; now: number }, clientId: string): Statement {
  return {
    sql: `INSERT INTO clients (id, created_at) SELECT ?2, ?3 WHERE EXISTS (SELECT 1 FROM users WHERE id = ?1)
          ON CONFLICT (id) DO NOTHING`,
    params: [user.id, clientId, user.now],
  };
}

/** A member gets the role, if one is given. Without a role a new member is an owner, and another keeps theirs. */
export function insertMember(
  user: { id: string; now: number },
  clientId: string,
  role: 'owner' | 'member' | null,
): Statement {
  return {
    sql: `INSERT INTO members (user_id, client_id, created_at, role)
          SELECT id, ?2, ?3, coalesce(?4, 'owner') FROM users
          WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM suspended_members
            WHERE client_id = ?2 AND (suspended_at IS NULL OR user_id = ?1))
          ON CONFLICT DO UPDATE SET role = coalesce(?4, role)`,
    params: [user.id, clientId, user.now, role],
  };
}

export function updatePassword(userId: string, passwordHash: string): Statement {
  return {
    sql: `UPDATE users SET password_hash = ?2, factor_version = factor_version + 1 WHERE id = ?1`,
    params: [userId, passwordHash],
  };
}

export function updateDisabled(userId: string, disabledAt: number | null): Statement {
  return { sql: `UPDATE users SET disabled_at = ?2 WHERE id = ?1`, params: [userId, disabledAt] };
}

interface NewKey {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly secretHash: string;
  readonly now: number;
  readonly expiresAt: number | null;
}

/** Inserts a key in the name of a client's first working member; returns no row if the client has none. */
export function insertKey(key: NewKey): Statement {
  return {
    sql: `INSERT INTO api_keys (id, client_id, user_id, name, secret_hash, created_at, expires_at)
          SELECT ?1, m.client_id, m.user_id, ?3, ?4, ?5, ?6
          FROM members m JOIN users u ON u.id = m.user_id
          WHERE m.client_id = ?2 AND u.disabled_at IS NULL
          ORDER BY m.created_at, m.user_id LIMIT 1
          ON CONFLICT (id) DO UPDATE SET id = excluded.id
            WHERE client_id = excluded.client_id AND secret_hash = excluded.secret_hash AND revoked_at IS NULL
          RETURNING id, user_id`,
    params: [key.id, key.clientId, key.name, key.secretHash, key.now, key.expiresAt],
  };
}

interface NamedKey {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
}

export function extendKeyNamed({ id, clientId, name }: NamedKey, expiresAt: number, now: number): Statement {
  return {
    sql: `UPDATE api_keys SET expires_at = ?4
          WHERE id = ?1 AND client_id = ?2 AND name = ?3 AND revoked_at IS NULL AND expires_at > ?5
          RETURNING secret_hash`,
    params: [id, clientId, name, expiresAt, now],
  };
}

export function revokeKeyNamed({ id, clientId, name }: NamedKey, now: number): Statement {
  return {
    sql: `UPDATE api_keys SET revoked_at = ?4 WHERE id = ?1 AND client_id = ?2 AND name = ?3 AND revoked_at IS NULL`,
    params: [id, clientId, name, now],
  };
}

/** For a key that has created nothing. */
export function deleteKeyNamed({ id, clientId, name }: NamedKey): Statement {
  return { sql: 'DELETE FROM api_keys WHERE id = ?1 AND client_id = ?2 AND name = ?3', params: [id, clientId, name] };
}

/** One line of the operator's list: a user, their clients, and how many working keys they have created. */
export interface AccountRow {
  readonly name: string;
  readonly local_id: string;
  readonly clients: string | null;
  readonly keys: number;
  readonly disabled_at: number | null;
}

export function selectAccounts(now: number): Statement {
  return {
    sql: `SELECT u.name, u.id AS local_id, u.disabled_at,
            (SELECT group_concat(client, ', ') FROM (
              SELECT m.client_id AS client FROM members m WHERE m.user_id = u.id
              UNION ALL SELECT s.client_id || iif(s.suspended_at IS NULL, ' (deleted)', ' (suspended)') FROM suspended_members s WHERE s.user_id = u.id
            )) AS clients,
            (SELECT count(*) FROM api_keys k
             WHERE k.user_id = u.id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?1)) AS keys
          FROM users u ORDER BY u.name`,
    params: [now],
  };
}
