import type { Statement } from '../../database/database.ts';
import { IS_IN_SESSION, type SessionRef } from '../sessions/session-store.ts';
import type { Actor } from '../access.ts';
import { insertAudit } from '../audit/write-audit.ts';
import { GRANT_COLUMNS, NAME_AND_HOST } from './code-store.ts';

/** The SQL of grants: what users have granted to applications, each with a family of tokens. */

/** The grant of a refresh token, spent or not, which was given to an application; whether it is valid is checked later. */
export function selectGrantOfRefresh(refreshHash: string, application: string): Statement {
  return {
    sql: `SELECT ${GRANT_COLUMNS} FROM refresh_tokens t
          JOIN token_families f ON f.id = t.family_id JOIN oauth_grants g ON g.family_id = f.id
          WHERE t.hash = ?1 AND g.application = ?2`,
    params: [refreshHash, application],
  };
}

/** Ends a grant that was given to an application, and says so in the audit log of its client. */
export function endGrant(
  application: string,
  { refreshHash, familyId }: { readonly refreshHash: string | null; readonly familyId: string | null },
  now: number,
): Statement[] {
  const isNamed = `f.ended_at IS NULL AND f.began_by = 'oauth' AND f.begun_with = ?1
    AND f.id IN (?2, (SELECT family_id FROM refresh_tokens WHERE hash = ?3))`;
  const params = [application, familyId, refreshHash, now];
  return [
    {
      // Not `insertAudit`: a refresh token has no credential under which its application acts.
      sql: `INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id,
              credential_kind, credential_id)
            SELECT f.client_id, ?4, lower(hex(randomblob(8))), 'application.disconnected', g.application, ${NAME_AND_HOST},
              NULL, f.user_id, 'oauth', f.id
            FROM oauth_grants g JOIN token_families f ON f.id = g.family_id WHERE ${isNamed}`,
      params,
    },
    { sql: `UPDATE token_families AS f SET ended_at = ?4 WHERE ${isNamed}`, params },
  ];
}

export interface ConnectionRow {
  readonly family_id: string;
  readonly name: string;
  readonly host: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly scopes: string;
  readonly started_at: number;
  readonly used_at: number;
}

/** True if the grant's family `f` works, and is one of the user ?2, and of the workspace that limits the session ?1. */
const IS_OWN = `f.user_id = ?2 AND f.began_by = 'oauth' AND f.ended_at IS NULL AND f.ends_at > ?3
  AND f.client_id = coalesce((SELECT client_id FROM token_families WHERE id = ?1), f.client_id) AND ${IS_IN_SESSION}`;

/** The working grants of a user, those used last first. */
export function selectConnections({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `SELECT g.family_id, g.name, g.host, f.client_id, coalesce(c.name, f.client_id) AS client_name, f.scopes,
            f.started_at, g.used_at
          FROM oauth_grants g JOIN token_families f ON f.id = g.family_id JOIN clients c ON c.id = f.client_id
          WHERE ${IS_OWN} ORDER BY g.used_at DESC, g.family_id LIMIT 200`,
    params: [familyId, userId, now],
  };
}

/** Records the end of a grant in its client, if its user still belongs to that; before `endConnection`. */
export function recordEnd(actor: Actor, now: number, id: string): Statement {
  return insertAudit(actor, 'links:read', now, {
    action: 'application.disconnected',
    subjects: `SELECT f.client_id, application, ${NAME_AND_HOST}, NULL
      FROM oauth_grants g JOIN token_families f ON f.id = g.family_id JOIN acting a ON a.user_id = f.user_id
      WHERE f.id = ?8 AND f.ended_at IS NULL`,
    params: [id],
  });
}

/** Ends one grant of the same user. */
export function endConnection({ familyId, userId }: SessionRef, now: number, id: string): Statement {
  return {
    sql: `UPDATE token_families AS f SET ended_at = ?3 WHERE f.id = ?4 AND ${IS_OWN}`,
    params: [familyId, userId, now, id],
  };
}
