import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../../accounts/access.ts';
import type { Statement } from '../../database/database.ts';
import type { Logo } from './logo.ts';

/** The SQL by which a client keeps a logo. */

export interface LogoRow {
  readonly type: Logo['type'];
  /** Its file, in base64. */
  readonly file: string;
}

/** Selects a column of the logo of a client that the actor can act for. */
export function selectLogo(actor: Actor, now: number, clientId: string, column: keyof LogoRow): Statement {
  return {
    sql: `${ACTING}
      SELECT ${column} FROM logos WHERE client_id = ?8 AND domain = '' AND client_id IN (SELECT client_id FROM acting)`,
    params: [...actingParams(actor, 'links:read', now), clientId],
  };
}

/** Puts a logo in place of that of the actor's client. */
export function upsertLogo(actor: Actor, now: number, type: Logo['type'], file: string): Statement {
  return {
    sql: `${ACTING}
      INSERT INTO logos (client_id, domain, type, file, updated_at)
      SELECT client_id, '', ?8, ?9, ?5 FROM acting WHERE client_id = ${SOLE_CLIENT}
      ON CONFLICT (client_id, domain) DO UPDATE
      SET type = excluded.type, file = excluded.file, updated_at = excluded.updated_at`,
    params: [...actingParams(actor, 'links:write', now), type, file],
  };
}

/** Deletes the logo of the actor's client. */
export function deleteLogo(actor: Actor, now: number): Statement {
  return {
    sql: `${ACTING} DELETE FROM logos WHERE client_id = ${SOLE_CLIENT} AND domain = ''`,
    params: actingParams(actor, 'links:write', now),
  };
}
