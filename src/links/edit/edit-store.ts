import { ACTING, actingParams, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { KeyScope } from '../../accounts/scopes.ts';
import type { Database, Statement } from '../../database.ts';
import { IS_SERVING } from '../domain-conditions.ts';
import { hostnameOf } from '../../hosts.ts';
import { isHostBlocked } from '../../targets/blocklist.ts';
import { foldedIn } from '../create/create-sql.ts';
import { STORED_NAMES, type ContentRow } from '../fields/content.ts';
import { EDITED_COLUMNS, MANAGED_COLUMNS, type EditedRow, type ManagedRow } from '../managed.ts';
import { keysOf } from '../slug.ts';

/** Selects one link of the actor's clients, unless its content was removed. */
export function selectManaged(actor: Actor, permission: KeyScope, id: string, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT ${MANAGED_COLUMNS} FROM links l LEFT JOIN domains d ON d.id = l.domain_id
      WHERE l.id = ?8 AND l.client_id IN (SELECT client_id FROM acting) AND l.url <> ''`,
    params: [...actingParams(actor, permission, now), id],
  };
}

export interface Found {
  readonly access: readonly AccessRow[];
  readonly row: ManagedRow | null;
  /** The target after the requested change, or null. */
  readonly formerUrl: string | null;
}

/**
 * Finds a link that is to be edited.
 *
 * @param n the change in its history whose target is requested too; 0 for none
 */
export async function findManaged(db: Database, actor: Actor, id: string, n: number, now: number): Promise<Found> {
  const former: Statement = {
    sql: `${ACTING}
      SELECT coalesce(
        (SELECT url FROM link_history WHERE link_id = l.id AND n = ?9), CASE WHEN ?9 = 1 THEN l.url END) AS url
      FROM links l WHERE l.id = ?8 AND l.client_id IN (SELECT client_id FROM acting)`,
    params: [...actingParams(actor, 'links:write', now), id, n],
  };
  const [access, [row], formers] = await db.batch<[AccessRow, ManagedRow, { readonly url: string | null }]>([
    selectAccess(actor, 'links:write', now),
    selectManaged(actor, 'links:write', id, now),
    ...(n > 0 ? [former] : []),
  ]);
  return { access, row: row ?? null, formerUrl: formers?.[0]?.url ?? null };
}

/** The columns of a link that an edit may set. */
export type Content = ContentRow & Pick<ManagedRow, 'slug' | 'disabled_at' | 'deleted_at'>;

export interface Edit {
  readonly before: ManagedRow;
  readonly after: Content;
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
  readonly isOwnHost: boolean;
  readonly isHostBlocked: boolean;
}

/**
 * Begins the history of links `l`. Before the first change there is no entry: until then the link itself has the facts
 * of its creation.
 */
export const BEGIN_HISTORY = `INSERT INTO link_history (link_id, n, at, user_id, key_id, action, url, changes, edit_id)
  SELECT l.id, 1, l.created_at, l.user_id, l.key_id, 'created', l.url, '{}', '' FROM links l`;

/** How many changes of a link are kept. */
const MOST_CHANGES = 1000;

/**
 * Deletes the oldest changes of links, in the batch that adds one to each.
 *
 * @param ids a SELECT of the links' ids
 */
export function trimHistory(ids: string): string {
  return `DELETE FROM link_history AS h WHERE h.link_id IN (${ids})
    AND h.n <= (SELECT max(n) FROM link_history WHERE link_id = h.link_id) - ${MOST_CHANGES}`;
}

/**
 * Writes an edit if the link is unchanged since it was read, in one transaction. Its history entry is inserted first,
 * if all conditions hold, and all statements after it depend on that entry. The revision grows by at least one,
 * whatever the clocks say.
 */
export async function writeEdit(db: Database, actor: Actor, edit: Edit): Promise<EditOutcome> {
  const { before, after, released, now } = edit;
  const keys = JSON.stringify(keysOf(after.slug));
  const targetHost = hostnameOf(new URL(after.url));
  const isAsRead = `l.id = ?8 AND l.revision = ?9 AND l.client_id IN (SELECT client_id FROM acting)`;
  const asRead = [...actingParams(actor, 'links:write', now), before.id, before.revision];
  const editId = crypto.randomUUID();
  const isWritten = `(SELECT edit_id FROM link_history WHERE link_id = ?1 ORDER BY n DESC LIMIT 1) = ?2`;
  const written = [before.id, editId];
  const [, , , , , rows, [verdict]] = await db.batch<[never, never, never, never, never, EditedRow, VerdictRow]>([
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
          AND (l.url = ?12 OR NOT (EXISTS (SELECT 1 FROM domains WHERE host = ?16 AND ${IS_SERVING}) OR ${isHostBlocked('?16')}))`,
      params: [
        ...asRead,
        actor.credential.kind === 'api_key' ? actor.credential.keyId : null,
        edit.action,
        after.url,
        JSON.stringify(edit.changes),
        editId,
        after.slug,
        targetHost,
      ],
    },
    {
      sql: `UPDATE links SET slug = ?3, disabled_at = ?4, deleted_at = ?5, updated_at = ?6, revision = max(revision + 1, ?6),
              ${STORED_NAMES.map((name, index) => `${name} = ?${index + 7}`).join(', ')}
            WHERE id = ?1 AND ${isWritten}`,
      params: [
        ...written,
        after.slug,
        after.disabled_at,
        after.deleted_at,
        now,
        ...STORED_NAMES.map((name) => after[name]),
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
      sql: `SELECT ${EDITED_COLUMNS}
            FROM links l LEFT JOIN domains d ON d.id = l.domain_id WHERE l.id = ?1 AND ${isWritten}`,
      params: written,
    },
    {
      sql: `SELECT EXISTS (
              SELECT 1 FROM addresses WHERE domain_id = ?1 AND folded IN (${keyOn('?1', '?2')}, ?2 ->> 'former') AND NOT ${hasSlug('?3', '?4')}
            ) AS slug_taken,
            EXISTS (SELECT 1 FROM domains WHERE host = ?5 AND ${IS_SERVING}) AS own_host,
            ${isHostBlocked('?5')} AS host_blocked`,
      params: [before.domain_id, keys, before.id, after.slug, targetHost],
    },
    { sql: trimHistory(`SELECT ?1 WHERE ${isWritten}`), params: written },
  ]);
  return {
    row: rows[0] ?? null,
    isSlugTaken: verdict?.slug_taken === 1,
    isOwnHost: after.url !== before.url && verdict?.own_host === 1,
    isHostBlocked: after.url !== before.url && verdict?.host_blocked === 1,
  };
}

const keyOn = (domainId: string, keys: string) =>
  foldedIn(`(SELECT case_sensitive FROM domains WHERE id = ${domainId})`, keys);

/** Whether an address of a link has exactly this slug. */
const hasSlug = (linkId: string, slug: string) =>
  `EXISTS (SELECT 1 FROM addresses WHERE link_id = ${linkId} AND slug = ${slug})`;

interface VerdictRow {
  readonly slug_taken: number;
  readonly own_host: number;
  readonly host_blocked: number;
}

function newAddressesOf({ before, after }: Edit): string[] {
  const known: readonly string[] = [before.slug, ...JSON.parse(before.aliases)];
  return known.includes(after.slug) ? [] : [after.slug];
}
