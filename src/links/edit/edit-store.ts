import { ACTING, actingParams, type Actor } from '../../accounts/access.ts';
import type { Database, Statement } from '../../database/database.ts';
import type { Destination } from '../../targets/destination.ts';
import { blockedHostAmong, ownHostAmong } from '../destination-hosts.ts';
import { hostsOf } from '../destinations.ts';
import { recordEdit } from '../events/record-edit.ts';
import { foldedIn } from '../folded-slug-sql.ts';
import { COLUMN_NAMES, type ContentRow } from '../fields/content.ts';
import { EDITED_COLUMNS, type EditedRow, type ManagedRow } from '../managed.ts';
import { wantedTags } from '../tags/names.ts';
import { hasRoomFor, insertTags } from '../tags/tag-sql.ts';
import { hasBelow, hasBelowLink, isBelowOwner, pathKeysOf } from '../path-owners.ts';

/** The columns of a link that an edit may set. */
export type Content = ContentRow & Pick<ManagedRow, 'slug' | 'disabled_at' | 'deleted_at'>;

export interface Edit {
  readonly before: ManagedRow;
  readonly after: Content;
  /** The hash of a new password; null removes the password, undefined keeps it. */
  readonly passwordHash: string | null | undefined;
  /** The destinations that the link did not have before. */
  readonly destinations: readonly Destination[];
  /** Aliases to be released. */
  readonly released: readonly string[];
  readonly action: string;
  /** `{field: [before, after]}` */
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
  readonly now: number;
}

export interface EditOutcome {
  /** The new state, or null if nothing was changed. */
  readonly row: EditedRow | null;
  readonly isSlugTaken: boolean;
  readonly isExternalIdTaken: boolean;
  readonly isRoomForTags: boolean;
  /** The host of a new destination that is a custom domain of the service, or null. */
  readonly ownHost: string | null;
  /** The host of a new destination that the operator has blocked, or null. */
  readonly blockedHost: string | null;
  /** Whether its new slug is below a link that passes paths on. */
  readonly isBelowOwner: boolean;
  /** Whether the link is to pass paths on, and there are links below it. */
  readonly hasBelow: boolean;
}

/**
 * Begins the history of links `l`. Before the first change there is no entry: until then the link itself has the facts
 * of its creation.
 */
export const BEGIN_HISTORY = `INSERT INTO link_history (link_id, n, at, user_id, key_id, action, url, changes, edit_id)
  SELECT l.id, 1, l.created_at, l.user_id, l.key_id, 'created', l.url, '{}', '' FROM links l`;

/** How many changes of a link are kept. */
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

/**
 * Writes an edit if the link is unchanged since it was read, in one transaction. Its history entry is inserted first,
 * if all conditions hold, and all statements after it depend on that entry. The revision grows by at least one,
 * whatever the clocks say.
 */
export async function writeEdit(db: Database, actor: Actor, edit: Edit): Promise<EditOutcome> {
  const { before, after, released, now } = edit;
  const keys = JSON.stringify(pathKeysOf(after.slug));
  // A slug that the link has already may stay.
  const newKeys = JSON.stringify(newAddressesOf(edit).length > 0 ? pathKeysOf(after.slug) : { above: [] });
  const isNewOwner = after.forward_path === 1 && (before.forward_path !== 1 || newAddressesOf(edit).length > 0);
  const passesPathsOn = Number(isNewOwner);
  const hosts = JSON.stringify(hostsOf(edit.destinations));
  const newTags = after.tags === before.tags ? null : JSON.stringify(wantedTags(after.tags));
  const newExternalId = after.external_id === before.external_id ? null : after.external_id;
  const isAsRead = `l.id = ?8 AND l.revision = ?9 AND l.client_id IN (SELECT client_id FROM acting)`;
  const asRead = [...actingParams(actor, 'links:write', now), before.id, before.revision];
  const editId = crypto.randomUUID();
  const isWritten = `(SELECT edit_id FROM link_history WHERE link_id = ?1 ORDER BY n DESC LIMIT 1) = ?2`;
  const written = [before.id, editId];
  const [, , , , , [verdict], ...others] = await db.batch<
    [never, never, never, never, never, VerdictRow, ...EditedRow[]]
  >([
    {
      sql: `${ACTING}
        INSERT INTO addresses (domain_id, folded, slug, link_id)
        SELECT l.domain_id, ${keyOn('l.domain_id', '?10')}, ?11, l.id FROM links l
        WHERE ${isAsRead} AND NOT ${hasSlug('l.id', '?11')}
          AND NOT EXISTS (SELECT 1 FROM addresses WHERE domain_id = l.domain_id AND folded = ?10 ->> 'former')
        ON CONFLICT DO NOTHING`,
      params: [...asRead, keys, after.slug],
    },
    { sql: `${ACTING} ${BEGIN_HISTORY} WHERE ${isAsRead} ON CONFLICT DO NOTHING`, params: asRead },
    {
      sql: `${ACTING}
        INSERT INTO link_history (link_id, n, at, user_id, key_id, action, url, changes, edit_id)
        SELECT l.id, (SELECT max(n) + 1 FROM link_history WHERE link_id = l.id), ?5,
          (SELECT user_id FROM acting WHERE client_id = l.client_id), ?10, ?11, ?12, ?13, ?14
        FROM links l
        WHERE ${isAsRead}
          AND ${hasSlug('l.id', '?15')}
          AND NOT EXISTS (SELECT 1 FROM domains WHERE id = l.domain_id AND removed_at IS NOT NULL)
          AND NOT ${IS_BELOW_OWNER('l.domain_id', '?17')} AND NOT (?18 AND ${hasBelowLink('l.id')})
          AND ${ownHostAmong('?16')} IS NULL AND ${blockedHostAmong('?16')} IS NULL
          AND NOT ${otherHasExternalId('l.id', 'l.client_id', '?19')}
          AND (?20 IS NULL OR ${hasRoomFor('l.client_id', '?20')})`,
      params: [
        ...asRead,
        actor.credential.kind === 'api_key' ? actor.credential.keyId : null,
        edit.action,
        after.url,
        JSON.stringify(edit.changes),
        editId,
        after.slug,
        hosts,
        newKeys,
        passesPathsOn,
        newExternalId,
        newTags,
      ],
    },
    {
      sql: `UPDATE links SET slug = ?3, disabled_at = ?4, deleted_at = ?5, updated_at = ?6, revision = max(revision + 1, ?6),
              limited_at = ${LIMITED_AT}, ${SET_PASSWORD},
              ${COLUMN_NAMES.map((name, index) => `${name} = ?${index + 7}`).join(', ')}
            WHERE id = ?1 AND ${isWritten}`,
      params: [
        ...written,
        after.slug,
        after.disabled_at,
        after.deleted_at,
        now,
        ...COLUMN_NAMES.map((name) => after[name]),
        Number(edit.passwordHash !== undefined),
        edit.passwordHash ?? null,
      ],
    },
    // Released aliases, or the address that was inserted for an edit that is not written.
    {
      sql: `DELETE FROM addresses
            WHERE link_id = ?1 AND slug IN (SELECT value FROM json_each(CASE WHEN ${isWritten} THEN ?3 ELSE ?4 END))
              AND slug <> (SELECT slug FROM links WHERE id = ?1)`,
      params: [...written, JSON.stringify(released), JSON.stringify(newAddressesOf(edit))],
    },
    {
      sql: `SELECT EXISTS (
              SELECT 1 FROM addresses WHERE domain_id = ?1 AND folded IN (${keyOn('?1', '?2')}, ?2 ->> 'former') AND NOT ${hasSlug('?3', '?4')}
            ) AS slug_taken,
            ${IS_BELOW_OWNER('?1', '?6')} AS is_below,
            ?7 AND (${hasBelow('?1', keyOn('?1', '?2'))} OR ${hasBelowLink('?3')}) AS is_above,
            ${ownHostAmong('?5')} AS own_host, ${blockedHostAmong('?5')} AS blocked_host,
            ${otherHasExternalId('?3', '?8', '?9')} AS external_id_taken,
            ?10 IS NULL OR ${hasRoomFor('?8', '?10')} AS tags_ok`,
      params: [
        before.domain_id,
        keys,
        before.id,
        after.slug,
        hosts,
        newKeys,
        passesPathsOn,
        before.client_id,
        newExternalId,
        newTags,
      ],
    },
    { sql: trimHistory(`SELECT ?1 WHERE ${isWritten}`), params: written },
    ...(newTags === null ? [] : setTags(isWritten, [...written, newTags])),
    recordEdit(edit, isWritten, written),
    {
      sql: `SELECT ${EDITED_COLUMNS}
            FROM links l LEFT JOIN domains d ON d.id = l.domain_id WHERE l.id = ?1 AND ${isWritten}`,
      params: written,
    },
  ]);
  return {
    row: others.at(-1)?.[0] ?? null,
    isSlugTaken: verdict?.slug_taken === 1,
    isExternalIdTaken: verdict?.external_id_taken === 1,
    isRoomForTags: verdict?.tags_ok !== 0,
    ownHost: verdict?.own_host ?? null,
    blockedHost: verdict?.blocked_host ?? null,
    isBelowOwner: verdict?.is_below === 1,
    hasBelow: verdict?.is_above === 1,
  };
}

/** Gives link ?1 the tags of the list ?3, and no others. */
function setTags(isWritten: string, params: Statement['params']): Statement[] {
  const from = `FROM links l CROSS JOIN json_each(?3) AS tag WHERE l.id = ?1 AND ${isWritten}`;
  const removed = `DELETE FROM link_tags WHERE link_id = ?1 AND ${isWritten} AND tag_id NOT IN (
    SELECT t.id ${from.replace('WHERE', `CROSS JOIN tags t ON t.client_id = l.client_id AND t.folded = tag.value ->> 'folded' WHERE`)})`;
  return [...insertTags(from), removed].map((sql) => ({ sql, params }));
}

// A link without a limit gets one: its count begins. A new number continues the count.
const LIMITED_AT = `CASE WHEN ?${COLUMN_NAMES.indexOf('max_clicks') + 7} IS NULL THEN NULL
  WHEN max_clicks IS NULL THEN ?6 ELSE coalesce(limited_at, created_at) END`;

const [SETS, HASH] = [7, 8].map((offset) => `?${COLUMN_NAMES.length + offset}`);
// Another instant with each change, since what a visitor has unlocked is bound to it.
const SET_PASSWORD = `password_hash = CASE WHEN ${SETS} THEN ${HASH} ELSE password_hash END,
  password_at = CASE WHEN NOT ${SETS} THEN password_at WHEN ${HASH} IS NOT NULL THEN max(?6, coalesce(password_at, 0) + 1) END`;

const keyOn = (domainId: string, keys: string) =>
  foldedIn(`(SELECT case_sensitive FROM domains WHERE id = ${domainId})`, keys);

const IS_BELOW_OWNER = (domainId: string, keys: string) =>
  isBelowOwner(domainId, `(SELECT case_sensitive FROM domains WHERE id = ${domainId})`, keys);

/** Whether an address of a link has exactly this slug. */
const hasSlug = (linkId: string, slug: string) =>
  `EXISTS (SELECT 1 FROM addresses WHERE link_id = ${linkId} AND slug = ${slug})`;

/** Whether another link of the client has this external id; not if it is NULL. */
const otherHasExternalId = (linkId: string, clientId: string, externalId: string) =>
  `EXISTS (SELECT 1 FROM links WHERE client_id = ${clientId} AND external_id = ${externalId} AND id <> ${linkId})`;

interface VerdictRow {
  readonly slug_taken: number;
  readonly external_id_taken: number;
  readonly tags_ok: number;
  readonly own_host: string | null;
  readonly blocked_host: string | null;
  readonly is_below: number;
  readonly is_above: number;
}

function newAddressesOf({ before, after }: Edit): string[] {
  const known: readonly string[] = [before.slug, ...JSON.parse(before.aliases)];
  return known.includes(after.slug) ? [] : [after.slug];
}
