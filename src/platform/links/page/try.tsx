import { Hono, type Context } from 'hono';
import { readQuery } from '../../../http/query.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import { parsePreviewVisit } from '../../../links/visit/preview-visit.ts';
import { resolveVisit, type ResolvedVisit } from '../../../links/visit/resolve-visit.ts';
import { fromWallTime } from '../../../time/wall-time.ts';
import type { PlatformEnv } from '../../env.ts';
import { newForm, submit } from '../../forms/form.ts';
import { inClient, signedIn } from '../../guard.ts';
import { page } from '../../page.tsx';
import { linkOf } from './link.tsx';
import { displayUrl } from '../display-url.ts';
import { TRY_FIELDS, TryPage } from './try-page.tsx';
import { userAgentOf } from './preview-visitors.ts';

/** The pages that show the outcome for a visitor of a link, without a visit. */
export function tryPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform/c/:client/links/:id/try', signedIn, inClient, async (c) => {
    const { client, session, site, words } = c.var;
    const query = readQuery(c);
    const link = await linkOf(c);
    const isAsked = TRY_FIELDS.some((name) => query[name] !== undefined);
    const sent = isAsked ? await submit(c, query, () => resolve(c, link.id, query)) : null;
    return page(
      c,
      {
        title: words.text('linkPage.tryLink', { link: displayUrl(shortUrlOf(link, site)) }),
        ...(sent && !sent.ok && { status: sent.status }),
      },
      <TryPage
        {...{ client, link }}
        form={sent === null || sent.ok ? newForm(query) : sent.form}
        resolved={sent?.ok ? sent.value : null}
        shortUrl={shortUrlOf(link, site)}
        timeZone={session.timeZone}
      />,
    );
  });

  return pages;
}

function resolve(c: Context<PlatformEnv>, id: string, query: Readonly<Record<string, string>>): Promise<ResolvedVisit> {
  const { db, actor, session } = c.var;
  const { query: search = '', path = '', at = '' } = query;
  const { country = '', region = '', language = '', referrer = '', address = '' } = query;
  const instant = fromWallTime(at, session.timeZone);
  const visit = parsePreviewVisit({
    country,
    region,
    language,
    referrer,
    address,
    query: search,
    path,
    user_agent: userAgentOf(query['agent']),
    at: instant === null ? at : new Date(instant).toISOString(),
  });
  return resolveVisit(db, actor, id, visit);
}
