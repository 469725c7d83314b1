import type { Actor } from '../../accounts/access.ts';
import type { Database } from '../../database.ts';
import { listLinks } from '../list/list.ts';
import type { ManagedLink } from '../managed.ts';

/** The media types of exported files. */
export const EXPORT_TYPES = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;

// The platform allows a thousand queries in a request: with two for each page, that is 200,000 links. A page of the
// longest links takes 13 MB, and is held several times while it becomes text; a Worker has 128 MB.
const LINKS_PER_PAGE = 400;

/**
 * Reads all links of the actor's client that are not deleted, newest first, a page and a round trip at a time. The
 * credential is checked again with each page, so that a caller who loses access gets no further page. Each step throws
 * what `listLinks` throws.
 */
export async function* exportLinks(db: Database, actor: Actor): AsyncGenerator<readonly ManagedLink[], void> {
  for (let cursor: string | undefined; ;) {
    const page = await listLinks(db, actor, {}, { limit: LINKS_PER_PAGE, cursor });
    yield page.links;
    if (page.cursor === null) return;
    cursor = page.cursor;
  }
}
