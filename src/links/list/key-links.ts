import { ACTING, actingParams, type Actor } from '../../accounts/access.ts';
import { MAY_MANAGE_KEY } from '../../accounts/keys/key-access.ts';
import { listPage } from '../../accounts/list-page.ts';
import { rowsOfPage, type Page } from '../../input/pagination.ts';
import type { Database, Statement } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { LISTED_COLUMNS } from '../managed-link.ts';
import { listOfLinks, toLinkPage, type FilteredRow, type LinkPage } from './link-page.ts';

/** The number of links that one page reads, however few of them fit. */
const MAX_SCANNED = 500;

/** `scanned`: how many links the page had read with this one. */
type ScannedRow = FilteredRow & { readonly scanned: number };

// The clocks of two data centres may differ a little.
const CLOCK_LEEWAY_MS = 60_000;

/**
 * Lists the links that a key has created, newest first. A page may be short, or empty, before the list ends: there
 * is no index by key, since every create would have to write it. Throws `not_found`, and what `authorize` throws.
 */
export async function listLinksOfKey(db: Database, actor: Actor, keyId: string, page: Page): Promise<LinkPage> {
  const actingAndKey = (now: number) => [...actingParams(actor, 'keys', now), keyId];
  const list = listOfLinks<ScannedRow>(({ scanned }) => scanned === MAX_SCANNED, {
    permission: 'keys',
    subject: {
      select: (now) => ({
        sql: `${ACTING} SELECT 1 FROM api_keys k WHERE k.id = ?8 AND ${MAY_MANAGE_KEY}`,
        params: actingAndKey(now),
      }),
      notFound: () => new AppError('not_found', 'There is no key with this id that you can manage.'),
    },
    select: (now) => selectLinks(actingAndKey(now), page),
  });
  return toLinkPage(await listPage(db, actor, page, list));
}

// Only links from the time in which the key worked are read.
function selectLinks(actingAndKey: Statement['params'], { after, limit }: Page): Statement {
  return {
    sql: `${ACTING},
      the_key AS (
        SELECT k.client_id, k.created_at - ${CLOCK_LEEWAY_MS} AS from_at,
          min(coalesce(k.revoked_at + ${CLOCK_LEEWAY_MS}, ?9), coalesce(k.expires_at + ${CLOCK_LEEWAY_MS}, ?9), ?9) AS to_at
        FROM api_keys k WHERE k.id = ?8 AND ${MAY_MANAGE_KEY}
      ),
      page AS MATERIALIZED (
        SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS scanned FROM (
          SELECT * FROM links
          WHERE client_id = (SELECT client_id FROM the_key) AND deleted_at IS NULL AND created_at >= (SELECT from_at FROM the_key)
            AND (created_at, id) < ((SELECT to_at FROM the_key), ?10)
          ORDER BY created_at DESC, id DESC LIMIT ${MAX_SCANNED}
        )
      ),
      filtered AS (SELECT *, key_id IS ?8 AS fits FROM page)
      SELECT l.scanned, l.fits, ${LISTED_COLUMNS}
      FROM filtered l LEFT JOIN domains d ON d.id = l.domain_id
      WHERE l.fits OR l.scanned = ${MAX_SCANNED} ORDER BY l.scanned LIMIT ?11`,
    params: [...actingAndKey, ...after, rowsOfPage(limit)],
  };
}
