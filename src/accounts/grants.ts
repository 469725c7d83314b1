import type { Param } from '../database.ts';
import { KEY_SCOPE_LIST, MEMBER_LIST, OWNER_LIST } from './scopes.ts';

/** What a caller proved itself with, read but not yet judged: only the database knows whether it still counts. */
export type Credential =
  | { readonly kind: 'api_key'; readonly keyId: string; readonly secretHash: string }
  | TokenCredential;

/** A family, by a token of it or by the cookie of a session, which is a family too. */
export interface TokenCredential {
  readonly kind: 'token';
  readonly use: 'access' | 'api' | 'session';
  readonly familyId: string;
  readonly userId: string;
}

const KEY_GRANTS = `
  SELECT k.user_id, k.client_id, 'key', ' ' || k.scopes || ' '
  FROM api_keys k
  JOIN users u ON u.id = k.user_id
  JOIN members m ON m.user_id = k.user_id AND m.client_id = k.client_id
  WHERE k.id = ?1 AND (k.secret_hash = ?2 OR (k.former_secret_hash = ?2 AND k.former_until_at > ?5))
    AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?5) AND u.disabled_at IS NULL`;

const TOKEN_GRANTS = `
  SELECT f.user_id, m.client_id, CASE ?2 WHEN 'api' THEN 'key' ELSE m.role END, CASE
    WHEN ?2 = 'api' THEN ' ${KEY_SCOPE_LIST} ' WHEN m.role = 'owner' THEN ' ${OWNER_LIST} ' ELSE ' ${MEMBER_LIST} ' END
  FROM token_families f
  JOIN users u ON u.id = f.user_id
  LEFT JOIN members m ON m.user_id = f.user_id
  WHERE f.id = ?3 AND f.user_id = ?4 AND f.ended_at IS NULL AND f.ends_at > ?5 AND u.disabled_at IS NULL`;

/**
 * The head of every statement that works for a caller: the common table expression `grants` holds one row for each
 * client that the credential of `grantParams` may act for, with the role it has there ('key' for keys and api_tokens) and
 * what it may do, each permission between spaces. A user without a client gives one row whose client_id is
 * NULL, so that no row at all means a credential that is revoked, expired, ended, disabled or wrong. It takes the
 * parameters ?1 to ?5; the statement's own begin at ?6.
 *
 * The secret is compared as a SHA-256 hash: how far two hashes agree tells nothing about the secret.
 */
export const GRANTS = withGrants(`${KEY_GRANTS} UNION ALL ${TOKEN_GRANTS}`);

/** The same for a kind of credential that is known, half as long to compile: for the statements of a create. */
export const GRANTS_OF = {
  api_key: withGrants(KEY_GRANTS),
  token: withGrants(TOKEN_GRANTS),
} satisfies Record<Credential['kind'], string>;

function withGrants(select: string): string {
  return `WITH grants (user_id, client_id, role, permissions) AS (${select})`;
}

/** The parameters ?1 to ?5 of `GRANTS`; `nowMs` is milliseconds since the epoch. */
export function grantParams(credential: Credential, nowMs: number): Param[] {
  return credential.kind === 'api_key'
    ? [credential.keyId, credential.secretHash, null, null, nowMs]
    : [null, credential.use, credential.familyId, credential.userId, nowMs];
}
