import { ACTING, actingParams, authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database, Param } from '../../database/database.ts';
import { END_OF_TIME, type Position } from '../../input/pagination.ts';
import type { ManagedLink } from '../managed-link.ts';
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
 *
 * @param newest the newest of them, which are not read again
 */
export async function countLinks(
  db: Database,
  actor: Actor,
  filters: LinkFilters,
  newest: readonly ManagedLink[] = [],
): Promise<LinkCount | null> {
  const last = newest.at(-1);
  const count = countSqlOf(filters, last ? [last.createdAt, last.id] : END_OF_TIME, MAX_COUNTED + 1 - newest.length);
  if (count === null) return null;
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, { readonly links: number }]>([
    selectAccess(actor, 'links:read', now),
    { sql: count.sql, params: [...actingParams(actor, 'links:read', now), ...count.params] },
  ]);
  authorize(access, actor);
  const links = newest.length + (row?.links ?? 0);
  return { links: Math.min(links, MAX_COUNTED), hasMore: links > MAX_COUNTED };
}

/** @param limit how many entries of the index are read after a position */
function countSqlOf(filters: LinkFilters, after: Position, limit: number): ListSql | null {
  const params: Param[] = [...after];
  const bind = (value: Param) => `?${params.push(value) + 7}`;
  const plan = planOf(filters, bind);
  const isSettled = Object.entries(filters).every(
    ([name, value]) => value === undefined || plan.settles.some((settled) => settled === name),
  );
  if (plan.index === null || plan.also !== undefined || !isSettled) return null;
  const { sql: from, position } = plan.from ?? ofLinks(plan.index);
  const where = [...plan.where, `${position} < (?8, ?9)`].join(' AND ');
  const links = `SELECT 1 FROM ${from} WHERE ${where} LIMIT ${bind(limit)}`;
  return { sql: `${ACTING} SELECT count(*) AS links FROM (${links})`, params };
}
