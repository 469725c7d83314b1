import type { Statement } from '../../database/database.ts';
import type { Provider, RoleRule } from './provider.ts';

/** The SQL that finds providers. */

export interface ProviderRow {
  readonly id: string;
  readonly client_id: string | null;
  readonly issuer: string;
  readonly application: string;
  readonly name: string;
  readonly secret: string | null;
  readonly scope: string;
  /** JSON: a list of `RoleRule` */
  readonly roles: string;
  readonly is_on: number;
}

const COLUMNS = `p.id, p.client_id, p.issuer, p.application, p.name, p.secret, p.scope, p.roles, p.on_at IS NOT NULL AS is_on`;

/** True if the provider `p` is one of OpenID Connect, was not removed, and its workspace is not deleted. */
export const IS_KEPT = `p.kind = 'openid' AND p.ended_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.client_id = p.client_id AND d.undone_at IS NULL)`;

/** The provider of a workspace. */
export function selectProviderOf(clientId: string): Statement {
  return { sql: `SELECT ${COLUMNS} FROM providers p WHERE p.client_id = ?1 AND ${IS_KEPT}`, params: [clientId] };
}

/** The provider of the workspace that has proven a mail domain. */
export function selectProviderOfMail(domain: string): Statement {
  return {
    sql: `SELECT ${COLUMNS} FROM provider_domains d JOIN providers p ON p.client_id = d.client_id
          WHERE d.domain = ?1 AND d.proven_at IS NOT NULL AND ${IS_KEPT}`,
    params: [domain],
  };
}

/** Two statements: adds the service's own provider, unless it is known; and selects it. */
export function insertServiceProvider(
  { id, issuer, application, name }: Pick<Provider, 'id' | 'issuer' | 'application' | 'name'>,
  now: number,
): Statement[] {
  return [
    {
      sql: `INSERT INTO providers (id, kind, issuer, application, name, created_at, updated_at, on_at)
            VALUES (?1, 'openid', ?2, ?3, ?4, ?5, ?5, ?5) ON CONFLICT DO NOTHING`,
      params: [id, issuer, application, name, now],
    },
    {
      sql: `SELECT ${COLUMNS} FROM providers p
            WHERE p.client_id IS NULL AND p.issuer = ?1 AND p.application = ?2 AND ${IS_KEPT}`,
      params: [issuer, application],
    },
  ];
}

export const toProvider = (row: ProviderRow): Provider => ({
  id: row.id,
  clientId: row.client_id,
  issuer: row.issuer,
  application: row.application,
  name: row.name,
  secret: row.secret,
  scope: row.scope,
  rules: JSON.parse(row.roles) as readonly RoleRule[],
  isOn: row.is_on === 1,
});
