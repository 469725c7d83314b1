import type { Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import type { LinkLimits } from '../../link-limit/limits.ts';
import { readClicksLeft } from '../list/clicks-left.ts';
import { listLinks } from '../list/list.ts';
import type { ManagedLink } from '../managed-link.ts';

/** The media types of exported files. */
export const EXPORT_TYPES = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;

// The platform allows a thousand queries in a request: with two for each page, that is 200,000 links. A page of the
// longest links takes 13 MB, and is held several times while it becomes text; a Worker has 128 MB.
const LINKS_PER_PAGE = 400;

// Each is a call of its own, and these have a bound together with the queries.
const MAX_LIMITS = 400;

/** A link, and how many clicks of its limit are left; null if it has none, or if that is not known. */
export interface ExportedLink extends ManagedLink {
  readonly clicksLeft: number | null;
}

/**
 * Reads all links of the actor's client that are not deleted, newest first, a page and a round trip at a time. The
 * credential is checked again with each page, so that a caller who loses access gets no further page. Each step throws
 * what `listLinks` throws. Of the first 400 links with a limit it reads how many clicks are left.
 */
export async function* exportLinks(
  db: Database,
  actor: Actor,
  openLimits: () => LinkLimits,
): AsyncGenerator<readonly ExportedLink[], void> {
  let unread = MAX_LIMITS;
  for (let cursor: string | undefined; ;) {
    const page = await listLinks(db, actor, {}, { limit: LINKS_PER_PAGE, cursor });
    const limited = page.links.filter(({ maxClicks }) => maxClicks !== null).slice(0, unread);
    unread -= limited.length;
    const clicksLeft = await readClicksLeft(openLimits, limited);
    yield page.links.map((link) => ({ ...link, clicksLeft: clicksLeft.get(link.id) ?? null }));
    if (page.cursor === null) return;
    cursor = page.cursor;
  }
}
