import { GRANTS, grantParams, type Credential } from '../accounts/grants.ts';
import type { Statement } from '../database/database.ts';
import { contentColumns, toContent, type ContentRow } from './fields/content.ts';
import type { Link } from './link.ts';

export interface LinkRow extends ContentRow {
  readonly id: string;
  readonly slug: string;
  readonly host: string | null;
  readonly client_id: string;
  readonly created_at: number;
  readonly password_at: number | null;
}

/** The columns of a `LinkRow`, of links `l` and their domains `d`. */
export const linkColumns = (tags: 'in order' | 'unordered'): string =>
  `l.id, l.slug, d.host, l.client_id, l.created_at, l.password_at, ${contentColumns('l', tags)}`;

/** The one row of `selectLinkForInfo`; its link is null if none is found. */
export type InfoRow = { readonly credential_ok: number; readonly is_deleted: number } & (
  | LinkRow
  | { readonly id: null }
);

/**
 * Selects the link that all three ids name, among those the credential may read; whether it was deleted; and whether
 * the credential is valid.
 */
export function selectLinkForInfo(
  credential: Credential,
  ids: { readonly id: string; readonly clientId: string; readonly secId: string },
  now: number,
): Statement {
  return {
    sql: `${GRANTS}
      SELECT EXISTS (SELECT 1 FROM grants) AS credential_ok,
        EXISTS (
          SELECT 1 FROM links WHERE id = ?6 AND client_id = ?7 AND sec_id = ?8 AND deleted_at IS NOT NULL AND url <> ''
            AND client_id IN (SELECT client_id FROM grants)) AS is_deleted,
        ${linkColumns('in order')}
      FROM (SELECT 1)
      LEFT JOIN links l ON l.id = ?6 AND l.client_id = ?7 AND l.sec_id = ?8 AND l.deleted_at IS NULL
        AND l.client_id IN (SELECT client_id FROM grants)
      LEFT JOIN domains d ON d.id = l.domain_id`,
    params: [...grantParams(credential, now), ids.id, ids.clientId, ids.secId],
  };
}

export function toLink(row: LinkRow): Link {
  return {
    id: row.id,
    slug: row.slug,
    customDomain: row.host,
    clientId: row.client_id,
    createdAt: row.created_at,
    hasPassword: row.password_at !== null,
    ...toContent(row),
  };
}
