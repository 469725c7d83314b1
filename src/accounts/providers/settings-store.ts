import type { Statement } from '../../database/database.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../access.ts';
import type { AuditAction } from '../audit/actions.ts';
import { insertAudit } from '../audit/write-audit.ts';
import { IS_KEPT } from './provider-store.ts';

/** The SQL by which owners set up the provider of their workspace. In all of it ?8 is the provider. */

/** The settings that an owner enters, as they are stored. */
export interface StoredSettings {
  readonly id: string;
  readonly issuer: string;
  readonly application: string;
  readonly name: string;
  /** Sealed with the id; null keeps the one that is stored. */
  readonly secret: string | null;
  readonly scope: string;
  /** JSON: a list of `RoleRule` */
  readonly roles: string;
}

/** True if the workspace is opened by other ways than the provider `p`: else removing that would open it to none. */
const IS_NOT_REQUIRED = `NOT EXISTS (SELECT 1 FROM clients c WHERE c.id = p.client_id AND c.required_provider = p.id)`;

const IS_THE_PROVIDER = `p.id = ?8 AND p.client_id = ${SOLE_CLIENT} AND ${IS_KEPT}`;

function auditOf(actor: Actor, now: number, action: AuditAction, id: string, where: string): Statement {
  return insertAudit(actor, 'members', now, {
    action,
    subjects: `SELECT p.client_id, p.id, p.name, json_object('issuer', p.issuer) FROM providers p WHERE ${where}`,
    params: [id],
  });
}

/** Two statements: adds the provider of a workspace without one, and returns a row if it did. */
export function insertProvider(actor: Actor, now: number, added: StoredSettings): Statement[] {
  const { id, issuer, application, name, secret, scope, roles } = added;
  return [
    {
      sql: `${ACTING}
        INSERT INTO providers (id, kind, client_id, issuer, application, name, secret, scope, roles, created_at, updated_at)
        SELECT ?8, 'openid', a.client_id, ?9, ?10, ?11, ?12, ?13, ?14, ?5, ?5 FROM acting a
        WHERE a.client_id = ${SOLE_CLIENT} AND NOT EXISTS (
          SELECT 1 FROM providers o WHERE o.client_id = a.client_id AND o.ended_at IS NULL)
        RETURNING id`,
      params: [...actingParams(actor, 'members', now), id, issuer, application, name, secret, scope, roles],
    },
    auditOf(actor, now, 'provider.added', id, 'p.id = ?8 AND p.created_at = ?5'),
  ];
}

/** Two statements: changes a provider without making it another one, and returns a row if it did. */
export function updateProvider(actor: Actor, now: number, changed: StoredSettings): Statement[] {
  const { id, name, secret, scope, roles } = changed;
  return [
    auditOf(actor, now, 'provider.changed', id, IS_THE_PROVIDER),
    {
      sql: `${ACTING}
        UPDATE providers AS p SET name = ?9, secret = coalesce(?10, p.secret), scope = ?11, roles = ?12, updated_at = ?5
        WHERE ${IS_THE_PROVIDER} AND EXISTS (SELECT 1 FROM acting) RETURNING id`,
      params: [...actingParams(actor, 'members', now), id, name, secret, scope, roles],
    },
  ];
}

/** The sessions that began at the provider. */
const SESSIONS = `f.provider_id = ?8 AND f.began_by = 'provider' AND f.ended_at IS NULL`;

/** Two statements: turns a provider on; the second returns a row if it did. */
export function turnOn(actor: Actor, now: number, id: string): Statement[] {
  const where = `${IS_THE_PROVIDER} AND p.on_at IS NULL`;
  return [
    auditOf(actor, now, 'provider.turned_on', id, where),
    {
      sql: `${ACTING} UPDATE providers AS p SET on_at = ?5, updated_at = ?5
        WHERE ${where} AND EXISTS (SELECT 1 FROM acting) RETURNING id`,
      params: [...actingParams(actor, 'members', now), id],
    },
  ];
}

/**
 * Three statements: turns a provider off, or removes it, unless the workspace is opened by it alone; and ends the sessions
 * that began there. The second returns a row if it did.
 */
export function turnOff(actor: Actor, now: number, id: string, isRemoved: boolean): Statement[] {
  const params = [...actingParams(actor, 'members', now), id];
  const where = `${IS_THE_PROVIDER} AND ${IS_NOT_REQUIRED}${isRemoved ? '' : ' AND p.on_at IS NOT NULL'}`;
  return [
    auditOf(actor, now, isRemoved ? 'provider.removed' : 'provider.turned_off', id, where),
    {
      // A secret that is no longer used is not kept.
      sql: `${ACTING} UPDATE providers AS p
        SET on_at = NULL, updated_at = ?5${isRemoved ? ', ended_at = ?5, secret = NULL' : ''}
        WHERE ${where} AND EXISTS (SELECT 1 FROM acting) RETURNING id`,
      params,
    },
    {
      sql: `${ACTING} UPDATE token_families AS f SET ended_at = ?5
        WHERE ${SESSIONS} AND EXISTS (
          SELECT 1 FROM providers p JOIN acting a ON a.client_id = p.client_id WHERE p.id = ?8 AND p.on_at IS NULL)`,
      params,
    },
  ];
}

/** Returns a row if a workspace is opened by its provider alone. */
export function selectRequired(actor: Actor, now: number): Statement {
  return {
    sql: `${ACTING} SELECT 1 AS is_required FROM clients WHERE id = ${SOLE_CLIENT} AND required_provider IS NOT NULL`,
    params: actingParams(actor, 'members', now),
  };
}
