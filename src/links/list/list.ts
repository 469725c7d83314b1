import { actingParams, type Actor } from '../../accounts/access.ts';
import { listPage } from '../../accounts/list-page.ts';
import type { Database } from '../../database/database.ts';
import { readPage, rowsOfPage } from '../../input/pagination.ts';
import type { LinkFilters } from './filters.ts';
import { listSqlOf } from './list-sql.ts';
import { listOfLinks, toLinkPage, type LinkPage } from './link-page.ts';

export interface LinkPageOptions {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Lists the links of the actor's client, newest first, in one round trip. Throws `invalid_cursor`, `store_unavailable`,
 * and what `authorize` throws.
 */
export async function listLinks(
  db: Database,
  actor: Actor,
  filters: LinkFilters,
  options: LinkPageOptions,
): Promise<LinkPage> {
  const page = readPage({ ...filters, client_id: actor.clientId ?? undefined }, options);
  const { sql, params } = listSqlOf(filters, page.after, rowsOfPage(page.limit));
  const list = listOfLinks(({ fits }) => fits === 0, {
    permission: 'links:read',
    select: (now) => ({ sql, params: [...actingParams(actor, 'links:read', now), ...params] }),
  });
  return toLinkPage(await listPage(db, actor, page, list));
}
