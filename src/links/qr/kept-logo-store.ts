import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../../accounts/access.ts';
import type { AuditAction } from '../../accounts/audit/actions.ts';
import { insertAudit } from '../../accounts/audit/write-audit.ts';
import type { Permission } from '../../accounts/scopes.ts';
import type { Statement } from '../../database/database.ts';
import type { Logo } from './logo.ts';

/** The SQL by which a client keeps a logo: one for all of its links, and one for each of its domains. */

export interface LogoRow {
  /** The host of the domain, or '' for all links. */
  readonly domain: string;
  readonly type: Logo['type'];
}

export interface LogoFileRow extends LogoRow {
  /** In base64. */
  readonly file: string;
}

const THEIRS = 'client_id = ?8 AND client_id IN (SELECT client_id FROM acting)';

/** Selects the types of all logos of a client that the actor can act for. */
export function selectLogoTypes(actor: Actor, now: number, clientId: string): Statement {
  return {
    sql: `${ACTING} SELECT domain, type FROM logos WHERE ${THEIRS}`,
    params: [...actingParams(actor, 'links:read', now), clientId],
  };
}

/** Selects the logo of a domain of such a client, and the one for all of its links, in this order. */
export function selectLogosOf(actor: Actor, now: number, clientId: string, host: string | null): Statement {
  return {
    sql: `${ACTING} SELECT domain, type, file FROM logos WHERE ${THEIRS} AND domain IN ('', ?9) ORDER BY domain DESC`,
    params: [...actingParams(actor, 'links:read', now), clientId, host ?? ''],
  };
}

/** The links whose codes have a logo: those of a domain, by its id, or all of the actor's client. */
export type LogoOf = { readonly domainId: string } | 'all links';

export const permissionFor = (of: LogoOf): Permission => (of === 'all links' ? 'links:write' : 'domains:write');

/** Records that a logo is kept or changed, and then puts it there. Returns a row, unless there is no such domain. */
export function upsertLogo(actor: Actor, now: number, of: LogoOf, type: Logo['type'], file: string): Statement[] {
  const params = [...actingParams(actor, permissionFor(of), now), idOf(of), type, file];
  return [
    auditLogo(actor, now, of, `CASE WHEN ${HAS_LOGO} THEN 'changed' ELSE 'kept' END`),
    {
      sql: `${ACTING}
        INSERT INTO logos (client_id, domain, type, file, updated_at)
        SELECT client_id, domain, ?9, ?10, ?5 FROM (${placeOf(of)}) WHERE true
        ON CONFLICT (client_id, domain) DO UPDATE
        SET type = excluded.type, file = excluded.file, updated_at = excluded.updated_at
        RETURNING type`,
      params,
    },
  ];
}

/** Records that a logo is removed, if it is kept, and deletes it. */
export function deleteLogo(actor: Actor, now: number, of: LogoOf): Statement[] {
  return [
    auditLogo(actor, now, of, `'removed'`, HAS_LOGO),
    {
      sql: `${ACTING} DELETE FROM logos WHERE (client_id, domain) IN (SELECT client_id, domain FROM (${placeOf(of)}))`,
      params: [...actingParams(actor, permissionFor(of), now), idOf(of)],
    },
  ];
}

const idOf = (of: LogoOf) => (of === 'all links' ? null : of.domainId);

/** Under `ACTING`: the place of a logo, and its name in the audit log; ?8 is the id of the domain. */
const placeOf = (of: LogoOf) =>
  of === 'all links'
    ? `SELECT id AS client_id, '' AS domain, id, name FROM clients WHERE id = ${SOLE_CLIENT} AND ?8 IS NULL`
    : `SELECT client_id, host AS domain, id, host AS name FROM domains
        WHERE id = ?8 AND removed_at IS NULL AND client_id = ${SOLE_CLIENT}`;

const HAS_LOGO = 'EXISTS (SELECT 1 FROM logos l WHERE l.client_id = p.client_id AND l.domain = p.domain)';

function auditLogo(actor: Actor, now: number, of: LogoOf, done: string, condition = 'true'): Statement {
  const action: AuditAction = of === 'all links' ? 'client.changed' : 'domain.changed';
  return insertAudit(actor, permissionFor(of), now, {
    action,
    subjects: `SELECT p.client_id, p.id, p.name, json_object('logo', ${done}) FROM (${placeOf(of)}) p WHERE ${condition}`,
    params: [idOf(of)],
  });
}
