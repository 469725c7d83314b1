import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { preferredOf } from '../http/accept.ts';
import type { HttpEnv } from '../http/env.ts';
import { sameForAll } from '../http/surface.ts';
import type { Site } from '../network/hosts.ts';
import { ChangelogPage } from './changelog-page.tsx';
import { readChangelog, withEnd } from '../changelog/changelog.ts';
import { version } from '../changelog/version.ts';
import { docsPages } from './docs.ts';
import { writeFeed } from './feed.tsx';
import { writeFrontPage, writePage } from './frame.tsx';
import { FrontFooter, FrontNavigation, FrontPage } from './home/front-page.tsx';
import { publicHeaders } from './policy.ts';

/** The public pages about the service: `/`, `/changelog` and its feed, the first two as JSON on demand, and `/docs`. */
export function referencePages(): Hono<HttpEnv> {
  const pages = new Hono<HttpEnv>();

  pages.get('/', sameForAll, ofPage, byAccept, async (c) => {
    const { origin } = c.var.site.requestUrl;
    if (preferredOf(c.req.header('Accept') ?? '') === 'json') return c.json(entryPoints(origin));
    const { rootUrl, brand } = c.var.services.config;
    if (rootUrl !== null) return c.redirect(rootUrl.href);
    const { host } = c.var.site.publicUrl ?? c.var.site.requestUrl;
    return c.html(
      await writeFrontPage({
        title: 'short links people trust',
        description:
          'Short links on your own domain, whose destination you can change, with click statistics and an API.',
        pathname: '/',
        brand,
        origin: originOf(c.var.site),
        content: <FrontPage origin={origin} host={host} name={brand.name} />,
        navigation: <FrontNavigation />,
        footer: <FrontFooter name={brand.name} />,
      }),
    );
  });

  pages.get('/changelog', sameForAll, ofPage, byAccept, async (c) => {
    const changelog = withEnd(await readChangelog(c.env.ASSETS, c.req.url), c.var.services.config.encode);
    if (preferredOf(c.req.header('Accept') ?? '') === 'json') return c.json(changelog);
    const { brand } = c.var.services.config;
    return c.html(
      await writePage({
        title: 'Changelog',
        description: 'What has changed in the API, release by release, with the breaking changes marked.',
        pathname: '/changelog',
        brand,
        origin: originOf(c.var.site),
        content: <ChangelogPage {...changelog} />,
      }),
    );
  });

  pages.get('/changelog.rss', sameForAll, async (c) => {
    const feed = await writeFeed(
      withEnd(await readChangelog(c.env.ASSETS, c.req.url), c.var.services.config.encode),
      originOf(c.var.site),
    );
    return c.body(feed, 200, { 'Content-Type': 'application/rss+xml; charset=utf-8' });
  });

  // With these, since each module of the Worker costs a deploy some time.
  return pages.route('/', docsPages());
}

/** Readers and messengers keep the addresses of a page, on whatever host they found it. */
const originOf = ({ publicUrl, requestUrl }: Site) => (publicUrl ?? requestUrl).origin;

const ofPage = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(publicHeaders())) c.res.headers.set(name, value);
});

const byAccept = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  c.res.headers.append('Vary', 'Accept');
});

function entryPoints(origin: string) {
  return {
    service: 'Terse',
    version,
    docs: `${origin}/docs`,
    openapi: `${origin}/openapi.json`,
    changelog: `${origin}/changelog`,
    feed: `${origin}/changelog.rss`,
    platform: `${origin}/platform`,
  };
}
