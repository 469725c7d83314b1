import { COMPARED_NAMES, isSameIn, STORED_NAMES } from '../fields/content.ts';
import { urlKey } from '../destinations/url-key.ts';
import { MANAGED_COLUMNS, WITH_DOMAINS } from '../managed-link.ts';
import { DOMAIN_SLUG_LENGTHS, GENERATED_ID } from '../slugs/slug.ts';

/**
 * The link that a create with `reuse` answers with, in SQL. Its look-up is a part of the statement that inserts, so that
 * the database decides which of several creates at a time adds the link.
 */

/**
 * The number of links to one destination that a create is compared with, from the newest on, as in an import: otherwise
 * each create could read all links of a client, while no other request can use the database.
 */
const MAX_COMPARED = 1000;

const { length, alphabet } = GENERATED_ID;
const isLegible = (column: string) => `${column} NOT GLOB '*[^${alphabet}]*'`;
const HAS_GENERATED_SEC_ID = `(length(l.sec_id) = ${length} AND ${isLegible('l.sec_id')})`;
// Slugs of other lengths are not the id of their link.
const HAS_GENERATED_SLUG = `(l.slug = l.id OR (length(l.slug) BETWEEN ${DOMAIN_SLUG_LENGTHS.least} AND ${DOMAIN_SLUG_LENGTHS.most}
  AND ${isLegible('l.slug')}))`;

// The cast gives the text an affinity, without which the index could not be used for the join.
const WANTED = STORED_NAMES.map((name) =>
  name === 'url'
    ? `CAST(item.value ->> '$.wanted.url' AS TEXT) AS url`
    : `item.value ->> '$.wanted.${name}' AS ${name}`,
).join(', ');

const IS_SAME = COMPARED_NAMES.filter((name) => name !== 'sec_id')
  .map(isSameIn)
  .join(' AND ');

/**
 * A common table expression with the id of the newest active link that is as one to be created, if there is one. Of a
 * link without a chosen slug or secondary id, these are generated. A link with aliases or imported clicks is none.
 *
 * @param client the client of `item`, in SQL
 * @param domain the domain of `item`, in SQL
 * @param now the time, in SQL
 */
export const reusableLink = (client: string, domain: string, now: string): string => `reusable AS (
  SELECT l.id
  FROM (SELECT ${WANTED}, ${client} AS client_id, ${domain} AS domain_id FROM json_each(?6) AS item) AS w
  CROSS JOIN links l ON l.id IN (
    SELECT c.id FROM links c INDEXED BY links_of_url
    WHERE c.client_id = w.client_id AND ${urlKey('c.url')} = ${urlKey('w.url')} AND c.deleted_at IS NULL
    ORDER BY c.created_at DESC, c.id DESC LIMIT ${MAX_COMPARED})
  WHERE l.domain_id = w.domain_id AND ${HAS_GENERATED_SLUG}
    AND CASE WHEN w.sec_id IS NULL THEN ${HAS_GENERATED_SEC_ID} ELSE w.sec_id = l.sec_id END
    AND l.imported_clicks IS NULL
    AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.link_id = l.id AND a.slug <> l.slug)
    AND l.disabled_at IS NULL AND l.password_at IS NULL AND coalesce(l.expires_at > ${now}, TRUE) AND ${IS_SAME}
  ORDER BY l.created_at DESC, l.id DESC LIMIT 1)`;

/** The columns of a `ManagedRow` of the reusable link, under `reusableLink`. */
export const SELECT_REUSABLE = `SELECT ${MANAGED_COLUMNS} FROM reusable CROSS JOIN links l ON l.id = reusable.id ${WITH_DOMAINS}`;
