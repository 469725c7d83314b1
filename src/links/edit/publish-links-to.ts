import type { Database } from '../../database/database.ts';
import { leadsTo } from '../../targets/blocklist.ts';
import { leadsElsewhereTo } from '../destinations/destination-hosts.ts';
import { EDITED_COLUMNS, type EditedRow } from '../managed-link.ts';
import { statesOf } from './publish.ts';
import { writeEntries, type NewEntry } from '../redirect/write-entries.ts';

// The query takes a fifth of a second for this many.
const LINKS_A_PAGE = 100_000;
const FOUND_A_PAGE = 300;
/** The number of addresses that are written to KV at once, since a request may make 1,000 calls. */
export const ADDRESSES_A_PAGE = 900;

/**
 * Writes the new state of links to KV, after a host was blocked or unblocked: of the next links, those that lead to the
 * host or to one below it and are not deleted.
 *
 * @param after the id of the last link of the previous page; '' for the first page
 * @returns the number of links, their clients, and `after` for the next page, or null after the last page
 */
export async function publishLinksTo(
  db: Database,
  kv: KVNamespace,
  host: string,
  after: string,
): Promise<{ readonly links: number; readonly clients: readonly string[]; readonly after: string | null }> {
  const askedAt = Date.now();
  const page = `SELECT id, url, deleted_at FROM links WHERE id > ?1 ORDER BY id LIMIT ${LINKS_A_PAGE}`;
  const [rows, [read]] = await db.batch<[EditedRow, { readonly links: number; readonly last: string | null }]>([
    {
      sql: `SELECT ${EDITED_COLUMNS}
            FROM (SELECT id FROM (${page}) AS it
              WHERE deleted_at IS NULL AND (${leadsTo('?2')} OR ${leadsElsewhereTo('it', '?2')}) ORDER BY id LIMIT ${FOUND_A_PAGE}) AS found
            JOIN links l ON l.id = found.id LEFT JOIN domains d ON d.id = l.domain_id ORDER BY l.id`,
      params: [after, host],
    },
    { sql: `SELECT count(*) AS links, max(id) AS last FROM (${page})`, params: [after] },
  ]);
  const states: NewEntry[] = [];
  let links = 0;
  for (const row of rows) {
    const more = statesOf(row);
    if (states.length + more.length > ADDRESSES_A_PAGE) break;
    states.push(...more);
    links += 1;
  }
  await writeEntries({ kv, db, unwritten: null }, states, askedAt);
  const clients = [...new Set(rows.slice(0, links).map(({ client_id }) => client_id))];
  if (links < rows.length || links === FOUND_A_PAGE) return { links, clients, after: rows[links - 1]?.id ?? null };
  return { links, clients, after: read?.links === LINKS_A_PAGE ? read.last : null };
}
