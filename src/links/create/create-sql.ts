import { GRANTS_OF, type Credential } from '../../accounts/grants.ts';
import { isOfRequest } from '../../accounts/stored-responses.ts';
import { IS_ACTIVE, IS_SERVING } from '../domain-conditions.ts';
import { blockedHostAmong, ownHostAmong } from '../destinations/destination-hosts.ts';
import { COLUMN_NAMES, contentOfItem } from '../fields/content.ts';
import { insertLinkEvents } from '../events/link-event.ts';
import { deletedOwnerOf } from '../slugs/deleted-owner.ts';
import { foldedIn } from '../slugs/folded-slug-sql.ts';
import { hasRoomAmong, insertTags, newTagsOf, tagNamesOf } from '../tags/tag-sql.ts';
import { hasBelow, isBelowOwner } from '../slugs/path-owners.ts';
import { reusableLink, SELECT_REUSABLE } from './reusable-sql.ts';
import { isHostBlocked } from '../../targets/blocklist.ts';

/** SQL, under `GRANTS`: whether the credential may create links for the client. */
export const MAY_WRITE = `instr(permissions, ' links:write ') > 0`;

/**
 * The optional parts of the statements. They are left out if not needed, since SQLite takes longer to compile them than
 * to run them.
 */
interface CreateKind {
  readonly credential: Credential['kind'];
  /** True if a link of the list may be on a custom domain. */
  readonly onDomains: boolean;
  /** True if a link of the list can lead to several hosts. */
  readonly severalHosts: boolean;
  /** True if a link of the list passes paths on, or has a slug of several segments. */
  readonly withPaths: boolean;
  /** True if a link of the list has an external id. */
  readonly withExternalIds: boolean;
  readonly withTags: boolean;
  /** True if an active link that is the same is answered with; the list has one link. */
  readonly withReuse: boolean;
  /** True if a link of the list has a chosen slug. */
  readonly withSlugs: boolean;
  /** True if a link of the list has a generated slug. */
  readonly withoutSlugs: boolean;
  /** True if a link of the list may leave out its client, which is then the one client of the credential. */
  readonly ofSoleClient: boolean;
  /** The place where the response is kept, if the request can be repeated. */
  readonly keptFor: KeptFor | null;
  /** True if the links' details come in two texts. */
  readonly inTwoTexts: boolean;
}

/**
 * True if an answer is kept under the client of the link, or, for a list, under that of the key, since the links of a
 * list may have several clients.
 */
export type KeptFor = 'link' | 'list';

/** The statements of a create. ?1 to ?5 are those of `GRANTS`, and ?6 is the list of links. */
export interface CreateSql {
  /** Takes the parameters of a repeatable request, from ?7 on. */
  readonly insertAddresses: string;
  /**
   * Takes the creator's user_id as ?7, or null if a key creates the links, and the links' details as ?8. With `inTwoTexts`
   * these are those of the first links, ?9 has those of the others, and ?10 says how many are the first. With
   * `ofSoleClient` it returns rows.
   */
  readonly insertLinks: string;
  readonly check: string;
  /** The statements that insert tags. They return nothing, and take the list of links as ?1. */
  readonly insertTags: readonly string[];
  /** The id and the tags of each created link that has some. */
  readonly selectTags: (list: string) => string;
  /** The reusable link; null without `withReuse`. Takes the parameters of `check`. */
  readonly selectReusable: string | null;
  /** Records the events about the created links; it takes their ids and instants as ?1. */
  readonly recordCreated: string;
  /** The client under which an answer is kept, as SQL under `GRANTS`. */
  readonly keptClient: string;
}

const sqlByKind = new Map<string, CreateSql>();

/** The statements of one kind of create; their text is built once. */
export function createSqlOf(kind: CreateKind): CreateSql {
  const name = JSON.stringify(Object.values(kind));
  const sql = sqlByKind.get(name) ?? buildSql(kind);
  sqlByKind.set(name, sql);
  return sql;
}

/** The one client of the credential, under `GRANTS`; NULL if it has several or none. */
export const SOLE_CLIENT = `(SELECT CASE count(*) WHEN 1 THEN max(client_id) END FROM grants)`;

const isCaseSensitiveOf = (item: string) =>
  `(SELECT case_sensitive FROM domains WHERE host = ${item}.value ->> 'customDomain' AND ${IS_ACTIVE})`;

// For each `item` of a list of links: one row of each table, whatever the length of the list.
function buildSql(kind: CreateKind): CreateSql {
  const {
    credential,
    onDomains,
    severalHosts,
    withPaths,
    withExternalIds,
    withTags,
    withReuse,
    withSlugs,
    withoutSlugs,
    ofSoleClient,
    keptFor,
    inTwoTexts,
  } = kind;
  const clientOf = (item: string) =>
    ofSoleClient ? `coalesce(${item}.value ->> 'clientId', ${SOLE_CLIENT})` : `${item}.value ->> 'clientId'`;
  const client = clientOf('item');
  const grants = GRANTS_OF[credential];
  const isRoomForTags = withTags ? hasRoomAmong(client, 'item.value') : 'TRUE';
  const isEndOk = `coalesce(item.value ->> 'expiresAt' > ?5, TRUE)`;
  const isDomainOk = onDomains
    ? `(item.value ->> 'customDomain' IS NULL OR EXISTS (SELECT 1 FROM domains
        WHERE host = item.value ->> 'customDomain' AND ${IS_ACTIVE} AND client_id = ${client}))`
    : 'TRUE';
  const domainOf = (item: string) =>
    onDomains
      ? `CASE WHEN ${item}.value ->> 'customDomain' IS NULL THEN '' ELSE
        (SELECT id FROM domains WHERE host = ${item}.value ->> 'customDomain' AND ${IS_ACTIVE}) END`
      : `''`;
  const slugLengthOf = (item: string, isOwn = '') => {
    const ofClient = `SELECT slug_length FROM clients WHERE id = ${clientOf(item)}${isOwn}`;
    if (!onDomains) return `(${ofClient})`;
    const ofDomain = `SELECT slug_length FROM domains WHERE id = ${domainOf(item)} AND client_id = ${clientOf(item)}${isOwn}`;
    return `(CASE WHEN ${item}.value ->> 'customDomain' IS NULL THEN (${ofClient}) ELSE (${ofDomain}) END)`;
  };
  const ownSlugLengthOf = (item: string) =>
    slugLengthOf(item, ` AND ${clientOf(item)} IN (SELECT client_id FROM grants)`);
  // The insert asks for the grant apart, and that of a repeatable request for the lengths of the whole list.
  const isLengthOk =
    withoutSlugs && keptFor === null
      ? ` AND NOT coalesce(${slugLengthOf('item')} <> item.value ->> 'slugLength', FALSE)`
      : '';
  const grantsAndMore = [
    grants,
    ...(withTags ? [newTagsOf('?6', clientOf)] : []),
    ...(withReuse ? [reusableLink(client, domainOf('item'), '?5')] : []),
  ].join(', ');
  const isReused = withReuse ? 'EXISTS (SELECT 1 FROM reusable)' : 'FALSE';
  const isCaseSensitive = isCaseSensitiveOf('item');
  const foldedOf = (item: string) =>
    onDomains ? foldedIn(isCaseSensitiveOf(item), `${item}.value`) : `${item}.value ->> 'folded'`;
  const folded = foldedOf('item');
  const isBelow = withPaths
    ? `(item.value ->> 'isBelow' OR ${isBelowOwner(domainOf('item'), isCaseSensitive, 'item.value')})`
    : 'FALSE';
  const isAbove = withPaths
    ? `(item.value ->> 'isAbove' OR (item.value ->> 'forwardPath' AND ${hasBelow(domainOf('item'), folded)}))`
    : 'FALSE';
  const isPathOk = withPaths ? ` AND NOT coalesce(${isBelow}, FALSE) AND NOT coalesce(${isAbove}, FALSE)` : '';
  const isFormer = `EXISTS (
    SELECT 1 FROM addresses WHERE domain_id = ${domainOf('item')} AND folded = item.value ->> 'former')`;
  const externalId = `item.value ->> 'externalId'`;
  // An earlier link of the list counts too, created or not.
  const isExternalIdOk = withExternalIds
    ? `NOT EXISTS (SELECT 1 FROM links WHERE client_id = ${client} AND external_id = ${externalId})
        AND NOT EXISTS (SELECT 1 FROM json_each(?6) AS earlier WHERE earlier.key < item.key
          AND earlier.value ->> 'externalId' = ${externalId} AND ${clientOf('earlier')} = ${client})`
    : 'TRUE';
  const host = `item.value ->> 'targetHost'`;
  const hosts = `item.value -> 'targetHosts'`;
  const isTargetOk = severalHosts
    ? `${ownHostAmong(hosts)} IS NULL`
    : `NOT EXISTS (SELECT 1 FROM domains WHERE host = ${host} AND ${IS_SERVING})`;
  const isHostRefused = severalHosts ? `${blockedHostAmong(hosts)} IS NOT NULL` : isHostBlocked(host);
  const isBlocked = `(item.value ->> 'isFiltered' OR ${isHostRefused})`;
  const refusedHost = severalHosts ? `coalesce(${ownHostAmong(hosts)}, ${blockedHostAmong(hosts)})` : 'NULL';
  const ofKey = credential === 'api_key' ? '(SELECT client_id FROM grants)' : `''`;
  const keptClient = keptFor === 'list' ? ofKey : client;
  const content = inTwoTexts
    ? contentOfItem(
        'item.value',
        '(CASE WHEN item.key < ?10 THEN ?8 ELSE ?9 END)',
        '(item.key - iif(item.key < ?10, 0, CAST(?10 AS INTEGER)))',
      )
    : contentOfItem('item.value', '?8', 'item.key');
  // An answer is kept for all links at once, so if one generated id is taken, none is inserted and all get new ids.
  const isNew = `
        AND NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE client_id = ${keptClient} AND ${isOfRequest(7)})
        AND NOT EXISTS (
          SELECT 1 FROM json_each(?6) AS other
          WHERE EXISTS (SELECT 1 FROM links WHERE id = other.value ->> 'id')
            OR (other.value ->> 'slugLength' IS NOT NULL AND EXISTS (SELECT 1 FROM addresses
              WHERE domain_id = ${domainOf('other')} AND folded = ${foldedOf('other')}))${
                withoutSlugs ? ` OR ${ownSlugLengthOf('other')} <> other.value ->> 'slugLength'` : ''
              })`;
  return {
    keptClient,
    insertAddresses: `${grantsAndMore}
      INSERT INTO addresses (domain_id, folded, slug, link_id)
      SELECT ${domainOf('item')}, ${folded}, item.value ->> 'slug', item.value ->> 'id'
      FROM json_each(?6) AS item
      WHERE EXISTS (SELECT 1 FROM grants WHERE client_id = ${client} AND ${MAY_WRITE})
        AND ${isEndOk} AND ${isDomainOk} AND ${isTargetOk} AND NOT ${isBlocked} AND ${isExternalIdOk} AND ${isRoomForTags}
        AND NOT EXISTS (SELECT 1 FROM links WHERE id = item.value ->> 'id') AND NOT ${isFormer}${isPathOk}${isLengthOk}${keptFor ? isNew : ''}${withReuse ? ` AND NOT ${isReused}` : ''}
      ON CONFLICT DO NOTHING
      RETURNING link_id`,
    // Only links whose address was just inserted; that statement has checked the credential. CROSS JOIN makes the
    // planner begin with the list, since the table of addresses is large.
    insertLinks: `${ofSoleClient ? grants : ''}
      INSERT INTO links (id, domain_id, slug, client_id, ${COLUMN_NAMES.join(', ')}, created_at, updated_at, revision,
        password_hash, password_at, user_id, key_id)
      SELECT a.link_id, a.domain_id, a.slug, ${client}, ${content}, item.value ->> 'createdAt',
        item.value ->> 'createdAt', item.value ->> 'createdAt', item.value ->> 'passwordHash',
        CASE WHEN item.value ->> 'passwordHash' IS NOT NULL THEN item.value ->> 'createdAt' END,
        coalesce(?7, (SELECT user_id FROM api_keys WHERE id = ?1)), ?1
      FROM json_each(?6) AS item CROSS JOIN addresses a
        ON a.domain_id = ${domainOf('item')} AND a.folded = ${folded} AND a.link_id = item.value ->> 'id'
      WHERE true
      ON CONFLICT (id) DO NOTHING
      ${ofSoleClient ? 'RETURNING id, client_id' : ''}`,
    // Only for links that were not created. If all were created, it reads neither the credential nor the domains.
    check: `${grantsAndMore}
      SELECT item.key AS place, count(grants.user_id) > 0 AS credential_ok, count(grants.client_id) AS clients,
        coalesce(max(grants.client_id = ${client}), 0) AS client_ok,
        coalesce(max(grants.client_id = ${client} AND ${MAY_WRITE}), 0) AS scope_ok,
        ${isEndOk} AS end_ok, ${isDomainOk} AS domain_ok, ${isTargetOk} AS target_ok, ${isBlocked} AS host_blocked,
        NOT EXISTS (
          SELECT 1 FROM addresses WHERE domain_id = ${domainOf('item')} AND folded = ${folded}) AND NOT ${isFormer} AS slug_ok,
        ${refusedHost} AS refused_host, coalesce(${isBelow}, FALSE) AS is_below, coalesce(${isAbove}, FALSE) AS is_above,
        (${isExternalIdOk} OR ${isReused}) AS external_id_ok, ${isRoomForTags} AS tags_ok,
        ${withSlugs ? deletedOwnerOf(domainOf('item'), folded, client, '?5') : 'NULL'} AS deleted_owner,
        ${withoutSlugs ? `iif(item.value ->> 'slugLength' IS NULL, NULL, ${ownSlugLengthOf('item')})` : 'NULL'} AS slug_length
      FROM json_each(?6) AS item LEFT JOIN grants
      WHERE NOT EXISTS (SELECT 1 FROM links WHERE id = item.value ->> 'id' AND created_at = item.value ->> 'createdAt')
      GROUP BY item.key`,
    insertTags: INSERT_TAGS,
    selectTags,
    selectReusable: withReuse ? `${grantsAndMore} ${SELECT_REUSABLE}` : null,
    recordCreated: insertLinkEvents('link.created', `${createdIn('?1')} WHERE TRUE`, 'l.created_at', {
      known: { aliases: `'[]'`, ...(!withTags && { tags: 'NULL' }), ...(!onDomains && { host: 'NULL' }) },
    }),
  };
}

const createdIn = (list: string) => `FROM json_each(${list}) AS item
  CROSS JOIN links l ON l.id = item.value ->> 'id' AND l.created_at = item.value ->> 'createdAt'`;
const INSERT_TAGS = insertTags(`${createdIn('?1')} CROSS JOIN json_each(item.value, '$.tags') AS tag WHERE true`);
const selectTags = (list: string) =>
  `SELECT l.id, ${tagNamesOf('l')} AS tags ${createdIn(list)} WHERE item.value -> 'tags' IS NOT NULL`;
