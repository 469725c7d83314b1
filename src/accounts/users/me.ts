import type { Database } from '../../database/database.ts';
import { GRANTS, grantParams, type Credential } from '../grants.ts';
import { invalidCredential } from '../refusals.ts';
import type { Role } from '../roles.ts';
import { toPermissions, type Permission } from '../scopes.ts';

/** The owner of a credential, and its permissions. */
interface Me {
  /** The user of a token; null for an API key. */
  readonly user: { readonly id: string; readonly name: string } | null;
  /** Null for a token. `expiresAt` is in milliseconds since the epoch, or null for a key that never expires. */
  readonly key: { readonly id: string; readonly name: string; readonly expiresAt: number | null } | null;
  /** The clients that the credential may act for, sorted by name. */
  readonly clients: readonly MyClient[];
}

interface MyClient {
  readonly id: string;
  /** The role of the user; for an API key, of the user who created it. */
  readonly role: Role;
  readonly scopes: readonly Permission[];
}

interface MeRow {
  readonly user_id: string;
  readonly user_name: string;
  readonly client_id: string | null;
  readonly role: Role;
  readonly permissions: string;
  readonly key_id: string | null;
  readonly key_name: string;
  readonly key_expires_at: number | null;
}

/**
 * Returns the owner of a credential, whatever its scopes. One round trip. Throws `invalid_credential`,
 * `store_unavailable`.
 */
export async function getMe(db: Database, credential: Credential): Promise<Me> {
  const [rows] = await db.batch<[MeRow]>([
    {
      sql: `${GRANTS}
        SELECT u.id AS user_id, u.name AS user_name, g.client_id, m.role, g.permissions,
          k.id AS key_id, k.name AS key_name, k.expires_at AS key_expires_at
        FROM grants g
        JOIN users u ON u.id = g.user_id
        LEFT JOIN members m ON m.user_id = g.user_id AND m.client_id = g.client_id
        LEFT JOIN api_keys k ON k.id = ?1
        ORDER BY g.client_id`,
      params: grantParams(credential, Date.now()),
    },
  ]);
  const [row] = rows;
  if (row === undefined) {
    throw invalidCredential();
  }
  const { key_id: id, key_name: name, key_expires_at: expiresAt } = row;
  return {
    user: id === null ? { id: row.user_id, name: row.user_name } : null,
    key: id === null ? null : { id, name, expiresAt },
    clients: rows.flatMap(({ client_id: clientId, role, permissions }) =>
      clientId === null ? [] : [{ id: clientId, role, scopes: toPermissions(permissions) }],
    ),
  };
}
