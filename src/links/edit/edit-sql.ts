import { ACTING } from '../../accounts/access.ts';
import { blockedHostAmong, ownHostAmong } from '../destinations/destination-hosts.ts';
import { linkEvents } from '../events/record-edit.ts';
import { deletedOwnerOf } from '../slugs/deleted-owner.ts';
import { foldedIn } from '../slugs/folded-slug-sql.ts';
import { COLUMN_NAMES } from '../fields/content.ts';
import { EDITED_COLUMNS } from '../managed-link.ts';
import { hasRoomFor, insertTags } from '../tags/tag-sql.ts';
import { hasBelow, hasBelowLink, isBelowOwner } from '../slugs/path-owners.ts';

/**
 * Begins the history of links `l`. Before the first change there is no entry: until then the link itself has the facts
 * of its creation.
 */
export const BEGIN_HISTORY = `INSERT INTO link_history (link_id, n, at, user_id, key_id, action, url, changes, edit_id)
  SELECT l.id, 1, l.created_at, l.user_id, l.key_id, 'created', l.url, '{}', '' FROM links l`;

/** The number of changes of a link that are kept. */
const MAX_CHANGES = 1000;

/**
 * Deletes the oldest changes of links, in the batch that adds one to each.
 *
 * @param ids a SELECT of the links' ids
 */
export function trimHistory(ids: string): string {
  return `DELETE FROM link_history AS h WHERE h.link_id IN (${ids})
    AND h.n <= (SELECT max(n) FROM link_history WHERE link_id = h.link_id) - ${MAX_CHANGES}`;
}

// The link as it was read: the first parameters after those of `ACTING` are its id and its revision.
const IS_AS_READ = `l.id = ?8 AND l.revision = ?9 AND l.client_id IN (SELECT client_id FROM acting)`;
// Whether the history of link ?1 has the entry of the edit ?2.
const IS_WRITTEN = `(SELECT edit_id FROM link_history WHERE link_id = ?1 ORDER BY n DESC LIMIT 1) = ?2`;

const IS_EDITED = `l.id = ?1 AND ${IS_WRITTEN}`;
const NEW_TAGS = 'FROM links l CROSS JOIN json_each(?3) AS tag';

// A link without a limit gets one: its count begins. A new number continues the count.
const LIMITED_AT = `CASE WHEN ?${COLUMN_NAMES.indexOf('max_clicks') + 7} IS NULL THEN NULL
  WHEN max_clicks IS NULL THEN ?6 ELSE coalesce(limited_at, created_at) END`;

const [SETS, HASH] = [7, 8].map((offset) => `?${COLUMN_NAMES.length + offset}`);
// Another instant with each change, since what a visitor has unlocked is bound to it.
const SET_PASSWORD = `password_hash = CASE WHEN ${SETS} THEN ${HASH} ELSE password_hash END,
  password_at = CASE WHEN NOT ${SETS} THEN password_at WHEN ${HASH} IS NOT NULL THEN max(?6, coalesce(password_at, 0) + 1) END`;

const keyOn = (domainId: string, keys: string) =>
  foldedIn(`(SELECT case_sensitive FROM domains WHERE id = ${domainId})`, keys);

const isBelowOwnerOn = (domainId: string, keys: string) =>
  isBelowOwner(domainId, `(SELECT case_sensitive FROM domains WHERE id = ${domainId})`, keys);

/** True if an address of a link has exactly this slug. */
const hasSlug = (linkId: string, slug: string) =>
  `EXISTS (SELECT 1 FROM addresses WHERE link_id = ${linkId} AND slug = ${slug})`;

/** True if an address of a link on this domain has the key of a slug: the slug itself, or another spelling of it. */
const hasKey = (linkId: string, domainId: string, keys: string) =>
  `EXISTS (SELECT 1 FROM addresses WHERE link_id = ${linkId} AND domain_id = ${domainId} AND folded = ${keyOn(domainId, keys)})`;

/** True if another link of the client has this external id; not if it is NULL. */
const otherHasExternalId = (linkId: string, clientId: string, externalId: string) =>
  `EXISTS (SELECT 1 FROM links WHERE client_id = ${clientId} AND external_id = ${externalId} AND id <> ${linkId})`;

/**
 * The statements of an edit, in the order in which they are sent. `insertAddress` and `respellAddress` are for an edit
 * with a new address, `deleteAddresses` for one with a new address or released ones.
 */
export const EDIT_SQL = {
  insertAddress: `${ACTING}
    INSERT INTO addresses (domain_id, folded, slug, link_id)
    SELECT l.domain_id, ${keyOn('l.domain_id', '?10')}, ?11, l.id FROM links l
    WHERE ${IS_AS_READ} AND NOT ${hasSlug('l.id', '?11')}
      AND NOT EXISTS (SELECT 1 FROM addresses WHERE domain_id = l.domain_id AND folded = ?10 ->> 'former')
    ON CONFLICT DO NOTHING`,
  beginHistory: `${ACTING} ${BEGIN_HISTORY} WHERE ${IS_AS_READ} ON CONFLICT DO NOTHING`,
  insertChange: `${ACTING}
    INSERT INTO link_history (link_id, n, at, user_id, key_id, action, url, changes, edit_id)
    SELECT l.id, (SELECT max(n) + 1 FROM link_history WHERE link_id = l.id), ?5,
      (SELECT user_id FROM acting WHERE client_id = l.client_id), ?10, ?11, ?12, ?13, ?14
    FROM links l
    WHERE ${IS_AS_READ}
      AND (${hasSlug('l.id', '?15')} OR ${hasKey('l.id', 'l.domain_id', '?17')})
      AND NOT EXISTS (SELECT 1 FROM domains WHERE id = l.domain_id AND removed_at IS NOT NULL)
      AND NOT ${isBelowOwnerOn('l.domain_id', '?17')} AND NOT (?18 AND ${hasBelowLink('l.id')})
      AND ${ownHostAmong('?16')} IS NULL AND ${blockedHostAmong('?16')} IS NULL
      AND NOT ${otherHasExternalId('l.id', 'l.client_id', '?19')}
      AND (?20 IS NULL OR ${hasRoomFor('l.client_id', '?20')})`,
  /** A slug that the link has in another case gets the new spelling. */
  respellAddress: `UPDATE addresses SET slug = ?3
    WHERE link_id = ?1 AND ${IS_WRITTEN} AND slug <> ?3 AND domain_id = ?4 AND folded = ${keyOn('?4', '?5')}`,
  updateLink: `UPDATE links SET slug = ?3, disabled_at = ?4, deleted_at = ?5, updated_at = ?6, revision = max(revision + 1, ?6),
      limited_at = ${LIMITED_AT}, ${SET_PASSWORD},
      ${COLUMN_NAMES.map((name, index) => `${name} = ?${index + 7}`).join(', ')}
    WHERE id = ?1 AND ${IS_WRITTEN}`,
  // Released aliases, or the address that was inserted for an edit that is not written.
  deleteAddresses: `DELETE FROM addresses
    WHERE link_id = ?1 AND slug IN (SELECT value FROM json_each(CASE WHEN ${IS_WRITTEN} THEN ?3 ELSE ?4 END))
      AND slug <> (SELECT slug FROM links WHERE id = ?1)`,
  trimHistory: trimHistory(`SELECT ?1 WHERE ${IS_WRITTEN}`),
  /** The statements that give link ?1 the tags of the list ?3, and no others. */
  setTags: [
    ...insertTags(`${NEW_TAGS} WHERE ${IS_EDITED}`),
    `DELETE FROM link_tags WHERE link_id = ?1 AND ${IS_WRITTEN} AND tag_id NOT IN (
      SELECT t.id ${NEW_TAGS} CROSS JOIN tags t ON t.client_id = l.client_id AND t.folded = tag.value ->> 'folded'
      WHERE ${IS_EDITED})`,
  ],
  record: linkEvents(`FROM links l WHERE ${IS_EDITED}`),
  selectVerdict: `SELECT EXISTS (
      SELECT 1 FROM addresses WHERE domain_id = ?1 AND folded IN (${keyOn('?1', '?2')}, ?2 ->> 'former') AND link_id <> ?3
        AND NOT ${hasSlug('?3', '?4')}
    ) AS slug_taken,
    ${deletedOwnerOf('?1', keyOn('?1', '?2'), '?7', '?10')} AS deleted_owner,
    ${isBelowOwnerOn('?1', '?2')} AS is_below,
    ?6 AND (${hasBelow('?1', keyOn('?1', '?2'))} OR ${hasBelowLink('?3')}) AS is_above,
    ${ownHostAmong('?5')} AS own_host, ${blockedHostAmong('?5')} AS blocked_host,
    ${otherHasExternalId('?3', '?7', '?8')} AS external_id_taken,
    ?9 IS NULL OR ${hasRoomFor('?7', '?9')} AS tags_ok`,
  selectLink: `SELECT ${EDITED_COLUMNS}
    FROM links l LEFT JOIN domains d ON d.id = l.domain_id WHERE ${IS_EDITED}`,
};
