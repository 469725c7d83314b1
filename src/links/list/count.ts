import { ACTING, actingParams, authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database, Param } from '../../database/database.ts';
import type { LinkFilters } from './filters.ts';
import { ofLinks, planOf, type ListSql } from './list-sql.ts';

/** The most links that are counted. */
const MAX_COUNTED = 500;

export interface LinkCount {
  /** At most `MAX_COUNTED`. */
  readonly links: number;
  /** True if there are more than these. */
  readonly hasMore: boolean;
}

/**
 * Counts the links of the actor's client that match filters, by the entries of one index; null for filters for which each
 * link would have to be read. One round trip. Throws `store_unavailable`, and what `authorize` throws.
 */
export async function countLinks(db: Database, actor: Actor, filters: LinkFilters): Promise<LinkCount | null> {
  const count = countSqlOf(filters, MAX_COUNTED + 1);
  if (count === null) return null;
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, { readonly links: number }]>([
    selectAccess(actor, 'links:read', now),
    { sql: count.sql, params: [...actingParams(actor, 'links:read', now), ...count.params] },
  ]);
  authorize(access, actor);
  const links = row?.links ?? 0;
  return { links: Math.min(links, MAX_COUNTED), hasMore: links > MAX_COUNTED };
}

/** @param limit how many entries of the index are read */
function countSqlOf(filters: LinkFilters, limit: number): ListSql | null {
  const params: Param[] = [];
  const bind = (value: Param) => `?${params.push(value) + 7}`;
  const plan = planOf(filters, bind);
  const isSettled = Object.entries(filters).every(
    ([name, value]) => value === undefined || plan.settles.some((settled) => settled === name),
  );
  if (plan.index === null || plan.also !== undefined || !isSettled) return null;
  const { sql: from } = plan.from ?? ofLinks(plan.index);
  const links = `SELECT 1 FROM ${from} WHERE ${plan.where.join(' AND ')} LIMIT ${bind(limit)}`;
  return { sql: `${ACTING} SELECT count(*) AS links FROM (${links})`, params };
}
