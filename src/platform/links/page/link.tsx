import { Hono, type Context } from 'hono';
import { REPEATABLE_NAMES } from '../../../clicks/filter-fields.ts';
import { AppError } from '../../../errors.ts';
import { readQuery, readQueryAndLists } from '../../../http/query.ts';
import { listHistory } from '../../../links/edit/history.ts';
import { getClicksLeft, getColouredLink, getManagedLink } from '../../../links/edit/get-link.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import { readPage } from '../../../input/pagination.ts';
import { BREAKDOWNS } from '../../clicks/cards.ts';
import { linkEvents } from '../../clicks/events.ts';
import { readCsv, readStatisticsIfPossible, type Scope, type ShownStatistics } from '../../clicks/read-statistics.ts';
import type { PlatformEnv } from '../../env.ts';
import { inClient, signedIn } from '../../guard.ts';
import { page } from '../../page.tsx';
import { LinkApi } from './link-api.tsx';
import { LinkDetails } from './link-details.tsx';
import type { OfLink } from './link-frame.tsx';
import { LinkHistory } from './link-history.tsx';
import { LinkPage } from './link-page.tsx';
import { linkPath } from '../paths.ts';
import { displayUrl } from '../display-url.ts';
import { titleOf, type Tab } from './tabs.tsx';
import { STATISTICS_STYLES } from '../../clicks/statistics.tsx';

const LINK = '/platform/c/:client/links/:id';

/** One link: its clicks, and its details, history and calls of the API, each on a tab that reads only what it shows. */
export function linkPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(LINK, signedIn, inClient, async (c) => {
    const id = c.req.param('id');
    const { older } = readQueryAndLists(c, REPEATABLE_NAMES).fields;
    // The history had this address before it had a tab of its own.
    if (older !== undefined) return c.redirect(`${historyPath(c, id)}?${String(new URLSearchParams({ older }))}`, 303);
    const { db, actor, client } = c.var;
    const scope: Scope = {
      subject: { kind: 'link', name: id },
      path: linkPath(client, id),
      breakdowns: BREAKDOWNS.link,
      readEvents: async () => {
        const page = readPage({ list: `history of ${id}` }, { limit: ENTRIES, cursor: undefined });
        return linkEvents(client, id, (await listHistory(db, actor, id, page)).history);
      },
    };
    const file = await readCsv(c, scope);
    if (file) return file;
    const [of, statistics] = await Promise.all([openTab(c), statisticsOf(c, scope)]);
    return page(c, { ...headOf(c, of, ''), styles: STATISTICS_STYLES }, <LinkPage {...of} statistics={statistics} />);
  });

  pages.get(`${LINK}/details`, signedIn, inClient, async (c) => {
    const of = await openTab(c);
    const clicksLeft = await getClicksLeft(c.var.openLimits, of.link);
    return page(c, headOf(c, of, 'details'), <LinkDetails {...of} clicksLeft={clicksLeft} />);
  });

  pages.get(`${LINK}/history`, signedIn, inClient, async (c) => {
    const { db, actor } = c.var;
    const id = c.req.param('id');
    const { older: cursor } = readQuery(c);
    const [of, history] = await Promise.all([
      openTab(c),
      listHistory(db, actor, id, readPage({ list: `history of ${id}` }, { limit: ENTRIES, cursor })),
    ]);
    return page(c, headOf(c, of, 'history'), <LinkHistory {...of} {...history} isOlder={cursor !== undefined} />);
  });

  pages.get(`${LINK}/api`, signedIn, inClient, async (c) => {
    const of = await openTab(c);
    if (of.link.state === 'deleted') return seeDeleted(c, of);
    const { site } = c.var;
    return page(c, headOf(c, of, 'api'), <LinkApi {...of} origin={(site.publicUrl ?? site.requestUrl).origin} />);
  });

  return pages;
}

const ENTRIES = 20;

/** Gets the link of a page's path. */
export async function linkOf(c: Context<PlatformEnv>): Promise<ManagedLink> {
  return getManagedLink(c.var.db, c.var.actor, c.req.param('id') ?? '');
}

/** Gets what each tab of a link's page shows. */
export async function openTab(c: Context<PlatformEnv>): Promise<OfLink> {
  const { client, session, site } = c.var;
  const { link, tagColours } = await getColouredLink(c.var.db, c.var.actor, c.req.param('id') ?? '');
  return { client, link, tagColours, shortUrl: shortUrlOf(link, site), timeZone: session.timeZone };
}

export const headOf = ({ var: { words } }: Pick<Context<PlatformEnv>, 'var'>, { shortUrl }: OfLink, tab: Tab) => ({
  title: titleOf(words, displayUrl(shortUrl), tab),
});

/** The answer at a tab that a deleted link does not have: the page of the link says how to restore it. */
export const seeDeleted = (c: Context<PlatformEnv>, { client, link }: OfLink): Response =>
  c.redirect(linkPath(client, link.id), 303);

const historyPath = (c: Context<PlatformEnv>, id: string) => linkPath(c.var.client, id, 'history');

// Deleted links have no click statistics.
async function statisticsOf(c: Context<PlatformEnv>, scope: Scope): Promise<ShownStatistics | null> {
  try {
    return await readStatisticsIfPossible(c, scope);
  } catch (error) {
    if (error instanceof AppError && error.code === 'gone') return null;
    throw error;
  }
}
