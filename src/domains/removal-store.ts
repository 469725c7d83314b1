import { ACTING, type Actor } from '../accounts/access.ts';
import type { Statement } from '../database/database.ts';
import { hasLinks } from '../links/domain-links-sql.ts';
import { deleteDomainLogos } from '../links/qr/domain-logos-sql.ts';
import { deleteAppLinks } from './app-link-store.ts';
import { audit, SUBJECT, IS_THIS_DOMAIN, writing } from './store.ts';

export interface RemovalRow {
  readonly host: string;
  readonly is_served_by_another: number;
}

export function selectForRemoval(actor: Actor, id: string, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT host, EXISTS (
          SELECT 1 FROM domains AS other WHERE other.host = domains.host AND other.status <> 'pending' AND other.id <> ?8
        ) AS is_served_by_another
      FROM domains WHERE ${IS_THIS_DOMAIN}`,
    params: [...writing(actor, now), id],
  };
}

/**
 * Removes a domain without links, its pages, its app links and its logo. Its row stays as long as an address refers to
 * it: slugs are unique per row, so that a host that is added again starts with no slugs taken.
 *
 * @param force whether its links were just deleted, for the audit log
 */
export function removeDomain(actor: Actor, id: string, force: boolean, now: number): Statement[] {
  const params = [...writing(actor, now), id];
  const isBare = `${IS_THIS_DOMAIN} AND NOT ${hasLinks('domains.id')}`;
  const details = force ? `json_object('links_deleted', json('true'))` : 'NULL';
  return [
    audit(actor, now, {
      action: 'domain.removed',
      subjects: `${SUBJECT}, ${details} FROM domains WHERE ${isBare}`,
      params: [id],
    }),
    deleteAppLinks(isBare, params),
    deleteDomainLogos(isBare, params),
    {
      sql: `${ACTING}
        DELETE FROM domains WHERE ${isBare} AND NOT EXISTS (SELECT 1 FROM addresses WHERE domain_id = domains.id)
        RETURNING host`,
      params,
    },
    {
      sql: `${ACTING}
        UPDATE domains SET status = 'pending', removed_at = ?5, root_url = NULL, not_found_url = NULL, token = NULL
        WHERE ${isBare} RETURNING host`,
      params,
    },
  ];
}
