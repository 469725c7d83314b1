import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { preferredOf } from '../http/accept.ts';
import type { HttpEnv } from '../http/env.ts';
import { ERRORS_PATH } from '../http/failure.ts';
import { sameForAll } from '../http/surface.ts';
import { ChangelogPage } from './changelog-page.tsx';
import { readChangelog, withEnd } from '../changelog/changelog.ts';
import { version } from '../changelog/version.ts';
import { writeDocsPage } from './docs-page.tsx';
import { ErrorsPage } from './errors-page.tsx';
import { writeFeed } from './feed.tsx';
import { writePage } from './frame.tsx';
import { HomePage } from './home-page.tsx';

const POLICY = {
  'default-src': "'none'",
  'style-src': "'self'",
  'script-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
};

/**
 * The public pages about the service: `/`, `/docs`, `/changelog` and its feed. `/` and `/changelog` are JSON on demand.
 */
export function referencePages(): Hono<HttpEnv> {
  const pages = new Hono<HttpEnv>();

  pages.get('/', sameForAll, ofPage(POLICY), byAccept, async (c) => {
    const { origin } = c.var.site.requestUrl;
    if (preferredOf(c.req.header('Accept') ?? '') === 'json') return c.json(entryPoints(origin));
    const { rootUrl } = c.var.services.config;
    if (rootUrl !== null) return c.redirect(rootUrl.href);
    return c.html(await writePage({ title: 'Terse', pathname: '/', content: <HomePage origin={origin} /> }));
  });

  pages.get('/changelog', sameForAll, ofPage(POLICY), byAccept, async (c) => {
    const changelog = withEnd(await readChangelog(c.env.ASSETS, c.req.url), c.var.services.config.encode);
    if (preferredOf(c.req.header('Accept') ?? '') === 'json') return c.json(changelog);
    const content = <ChangelogPage {...changelog} />;
    return c.html(await writePage({ title: 'Changelog · Terse', pathname: '/changelog', content }));
  });

  pages.get('/changelog.rss', sameForAll, async (c) => {
    // Feed readers keep the address in the feed, however they found it.
    const { publicUrl, requestUrl } = c.var.site;
    const feed = await writeFeed(
      withEnd(await readChangelog(c.env.ASSETS, c.req.url), c.var.services.config.encode),
      (publicUrl ?? requestUrl).origin,
    );
    return c.body(feed, 200, { 'Content-Type': 'application/rss+xml; charset=utf-8' });
  });

  // The viewer writes style elements while it runs.
  pages.get('/docs', sameForAll, ofPage({ ...POLICY, 'style-src': "'self' 'unsafe-inline'" }), async (c) =>
    c.html(await writeDocsPage()),
  );

  pages.get(ERRORS_PATH, sameForAll, ofPage(POLICY), async (c) =>
    c.html(await writePage({ title: 'Errors · Terse', pathname: ERRORS_PATH, content: <ErrorsPage /> })),
  );

  return pages;
}

function ofPage(policy: Readonly<Record<string, string>>) {
  const text = Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.set('Content-Security-Policy', text);
    headers.set('Referrer-Policy', 'same-origin');
    headers.set('X-Frame-Options', 'DENY');
  });
}

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
