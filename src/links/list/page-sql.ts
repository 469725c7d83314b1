import { ACTING } from '../../accounts/access.ts';
import { LISTED_COLUMNS, WITH_DOMAINS } from '../managed-link.ts';

/** The SQL that reads the links of a page, each with `fits`: 1 if it matches the filters of the list. */

/**
 * Selects links that all fit, as they are found: a table of their ids would have rows to read too.
 *
 * @param from where links `l` are found
 * @param following the conditions, the order and the limit
 */
export function selectAll(from: string, following: string): string {
  return `${ACTING} SELECT 1 AS fits, ${LISTED_COLUMNS} FROM ${from} ${WITH_DOMAINS} ${following}`;
}

/**
 * Selects links by ids.
 *
 * @param page selects the ids of those that fit
 * @param last selects that of the link after which the list continues if the page is not full
 */
export function selectPage(page: string, last: string): string {
  return `${ACTING}, page AS MATERIALIZED (${page}), last AS MATERIALIZED (${last})
    SELECT p.fits, ${LISTED_COLUMNS}
    FROM (SELECT id, 1 AS fits FROM page UNION ALL SELECT id, 0 FROM last) AS p
    CROSS JOIN links l ON l.id = p.id ${WITH_DOMAINS}
    ORDER BY p.fits DESC, l.created_at DESC, l.id DESC`;
}
