import type { Database, Statement } from '../database/database.ts';
import { statesOf } from './edit/publish.ts';
import { ADDRESSES_A_PAGE } from './edit/publish-links-to.ts';
import { EDITED_COLUMNS, type EditedRow } from './managed-link.ts';
import type { LinkTiers } from './redirect/resolve.ts';
import { publishTargets } from './redirect/write-entries.ts';

/** The statements about all links of a client, for the room of workspaces. */

/** The number of links that a round trip stops or restores. */
export const LINKS_A_SLICE = 2000;

export interface IdRow {
  readonly id: string;
}

/**
 * Soft-deletes links of a client that are not deleted, all at the same instant, by which `restoreSlice` finds them again.
 * Returns the ids; fewer than `LINKS_A_SLICE` are the last ones.
 *
 * @param condition whether it has to be done, in SQL with the parameters ?1 (the client) and ?2 (`at`)
 */
export function stopSlice(clientId: string, at: number, now: number, condition: string): Statement {
  return {
    sql: `UPDATE links SET deleted_at = ?2, revision = max(revision + 1, ?3)
          WHERE id IN (SELECT id FROM links WHERE client_id = ?1 AND deleted_at IS NULL LIMIT ${LINKS_A_SLICE}) AND ${condition}
          RETURNING id`,
    params: [clientId, at, now],
  };
}

/** Restores links that `stopSlice` has stopped at an instant, and no others. The parameters are the same. */
export function restoreSlice(clientId: string, at: number, now: number, condition: string): Statement {
  return {
    sql: `UPDATE links SET deleted_at = NULL, revision = max(revision + 1, ?3)
          WHERE id IN (SELECT id FROM links WHERE client_id = ?1 AND deleted_at IS NOT NULL AND url <> '' AND deleted_at = ?2
            LIMIT ${LINKS_A_SLICE}) AND ${condition}
          RETURNING id`,
    params: [clientId, at, now],
  };
}

const PUBLISHED = 300;

/**
 * Publishes the new state of some links at once, up to 300 links and 900 addresses, since a request may make 1,000 calls.
 * Other isolates serve the old state of all others for up to three minutes, until their entries are compared with the
 * database.
 */
export async function publishSome(
  db: Database,
  tiers: Pick<LinkTiers, 'memory' | 'kv'>,
  rows: readonly IdRow[],
): Promise<void> {
  const ids = JSON.stringify(rows.slice(0, PUBLISHED).map(({ id }) => id));
  const readAt = Date.now();
  const [links] = await db.batch<[EditedRow]>([
    {
      sql: `SELECT ${EDITED_COLUMNS} FROM links l LEFT JOIN domains d ON d.id = l.domain_id
            WHERE l.id IN (SELECT value FROM json_each(?1))`,
      params: [ids],
    },
  ]);
  await publishTargets({ ...tiers, db }, links.flatMap(statesOf).slice(0, ADDRESSES_A_PAGE), readAt);
}

// The query takes a fifth of a second for this many.
const LINKS_SCANNED = 100_000;

/** A link of a client, and what else than rows of the database it has. */
export interface LinkOfClient extends IdRow {
  readonly is_limited: number;
  /** The slugs of its addresses on the service's own host, as JSON. */
  readonly slugs: string;
}

/**
 * The next links of a client, in whatever state: no index has the links whose content was removed, so that all links are
 * read in pages.
 *
 * @param after the id after which to begin; `null` in the result after the last page
 */
export async function readLinksOf(
  db: Database,
  clientId: string,
  after: string,
  most: number,
): Promise<{ readonly links: readonly LinkOfClient[]; readonly after: string | null }> {
  const scanned = `SELECT id, client_id, limited_at, max_clicks FROM links WHERE id > ?2 ORDER BY id LIMIT ${LINKS_SCANNED}`;
  const [links, [page]] = await db.batch<[LinkOfClient, { readonly read: number; readonly last: string | null }]>([
    {
      sql: `SELECT l.id, (l.limited_at IS NOT NULL OR l.max_clicks IS NOT NULL) AS is_limited, (
              SELECT json_group_array(a.slug) FROM addresses a WHERE a.link_id = l.id AND a.domain_id = '') AS slugs
            FROM (${scanned}) l WHERE l.client_id = ?1 ORDER BY l.id LIMIT ?3`,
      params: [clientId, after, most],
    },
    { sql: `SELECT count(*) AS read, max(id) AS last FROM (${scanned})`, params: [clientId, after] },
  ]);
  if (links.length === most) return { links, after: links.at(-1)!.id };
  return { links, after: page?.read === LINKS_SCANNED ? page.last : null };
}

/** A table whose rows belong to links, and the column that names the link. */
interface TableOfLinks {
  readonly name: string;
  readonly link: string | null;
}

/** Deletes links of a client, after all rows that belong to them. */
export function deleteLinks(clientId: string, links: readonly IdRow[], tables: readonly TableOfLinks[]): Statement[] {
  const ids = JSON.stringify(links.map(({ id }) => id));
  const ofLinks = tables.filter(({ link }) => link !== null);
  return [
    ...ofLinks.map(({ name, link }) => ({
      sql: `DELETE FROM "${name}" WHERE "${link}" IN (SELECT value FROM json_each(?1))`,
      params: [ids],
    })),
    {
      sql: 'DELETE FROM links WHERE client_id = ?1 AND id IN (SELECT value FROM json_each(?2))',
      params: [clientId, ids],
    },
  ];
}
