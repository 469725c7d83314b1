import { Hono, type Context } from 'hono';
import { findLiveLinks } from '../../clicks/live-links.ts';
import { LIST_STYLES } from '../links/list/list-page.tsx';
import { positionName, readLately } from '../../clicks/live.ts';
import { respondWithLive } from '../../http/event-stream.ts';
import { readQuery } from '../../http/query.ts';
import { shortUrlOf } from '../../links/slugs/short-url.ts';
import { isStatisticsOutage } from '../../statistics/statistics.ts';
import type { PlatformEnv } from '../env.ts';
import { inClient, signedIn, signedInByPage } from '../guard.ts';
import { page } from '../page.tsx';
import { rowOf } from './click-row.tsx';
import { LivePage } from './live-page.tsx';

const LIVE = '/platform/c/:client/live';
const ROWS = 100;

/** Clicks as they are counted: a page, and the stream whose clicks its script adds as rows. */
export function livePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(LIVE, signedIn, inClient, async (c) => {
    const { db, statistics, client, session } = c.var;
    const linkId = linkIdOf(c);
    const now = Date.now();
    const question = { clientId: client.id, linkId };
    const known = await readLately({ db, statistics }, session.credential, question, ROWS).catch(unlessOutage);
    const clicks = known ?? [];
    const shortUrls = await shortUrlsOf(c, [...clicks.map(({ link }) => link), ...(linkId === null ? [] : [linkId])]);
    const shortUrl = linkId === null ? undefined : shortUrls.get(linkId);
    return page(
      c,
      { title: c.var.words.text('live.title'), styles: LIST_STYLES },
      <LivePage
        {...{ client, now }}
        isKnown={known !== null}
        timeZone={session.timeZone}
        link={linkId === null || shortUrl === undefined ? null : { id: linkId, shortUrl }}
        clicks={clicks.map((click) => ({ click, shortUrl: shortUrls.get(click.link) ?? null }))}
        lastId={positionName(clicks[0] ?? { countedAt: now, n: 0 })}
      />,
    );
  });

  pages.get(`${LIVE}/stream`, signedInByPage, inClient, async (c) => {
    const { client, session, words } = c.var;
    const lastId = c.req.header('Last-Event-ID') ?? readQuery(c)['last_event_id'] ?? null;
    const question = { clientId: client.id, linkId: linkIdOf(c), lastId };
    return respondWithLive(
      c,
      async () => session.credential,
      question,
      async (click, shortUrl) => ({
        row: await rowOf(words, client, session.timeZone, { click, shortUrl }),
        clicks: click.clicks,
      }),
    );
  });

  return pages;
}

function unlessOutage(error: unknown): null {
  if (isStatisticsOutage(error)) return null;
  throw error;
}

const linkIdOf = (c: Context<PlatformEnv>): string | null => readQuery(c)['link_id'] ?? null;

async function shortUrlsOf(c: Context<PlatformEnv>, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { db, session, client, site } = c.var;
  if (ids.length === 0) return new Map();
  const links = await findLiveLinks(db, session.credential, client.id, [...new Set(ids)]);
  return new Map(links.map((link) => [link.id, shortUrlOf(link, site)]));
}
