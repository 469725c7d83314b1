import { ACTING, SOLE_CLIENT } from '../../accounts/access.ts';
import { auditSql } from '../../accounts/audit/write-audit.ts';
import { blockedHostAmong, ownHostAmong } from '../destinations/destination-hosts.ts';
import { TAKES_FILES } from '../domain-conditions.ts';
import { isWanted } from '../../events/record.ts';
import { COLUMN_NAMES, COMPARED_NAMES, isSameIn, STORED_NAMES, type StoredName } from '../fields/content.ts';
import { propertyOf } from '../fields/property.ts';
import { linkFields } from '../fields/table.ts';
import { isRestorableOf } from '../slugs/deleted-owner.ts';
import { foldedIn } from '../slugs/folded-slug-sql.ts';
import { LISTED_COLUMNS, WITH_DOMAINS } from '../managed-link.ts';
import { hasBelow, isBelowOwner } from '../slugs/path-owners.ts';
import { urlKey } from '../destinations/url-key.ts';
import { HOUR_MS } from '../../time/day.ts';
import { hasRoomAmong, insertTags, newTagsOf, tagNamesOf } from '../tags/tag-sql.ts';

/**
 * The statements of an import, under `ACTING`; ?8 is a list of rows or drafts, with as much of each as the statement
 * reads.
 */

const FOLDED_OTHER = foldedIn('w.case_sensitive', 'other.value');
const FOLDED_CLAIM = foldedIn('w.case_sensitive', 'claim.value');

const valueOf = (name: StoredName): string =>
  linkFields[name].stored === 'names' ? `w.item ->> 'foldedTags'` : `w.item ->> '${propertyOf(name)}'`;

// The cast gives the text an affinity, without which the index could not be used for the join.
const CONTENT = STORED_NAMES.map((name) =>
  name === 'url' ? `CAST(${valueOf(name)} AS TEXT) AS url` : `${valueOf(name)} AS ${name}`,
).join(', ');

const IS_EQUAL_CONTENT = COMPARED_NAMES.filter((name) => linkFields[name].isClearable && name !== 'max_clicks')
  .map(isSameIn)
  .join(' AND ');

const NEW_VALUES: Readonly<Record<string, string>> = {
  sec_id: `w.item ->> 'newSecId'`,
  max_clicks: `w.item ->> 'newMaxClicks'`,
};
const NEW_CONTENT = COLUMN_NAMES.map((name) => NEW_VALUES[name] ?? valueOf(name)).join(', ');

// As JSONB, since SQLite writes each element of a list anew as text wherever it is named.
const ITEMS = `${ACTING},
  items AS MATERIALIZED (SELECT item.key, jsonb(item.value) AS value FROM json_each(?8) AS item)`;

/**
 * The rows with their domains. A domain of the client that takes no new links may still have some of the file.
 *
 * @param more further columns, each of which costs time for every row
 */
// Under CROSS JOIN the planner keeps the order: from the rows, which are few, to the addresses, which are many.
const wantedWith = (more = ''): string => `${ITEMS},
  wanted AS MATERIALIZED (
    SELECT item.key AS position, item.value AS item, item.value ->> 'id' AS id,
      CASE WHEN item.value ->> 'customDomain' IS NULL THEN '' ELSE d.id END AS domain_id,
      coalesce(d.case_sensitive, FALSE) AS case_sensitive${more}
    FROM items AS item LEFT JOIN domains d
      ON d.client_id = ${SOLE_CLIENT} AND d.host = item.value ->> 'customDomain' AND d.removed_at IS NULL
  )`;

const PLACED = wantedWith();
const CHECKED = wantedWith(`,
      item.value ->> 'foldedTags' AS tags, item.value ->> 'externalId' AS external_id,
      item.value ->> 'forwardPath' AS forward_path,
      (item.value ->> 'customDomain' IS NULL OR (d.id IS NOT NULL AND ${TAKES_FILES})) AS domain_ok,
      coalesce(d.status = 'pending', FALSE) AS is_waiting, d.slug_length AS domain_slug_length,
      ${ownHostAmong(`item.value -> 'targetHosts'`)} AS own_host,
      ${blockedHostAmong(`item.value -> 'targetHosts'`)} AS blocked_host`);

/**
 * The number of links to one destination that a row without a slug is compared with, from the newest on: otherwise each
 * row of a file is compared with all of them, while no other client can use the database.
 */
const MAX_COMPARED = 1000;

// As `differencesOf` compares.
const IS_EQUAL = `${IS_EQUAL_CONTENT}
  AND (w.max_clicks IS l.max_clicks OR l.max_clicks BETWEEN w.clicks_left AND w.max_clicks)
  AND (l.password_at IS NULL AND w.new_disabled = (l.disabled_at IS NOT NULL)
    OR w.had_password = (l.password_at IS NOT NULL)
      AND (w.disabled = (l.disabled_at IS NOT NULL) OR w.clicks_left = 0))`;

const EQUAL = `
  contents AS MATERIALIZED (
    SELECT w.position, w.domain_id, ${CONTENT}, w.item ->> 'disabled' AS disabled,
      w.item ->> 'hasPassword' AS had_password, w.item ->> 'clicksLeft' AS clicks_left,
      w.item ->> 'newDisabled' AS new_disabled
    FROM wanted w WHERE w.item ->> 'by_content'
  ),
  compared AS MATERIALIZED (
    SELECT l.id FROM (SELECT DISTINCT url FROM contents) AS destination CROSS JOIN links l ON l.id IN (
      SELECT c.id FROM links c INDEXED BY links_of_url
      WHERE c.client_id = ${SOLE_CLIENT} AND ${urlKey('c.url')} = ${urlKey('destination.url')} AND c.deleted_at IS NULL
      ORDER BY c.created_at DESC, c.id DESC LIMIT ${MAX_COMPARED})
  ),
  equal AS MATERIALIZED (
    SELECT w.position, max(l.id) AS link_id
    FROM compared CROSS JOIN links l ON l.id = compared.id CROSS JOIN contents w
    WHERE w.url = l.url AND w.domain_id = l.domain_id
      AND ${IS_EQUAL}
      AND (w.sec_id IS NULL OR w.sec_id = l.sec_id)
    GROUP BY w.position
  )`;

const ofClaims = (condition: string) =>
  `EXISTS (SELECT 1 FROM json_each(w.item, '$.claims') AS claim WHERE ${condition})`;
const IS_BELOW = ofClaims(isBelowOwner('w.domain_id', 'w.case_sensitive', 'claim.value'));
const IS_ABOVE = `(w.forward_path IS TRUE AND ${ofClaims(hasBelow('w.domain_id', FOLDED_CLAIM))})`;

const IS_EXTERNAL_ID_TAKEN = `EXISTS (
  SELECT 1 FROM links l WHERE l.client_id = ${SOLE_CLIENT} AND l.external_id = w.external_id)`;

const insertAddresses = (
  byContent: boolean,
  withTags: boolean,
): string => `${CHECKED}${byContent ? `, ${EQUAL}` : ''}${withTags ? `, ${newTagsOf('?8', () => SOLE_CLIENT)}` : ''}
  INSERT INTO addresses (domain_id, folded, slug, link_id)
  SELECT w.domain_id, ${FOLDED_CLAIM}, claim.value ->> 'slug', w.id
  FROM wanted w CROSS JOIN json_each(w.item, '$.claims') AS claim
  WHERE ${SOLE_CLIENT} IS NOT NULL AND w.domain_ok AND w.own_host IS NULL AND w.blocked_host IS NULL
    AND NOT ${IS_BELOW} AND NOT ${IS_ABOVE} AND NOT ${IS_EXTERNAL_ID_TAKEN}
    ${withTags ? `AND ${hasRoomAmong(SOLE_CLIENT, 'w.item')}` : ''}
    ${byContent ? 'AND w.position NOT IN (SELECT position FROM equal)' : ''}
    AND NOT EXISTS (SELECT 1 FROM links WHERE id = w.id)
    AND NOT EXISTS (
      SELECT 1 FROM json_each(w.item, '$.claims') AS other
      CROSS JOIN addresses a ON a.domain_id = w.domain_id AND a.folded IN (${FOLDED_OTHER}, other.value ->> 'former'))
  ON CONFLICT DO NOTHING`;

const ofTags = (byContent: boolean) => ({
  untagged: insertAddresses(byContent, false),
  tagged: insertAddresses(byContent, true),
});

/**
 * Inserts the addresses of drafts, each with all of its own or none. A part of it that no draft needs is left out, since
 * SQLite takes longer to compile than to run it: `byContent` also takes drafts without a slug, and `tagged` those with
 * tags.
 */
export const INSERT_ADDRESSES = { bySlug: ofTags(false), byContent: ofTags(true) } as const;

const IMPORTED_AT = `w.item ->> 'importedAt'`;

export const INSERT_LINKS = `${PLACED}
  INSERT INTO links (id, domain_id, slug, client_id, ${COLUMN_NAMES.join(', ')}, created_at, updated_at, disabled_at,
    limited_at, revision, user_id, key_id)
  SELECT a.link_id, a.domain_id, a.slug, ${SOLE_CLIENT}, ${NEW_CONTENT}, w.item ->> 'createdAt', ${IMPORTED_AT},
    CASE WHEN w.item ->> 'newDisabled' THEN ${IMPORTED_AT} END,
    CASE WHEN w.item ->> 'newMaxClicks' IS NOT NULL THEN ${IMPORTED_AT} END, ${IMPORTED_AT},
    (SELECT max(user_id) FROM acting), ?9
  FROM wanted w
  CROSS JOIN addresses a ON a.domain_id = w.domain_id AND a.folded = ${foldedIn('w.case_sensitive', `w.item -> '$.claims[0]'`)} AND a.link_id = w.id
  WHERE true
  ON CONFLICT (id) DO NOTHING
  RETURNING id, client_id, (SELECT status = 'pending' FROM domains d WHERE d.id = links.domain_id) AS is_waiting`;

const TAGS_OF_CLIENT = `(SELECT count(*) FROM tags t WHERE t.client_id = ${SOLE_CLIENT})`;
const MISSING_TAGS = `(SELECT json_group_array(folded.value) FROM json_each(w.tags) AS folded
    WHERE NOT EXISTS (SELECT 1 FROM tags t WHERE t.client_id = ${SOLE_CLIENT} AND t.folded = folded.value))`;

export const INSERT_TAGS = insertTags(`FROM items AS item
  CROSS JOIN links l ON l.id = item.value ->> 'id' AND l.created_at = item.value ->> 'createdAt'
  CROSS JOIN json_each(item.value, '$.tags') AS tag
  WHERE l.client_id = ${SOLE_CLIENT}`).map((sql) => `${ITEMS} ${sql}`);

export const SELECT_TAGS = `${ITEMS}
  SELECT l.id, ${tagNamesOf('l')} AS tags FROM items AS item
  CROSS JOIN links l ON l.id = item.value ->> 'id' AND l.created_at = item.value ->> 'createdAt'
  WHERE l.client_id = ${SOLE_CLIENT} AND item.value -> 'tags' IS NOT NULL`;

// The events of an import whose first one has the id ${first}. It has others only if it stopped for so long that the sweep
// has dispatched the first one.
const eventsOf = (first: string) => `id >= ${first} AND id < ${first} || '~'`;

/**
 * Records that links were imported: one event for all round trips of an import, to which each adds what it has created. It
 * takes the id of the event as ?9, and the numbers of the file's rows, of those whose links existed, and of those refused.
 */
export const RECORD_IMPORT = `${ACTING}
  INSERT INTO events (id, client_id, type, happened_at, data)
  SELECT ?9 || (SELECT iif(count(*) = 0, '', '_' || count(*)) FROM events
      WHERE ${eventsOf('?9')} AND dispatched_at IS NOT NULL),
    ${SOLE_CLIENT}, 'links.imported', ?5,
    json_object('rows', ?10, 'created', made.n, 'unchanged', ?11, 'failed', ?12)
  FROM (SELECT count(*) AS n FROM json_each(?8) AS item
    CROSS JOIN links l ON l.id = item.value ->> 'id' AND l.created_at = item.value ->> 'createdAt'
    WHERE l.client_id = ${SOLE_CLIENT}) AS made
  WHERE made.n > 0 AND ${isWanted(SOLE_CLIENT, 'links.imported')}
  ON CONFLICT (id) DO UPDATE SET happened_at = excluded.happened_at,
    data = json_set(excluded.data, '$.created', (data ->> 'created') + (excluded.data ->> 'created'))
    WHERE dispatched_at IS NULL AND client_id = excluded.client_id
  RETURNING id`;

/**
 * Records in the audit log that links were imported: once for all round trips of the import ?9, and at most once an hour for
 * a credential, since a program may import each minute, and the log keeps so many entries.
 */
export const AUDIT_IMPORT = auditSql(
  'client.imported',
  `SELECT c.id, c.id, c.name, json_object('import', ?9) FROM clients c
    WHERE c.id = ${SOLE_CLIENT}
      AND EXISTS (SELECT 1 FROM json_each(?8) AS item
        CROSS JOIN links l ON l.id = item.value ->> 'id' AND l.created_at = item.value ->> 'createdAt'
        WHERE l.client_id = c.id)
      AND NOT EXISTS (SELECT 1 FROM audit_entries e INDEXED BY audit_entries_of_imports
        WHERE e.client_id = c.id AND e.action = 'client.imported' AND (e.details ->> 'import' = ?9
          OR e.created_at > ?5 - ${HOUR_MS} AND e.credential_id = coalesce(?1, ?3)))`,
);

/** Writes the last counts into the event ?1, if it is not dispatched yet, or else into the one after it. */
export const FINISH_IMPORT = `UPDATE events SET data = json_set(data, '$.rows', ?2, '$.unchanged', ?3, '$.failed', ?4)
  WHERE ${eventsOf('?1')} AND dispatched_at IS NULL RETURNING id`;

export const SELECT_STATES = `${CHECKED}
  SELECT w.position, w.domain_ok, w.is_waiting, w.case_sensitive, w.own_host, w.blocked_host, ${IS_BELOW} AS is_below, ${IS_ABOVE} AS is_above,
    ${IS_EXTERNAL_ID_TAKEN} AS external_id_taken, ${TAGS_OF_CLIENT} AS tags_of_client,
    ${MISSING_TAGS} AS missing_tags,
    coalesce(w.domain_slug_length, (SELECT slug_length FROM clients WHERE id = ${SOLE_CLIENT})) AS slug_length
  FROM wanted w ORDER BY w.position`;

/** The links that rows without a slug are equal to. */
export const SELECT_EQUAL = `${PLACED}, ${EQUAL}
  SELECT equal.position, ${LISTED_COLUMNS}
  FROM equal CROSS JOIN links l ON l.id = equal.link_id ${WITH_DOMAINS}`;

const DELETED_OWNER = `(SELECT l.id FROM links l WHERE l.id = a.link_id AND ${isRestorableOf(SOLE_CLIENT, '?5')})`;

export const SELECT_TAKEN = `${PLACED}
  SELECT w.position, claim.value ->> 'slug' AS taken_slug, a.slug AS taken_by, ${DELETED_OWNER} AS deleted_owner,
    ${LISTED_COLUMNS}
  FROM wanted w CROSS JOIN json_each(w.item, '$.claims') AS claim
  CROSS JOIN addresses a ON a.domain_id = w.domain_id AND a.folded IN (${FOLDED_CLAIM}, claim.value ->> 'former')
  LEFT JOIN links l
    ON l.id = a.link_id AND claim.key = 0 AND l.client_id = ${SOLE_CLIENT} AND l.deleted_at IS NULL
  ${WITH_DOMAINS}
  ORDER BY w.position, claim.key, a.slug = claim.value ->> 'slug' DESC`;
