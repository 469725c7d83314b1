import type { Param } from '../database/database.ts';
import { KEY_SCOPE_LIST, MEMBER_LIST, OWNER_LIST } from './scopes.ts';

/** A credential as the request presents it, not checked yet: only the database knows whether it is still valid. */
export type Credential =
  | { readonly kind: 'api_key'; readonly keyId: string; readonly secretHash: string }
  | TokenCredential;

/** A token family, named by one of its tokens or by the cookie of a session, which is a family too. */
export interface TokenCredential {
  readonly kind: 'token';
  readonly use: 'access' | 'api' | 'session' | 'oauth';
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

// D1 bounds how deep conditions are within each other, so that CASE is used: its branches lie beside each other.

/** True if the family `f` is limited to another client than that of the member `m`. */
export const IS_LIMITED = `(f.client_id IS NOT NULL AND f.client_id <> m.client_id)`;

/**
 * True if the client `c` demands a provider by which the family `f` did not begin. The owner for emergencies opens it
 * by the password and a code too, in a session that is in the audit log of the client.
 */
export const LACKS_PROVIDER = `CASE
    WHEN c.required_provider IS NULL OR c.required_provider IS f.provider_id THEN FALSE
    WHEN c.break_glass_id IS NOT f.user_id OR f.started_at < c.required_since THEN TRUE
    WHEN f.provider_id IS NOT NULL THEN TRUE
    ELSE coalesce(f.began_by, '') NOT IN ('app', 'recovery_code') END`;

/**
 * True if the user `u` has a second factor, or the family `f` is of the provider of the client `c`, or of the one that it
 * demands.
 */
export const MEETS_FACTORS = `CASE
    WHEN u.factor_since IS NOT NULL THEN TRUE
    WHEN f.provider_id IS NULL THEN FALSE
    WHEN f.provider_id IS c.required_provider THEN TRUE
    ELSE f.provider_id IN (SELECT id FROM providers WHERE client_id = c.id) END`;

const LACKS_FACTOR = `CASE WHEN c.factors_from <= ?5 THEN NOT ${MEETS_FACTORS} ELSE FALSE END`;

/**
 * True if the family `f` of the user `u` opens the workspace of the member `m` at ?5: it is not limited to another one, and
 * the workspace demands neither a provider by which it did not begin nor a second factor that the user does not have.
 */
const OPENS_WORKSPACE = `NOT ${IS_LIMITED} AND NOT EXISTS (
    SELECT 1 FROM clients c WHERE c.id = m.client_id AND CASE
      WHEN ${LACKS_PROVIDER} THEN TRUE
      WHEN c.factors_from IS NULL OR c.factors_from > ?5 THEN FALSE
      ELSE NOT ${MEETS_FACTORS} END)`;

const isClosedBy = (condition: string) => `EXISTS (
    SELECT 1 FROM token_families f
    JOIN users u ON u.id = f.user_id JOIN members m ON m.user_id = f.user_id JOIN clients c ON c.id = m.client_id
    WHERE f.id = ?3 AND m.client_id = coalesce(?6, m.client_id) AND NOT ${IS_LIMITED} AND ${condition})`;

/**
 * The demand that keeps the family ?3 from the client ?6, or from one of the user's if that is NULL: 'provider', 'factor',
 * or NULL.
 */
export const CLOSED_BY = `CASE WHEN ${isClosedBy(LACKS_PROVIDER)} THEN 'provider'
    WHEN ${isClosedBy(LACKS_FACTOR)} THEN 'factor' END`;

/**
 * True if the family `f` of the user `u` acts as an API key does: an api_token, what began with permissions of its own, and
 * the access token of a user with a second factor, which began by the password alone.
 */
const ACTS_AS_KEY = `(?2 = 'api' OR f.scopes IS NOT NULL OR (?2 = 'access' AND u.factor_since IS NOT NULL))`;

const TOKEN_GRANTS = `
  SELECT f.user_id, m.client_id, CASE WHEN ${ACTS_AS_KEY} THEN 'key' ELSE m.role END, CASE
    WHEN f.scopes IS NOT NULL THEN ' ' || f.scopes || ' ' WHEN ${ACTS_AS_KEY} THEN ' ${KEY_SCOPE_LIST} '
    WHEN m.role = 'owner' THEN ' ${OWNER_LIST} ' ELSE ' ${MEMBER_LIST} ' END
  FROM token_families f
  JOIN users u ON u.id = f.user_id
  LEFT JOIN members m ON m.user_id = f.user_id AND ${OPENS_WORKSPACE}
  WHERE f.id = ?3 AND f.user_id = ?4 AND f.ended_at IS NULL AND f.ends_at > ?5 AND u.disabled_at IS NULL
    AND (f.began_by IS 'oauth') = (?2 = 'oauth')`;

/**
 * The head of every statement that works for a caller. The common table expression `grants` has a row for each client
 * that the credential of `grantParams` may act for: its role there ('key' for keys and api_tokens) and its permissions,
 * each between spaces. A user without a client has one row whose client_id is NULL, so that no row at all means that
 * the credential is revoked, expired, ended, disabled or wrong. It takes the parameters ?1 to ?5; the statement's own
 * begin at ?6.
 *
 * The secret is compared as a SHA-256 hash, so the time of the comparison says nothing about the secret.
 */
export const GRANTS = withGrants(`${KEY_GRANTS} UNION ALL ${TOKEN_GRANTS}`);

/** `GRANTS` for one kind of credential, for the statements of a create: SQLite compiles it in half the time. */
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
