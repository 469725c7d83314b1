import type { Statement } from '../../database/database.ts';
import type { Actor } from '../access.ts';
import { insertAudit } from '../audit/write-audit.ts';
import { GRANTS, grantParams, type TokenCredential } from '../grants.ts';
import type { KeyScope } from '../scopes.ts';
import { DAY_MS } from '../../time/day.ts';

/** The SQL of codes: a code is consented to in a session, and spent by one UPDATE. */

interface NewCode {
  readonly hash: string;
  readonly clientId: string;
  readonly scopes: readonly KeyScope[];
  readonly application: string;
  readonly name: string;
  readonly host: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly challenge: string;
  readonly expiresAt: number;
}

/** The name of an application with its host, of a row of codes or grants. */
export const NAME_AND_HOST = `iif(name = '', host, name || ' (' || host || ')')`;

/** Inserts a code if the session may grant all of its scopes in the client. The register then keeps the application. */
export function insertCode(credential: TokenCredential, now: number, code: NewCode): Statement[] {
  const actor: Actor = { credential, clientId: code.clientId };
  return [
    {
      sql: `${GRANTS}
        INSERT INTO oauth_codes (hash, user_id, session_id, client_id, scopes, application, name, host, redirect_uri,
          resource, challenge, expires_at, provider_id)
        SELECT ?6, g.user_id, ?3, g.client_id, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
          (SELECT provider_id FROM token_families WHERE id = ?3)
        FROM grants g
        WHERE g.client_id = ?7 AND NOT EXISTS (
          SELECT 1 FROM json_each(?16) WHERE instr(g.permissions, ' ' || value || ' ') = 0)`,
      params: [
        ...grantParams(credential, now),
        code.hash,
        code.clientId,
        code.scopes.join(' '),
        code.application,
        code.name,
        code.host,
        code.redirectUri,
        code.resource,
        code.challenge,
        code.expiresAt,
        JSON.stringify(code.scopes),
      ],
    },
    {
      sql: `UPDATE oauth_applications SET consented_at = ?3
            WHERE id = ?2 AND EXISTS (SELECT 1 FROM oauth_codes WHERE hash = ?1)`,
      params: [code.hash, code.application, now],
    },
    insertAudit(actor, code.scopes[0] ?? 'links:read', now, {
      action: 'application.connected',
      subjects: `SELECT client_id, application, ${NAME_AND_HOST}, json_object('scopes', json(?9)) FROM oauth_codes WHERE hash = ?8`,
      params: [code.hash, JSON.stringify(code.scopes)],
    }),
  ];
}

interface Exchange {
  readonly hash: string;
  readonly application: string;
  readonly challenge: string;
  /** Null if the request does not repeat it. */
  readonly redirectUri: string | null;
  readonly resource: string | null;
  readonly familyId: string;
  readonly refreshHash: string;
  readonly now: number;
  readonly endsAt: number;
}

/** A grant with a family that has not ended. */
export interface GrantRow {
  readonly id: string;
  readonly user_id: string;
  readonly ends_at: number;
  readonly scopes: string;
  readonly application: string;
  readonly resource: string;
}

export const GRANT_COLUMNS = 'f.id, f.user_id, f.ends_at, f.scopes, g.application, g.resource';

/**
 * Spends a code and begins its family, in one transaction; the last statement returns the grant, or nothing. The order
 * matters: first a second use by any caller ends what the first one gave.
 */
export function exchangeCode(exchange: Exchange): Statement[] {
  const { hash, application, challenge, redirectUri, resource, familyId, refreshHash, now, endsAt } = exchange;
  const spent = `FROM oauth_codes c WHERE c.hash = ?1 AND c.family_id = ?2`;
  return [
    {
      sql: `UPDATE token_families SET ended_at = ?2
            WHERE ended_at IS NULL AND id = (SELECT family_id FROM oauth_codes WHERE hash = ?1 AND spent_at IS NOT NULL)`,
      params: [hash, now],
    },
    {
      sql: `UPDATE oauth_codes AS c SET spent_at = ?2, family_id = ?3
            WHERE c.hash = ?1 AND c.spent_at IS NULL AND c.expires_at > ?2 AND c.application = ?4 AND c.challenge = ?5
              AND (?6 IS NULL OR c.redirect_uri = ?6) AND (?7 IS NULL OR c.resource = ?7)
              AND EXISTS (
                SELECT 1 FROM token_families f JOIN users u ON u.id = f.user_id
                JOIN members m ON m.user_id = f.user_id AND m.client_id = c.client_id
                WHERE f.id = c.session_id AND f.ended_at IS NULL AND f.ends_at > ?2 AND u.disabled_at IS NULL)`,
      params: [hash, now, familyId, application, challenge, redirectUri, resource],
    },
    {
      sql: `INSERT INTO token_families (id, user_id, started_at, ends_at, began_by, begun_with, client_id, scopes, provider_id)
            SELECT c.family_id, c.user_id, ?3, ?4, 'oauth', c.application, c.client_id, c.scopes, c.provider_id ${spent}`,
      params: [hash, familyId, now, endsAt],
    },
    {
      sql: `INSERT INTO oauth_grants (family_id, application, name, host, resource, used_at)
            SELECT c.family_id, c.application, c.name, c.host, c.resource, ?3 ${spent}`,
      params: [hash, familyId, now],
    },
    {
      sql: `INSERT INTO refresh_tokens (hash, family_id, status) SELECT ?3, c.family_id, 'live' ${spent}`,
      params: [hash, familyId, refreshHash],
    },
    selectGrant(familyId),
  ];
}

/** The grant of a family. */
export function selectGrant(familyId: string): Statement {
  return {
    sql: `SELECT ${GRANT_COLUMNS} FROM token_families f JOIN oauth_grants g ON g.family_id = f.id
          WHERE f.id = ?1 AND f.ended_at IS NULL`,
    params: [familyId],
  };
}

/** For the daily clean-up. An old code is kept for a day, so that its second use still ends what it gave. */
export function deleteOldCodes(now: number): Statement {
  return { sql: `DELETE FROM oauth_codes WHERE expires_at <= ?1`, params: [now - DAY_MS] };
}

/** For the daily clean-up, before the families themselves: those that have ended are shown to no user. */
export function deleteEndedGrants(now: number): Statement {
  return {
    sql: `DELETE FROM oauth_grants WHERE family_id IN (
            SELECT id FROM token_families WHERE began_by = 'oauth' AND (ended_at IS NOT NULL OR ends_at <= ?1))`,
    params: [now],
  };
}
