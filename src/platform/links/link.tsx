import { Hono, type Context } from 'hono';
import { getSummary } from '../../clicks/summary.ts';
import { AppError } from '../../errors.ts';
import { linkLimitsOf } from '../../http/edit-tiers.ts';
import { readQuery } from '../../http/query.ts';
import { listHistory } from '../../links/edit/history.ts';
import { getManagedLink } from '../../links/edit/get-and-delete.ts';
import type { ManagedLink } from '../../links/managed.ts';
import { readClicksLeft } from '../../links/list/clicks-left.ts';
import { shortUrlOf } from '../../links/short-url.ts';
import { readPage } from '../../pagination.ts';
import { parseFields } from '../../validation.ts';
import { periodFields } from '../clicks/clicks.tsx';
import type { PlatformEnv } from '../env.ts';
import { inClient, signedIn } from '../guard.ts';
import { layOutBars } from '../kit/bars.ts';
import { page } from '../page.tsx';
import { LinkPage, type LinkClicksShown } from './link-page.tsx';
import { shown } from './shown.ts';

const LINK = '/platform/c/:client/links/:id';

/** One link: its data, its clicks and its history. */
export function linkPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(LINK, signedIn, inClient, async (c) => {
    const { days } = parseFields(periodFields(), readQuery(c));
    const { db, actor, client, session, site } = c.var;
    const id = c.req.param('id');
    const cursor = readQuery(c)['older'];
    const [link, clicks, history] = await Promise.all([
      getManagedLink(db, actor, id),
      clicksOf(c, id, days),
      listHistory(db, actor, id, readPage({ list: `history of ${id}` }, { limit: ENTRIES, cursor })),
    ]);
    const clicksLeftOf = await readClicksLeft(linkLimitsOf(c), [link]);
    return page(
      c,
      { title: shown(shortUrlOf(link, site)) },
      <LinkPage
        {...{ client, link, days, clicks, history }}
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
const SHOWN = ['country', 'referrer', 'device', 'browser'] as const;

// Deleted links have no click statistics.
async function clicksOf(c: Context<PlatformEnv>, id: string, days: number): Promise<LinkClicksShown | null> {
  const { db, statistics, actor, client, session } = c.var;
  const range = { days, tz: session.timeZone, client_id: client.id };
  try {
    const summary = await getSummary({ db, statistics }, actor.credential, { kind: 'link', name: id }, range, SHOWN);
    return { summary, bars: layOutBars(summary.days) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'gone') return null;
    throw error;
  }
}

/** Gets the link of a page's path. */
export async function linkOf(c: Context<PlatformEnv>): Promise<ManagedLink> {
  return getManagedLink(c.var.db, c.var.actor, c.req.param('id') ?? '');
}
