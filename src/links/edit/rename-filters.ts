import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../../accounts/access.ts';
import type { Statement } from '../../database/database.ts';
import { foldCase } from '../../text/look-alikes.ts';
import { IS_RENAMED, type Renamed } from '../shares/share-store.ts';

/** The campaigns to which webhooks are limited go along with a new name. */

export interface FilterRow {
  readonly campaign: string;
}

/** Selects the campaigns to which webhooks of the client are limited, in each spelling. */
export const selectFilters = (actor: Actor, now: number): Statement => ({
  sql: `${ACTING} SELECT DISTINCT campaign FROM webhooks WHERE client_id = ${SOLE_CLIENT} AND campaign IS NOT NULL`,
  params: actingParams(actor, 'links:write', now),
});

/**
 * Renames the campaign of webhooks that are limited to it, once links have the new name.
 *
 * @param filters what `selectFilters` has found
 */
export function renameFilters(
  actor: Actor,
  now: number,
  { former, name, ids, editId }: Renamed,
  filters: readonly FilterRow[],
): Statement[] {
  const folded = foldCase(former);
  const spellings = filters.map(({ campaign }) => campaign).filter((campaign) => foldCase(campaign) === folded);
  if (spellings.length === 0) return [];
  return [
    {
      sql: `${ACTING}
        UPDATE webhooks SET campaign = ?9, updated_at = ?5
        WHERE client_id = ${SOLE_CLIENT} AND (campaign = ?8 OR campaign IN (SELECT value FROM json_each(?12))) AND ${IS_RENAMED}`,
      params: [
        ...actingParams(actor, 'links:write', now),
        former,
        name,
        JSON.stringify(ids),
        editId,
        JSON.stringify(spellings),
      ],
    },
  ];
}
