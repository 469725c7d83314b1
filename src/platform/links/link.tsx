import { Hono, type Context } from 'hono';
import { repeatableNames } from '../../clicks/filter-fields.ts';
import { AppError } from '../../errors.ts';
import { linkLimitsOf } from '../../http/edit-tiers.ts';
import { readQueryAndLists } from '../../http/query.ts';
import { listHistory } from '../../links/edit/history.ts';
import { getManagedLink } from '../../links/edit/get-and-delete.ts';
import type { ManagedLink } from '../../links/managed.ts';
import { readClicksLeft } from '../../links/list/clicks-left.ts';
import { shortUrlOf } from '../../links/short-url.ts';
import { readPage } from '../../pagination.ts';
import { readCsv, readStatistics, type Scope, type Statistics } from '../clicks/read-statistics.ts';
import type { PlatformEnv } from '../env.ts';
import { inClient, signedIn } from '../guard.ts';
import { page } from '../page.tsx';
import { LinkPage } from './link-page.tsx';
import { linkPath } from './paths.ts';
import { shown } from './shown.ts';

const LINK = '/platform/c/:client/links/:id';

/** One link: its data, its clicks and its history. */
export function linkPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(LINK, signedIn, inClient, async (c) => {
    const { db, actor, client, session, site } = c.var;
    const id = c.req.param('id');
    const scope: Scope = { subject: { kind: 'link', name: id }, path: linkPath(client, id), cards: CARDS };
    const file = await readCsv(c, scope);
    if (file) return file;
    const { older: cursor } = readQueryAndLists(c, repeatableNames()).fields;
    const [link, statistics, history] = await Promise.all([
      getManagedLink(db, actor, id),
      statisticsOf(c, scope),
      listHistory(db, actor, id, readPage({ list: `history of ${id}` }, { limit: ENTRIES, cursor })),
    ]);
    const clicksLeftOf = await readClicksLeft(linkLimitsOf(c), [link]);
    return page(
      c,
      { title: shown(shortUrlOf(link, site)) },
      <LinkPage
        {...{ client, link, statistics, history }}
        clicksLeft={clicksLeftOf(link.id)}
        isOlder={cursor !== undefined}
        shortUrl={shortUrlOf(link, site)}
        origin={(site.publicUrl ?? site.requestUrl).origin}
        timeZone={session.timeZone}
      />,
    );
  });

  return pages;
}

const ENTRIES = 20;
const CARDS = ['sources', 'locations', 'technology', 'destinations'] as const;

// Deleted links have no click statistics.
async function statisticsOf(c: Context<PlatformEnv>, scope: Scope): Promise<Statistics | null> {
  try {
    return await readStatistics(c, scope);
  } catch (error) {
    if (error instanceof AppError && error.code === 'gone') return null;
    throw error;
  }
}

/** Gets the link of a page's path. */
export async function linkOf(c: Context<PlatformEnv>): Promise<ManagedLink> {
  return getManagedLink(c.var.db, c.var.actor, c.req.param('id') ?? '');
}
