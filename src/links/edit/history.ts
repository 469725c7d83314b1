import { ACTING, actingParams, type Actor } from '../../accounts/access.ts';
import { listPage } from '../../accounts/list-page.ts';
import { givenName, toGivenName, type GivenName } from '../../accounts/members/given-name.ts';
import type { Database } from '../../database/database.ts';
import { rowsOfPage, type Page } from '../../input/pagination.ts';
import { noSuchLink } from './edit-refusals.ts';
import { selectManaged } from './find-managed.ts';

/** One change of a link: who made it, when, and what it changed. */
export interface HistoryEntry {
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly action: string;
  /** The person's name and the id of their API key, as far as they are known. */
  readonly userName: string | null;
  /** The name that a provider gives to a person without one of their own, for pages; or null. */
  readonly given: GivenName | null;
  readonly keyId: string | null;
  /** The target from then on. */
  readonly url: string;
  /** `{column: [before, after]}` */
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
}

interface EntryRow {
  readonly n: number;
  readonly at: number;
  readonly action: string;
  readonly user_name: string | null;
  readonly given: string | null;
  readonly key_id: string | null;
  readonly url: string;
  readonly changes: string;
}

/** Lists the changes of a link, newest first. Throws `not_found`, and what `authorize` throws. */
export async function listHistory(
  db: Database,
  actor: Actor,
  id: string,
  page: Page,
): Promise<{ history: readonly HistoryEntry[]; cursor: string | null }> {
  const { items: history, cursor } = await listPage(db, actor, page, {
    permission: 'links:read',
    subject: {
      select: (now) => selectManaged(actingParams(actor, 'links:read', now), id),
      notFound: noSuchLink,
      namesClient: true,
    },
    select: (now) => ({
      sql: `${ACTING},
        link AS (SELECT * FROM links WHERE id = ?8 AND client_id IN (SELECT client_id FROM acting) AND url <> ''),
        entries AS (
          SELECT * FROM (
            SELECT n, at, action, user_id, key_id, url, changes FROM link_history
            WHERE link_id = (SELECT id FROM link) AND n < ?9 ORDER BY n DESC LIMIT ?10)
          UNION ALL
          SELECT 1, created_at, 'created', user_id, key_id, url, '{}' FROM link
          WHERE ?9 > 1 AND NOT EXISTS (SELECT 1 FROM link_history WHERE link_id = link.id))
        SELECT n, at, action, u.name AS user_name, key_id, url, changes,
          ${givenName({ id: 'u.id', name: 'u.name', client: '(SELECT client_id FROM link)' })} AS given
        FROM entries LEFT JOIN users u ON u.id = entries.user_id ORDER BY n DESC`,
      params: [...actingParams(actor, 'links:read', now), id, page.after[0], rowsOfPage(page.limit)],
    }),
    positionOf: ({ n }: EntryRow) => [n, ''],
    toItem: toEntry,
  });
  return { history, cursor };
}

function toEntry(row: EntryRow): HistoryEntry {
  return {
    n: row.n,
    at: row.at,
    action: row.action,
    userName: row.user_name,
    given: toGivenName(row.given),
    keyId: row.key_id,
    url: row.url,
    changes: JSON.parse(row.changes),
  };
}
