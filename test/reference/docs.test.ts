import { describe, expect, it } from 'vitest';
import { seedCaller } from '../support/forms.ts';
import { seedDomain, seedLink } from '../support/seed.ts';
import { call, ORIGIN } from '../support/service.ts';

/** The pages below /docs, which are files, as the Worker passes them on. */

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
const PAGES = ['/docs', '/docs/links', '/docs/api', '/docs/api/links', '/docs/errors'];
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const headersOf = ({ headers }: Response, ...names: string[]) => names.map((name) => headers.get(name));

describe.each(PAGES)('the page %s of the docs', (path) => {
  it('a page of the docs may load only our own files, and must not be framed', async () => {
    const response = await call(path, { headers: BROWSER });
    expect(response.status).toBe(200);
    expect(
      headersOf(
        response,
        'Content-Type',
        'Content-Security-Policy',
        'X-Frame-Options',
        'Referrer-Policy',
        'X-Content-Type-Options',
      ),
    ).toEqual(['text/html; charset=utf-8', POLICY, 'DENY', 'same-origin', 'nosniff']);
    expect(await response.text()).toMatch(/^<!doctype html><html lang="en">/);
  });

  it('a page of the docs is checked by its ETag, and has no body for HEAD', async () => {
    const response = await call(path);
    const [etag = '', kept] = headersOf(response, 'ETag', 'Cache-Control');
    expect([etag, kept]).toEqual([expect.stringMatching(/^"\w+"$/), 'public, max-age=0, must-revalidate']);
    await response.body?.cancel();
    const again = await call(path, { headers: { 'If-None-Match': etag ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await call(path, { method: 'HEAD' });
    expect([head.status, await head.text(), ...headersOf(head, 'ETag')]).toEqual([200, '', etag]);
  });

  it('a page of the docs refuses other methods', async () => {
    const response = await call(path, { method: 'POST' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('a page of the docs leaves its address on a custom domain to a link', async () => {
    const caller = await seedCaller();
    const custom_domain = await seedDomain(caller);
    expect((await call(`https://${custom_domain}${path}`, { headers: BROWSER })).status).toBe(404);
    await seedLink(caller, { slug: path.slice(1), custom_domain, url: 'https://example.com/own' });
    const found = await call(`https://${custom_domain}${path}`, { headers: BROWSER });
    expect([found.status, found.headers.get('Location')]).toEqual([302, 'https://example.com/own']);
  });
});

it('only the page with the client of the API viewer allows style elements', async () => {
  const response = await call('/docs/try');
  expect(headersOf(response, 'Content-Security-Policy', 'X-Frame-Options')).toEqual([
    POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
    'DENY',
  ]);
  await response.body?.cancel();
});

it.each([
  ['/docs/', '/docs'],
  ['/docs/links/', '/docs/links'],
  ['/docs/links.html', '/docs/links'],
  ['/docs/api/', '/docs/api'],
])('another address of a page of the docs is redirected: %s', async (path, to) => {
  const response = await call(path);
  expect([response.status, new URL(response.headers.get('Location') ?? '', ORIGIN).href]).toEqual([307, ORIGIN + to]);
});

it('an address below /docs without a page is a page for browsers, and JSON for programs', async () => {
  for (const path of ['/docs/none', '/docs/api/none', '/docs/a/b/c']) {
    const page = await call(path, { headers: BROWSER });
    expect([page.status, ...headersOf(page, 'Content-Type', 'Content-Security-Policy')]).toEqual([
      404,
      'text/html; charset=utf-8',
      POLICY,
    ]);
    expect(await page.text()).toContain('<h1>No such page</h1>');
    const json = await call(path, { headers: { Accept: 'application/json' } });
    expect([json.status, await json.json()]).toEqual([
      404,
      { result: 'Failed', error: 'not_found: There is nothing at this path.' },
    ]);
  }
});

describe('the head of a public page', () => {
  const contentOf = (text: string, name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(text)?.[1];

  it.each(['/', '/changelog', '/platform/sign-in'])(
    'the head of a public page has a description, a card and a canonical address, with the public origin: %s',
    async (path) => {
      const text = await (await call(`${path}?utm_source=x`, { headers: BROWSER })).text();
      expect(contentOf(text, 'description')).toMatch(/^\w.{30,160}\.$/);
      expect(contentOf(text, 'og:description')).toBe(contentOf(text, 'description'));
      expect(contentOf(text, 'og:title')).toBe(/<title>([^<]*)</.exec(text)?.[1]);
      expect(text).toContain(`<link rel="canonical" href="${ORIGIN}${path}"/>`);
      expect(contentOf(text, 'og:url')).toBe(ORIGIN + path);
      expect(text).not.toContain('noindex');
      const image = await call(contentOf(text, 'og:image') ?? '');
      expect([image.status, image.headers.get('Content-Type')]).toEqual([200, 'image/png']);
      await image.body?.cancel();
    },
  );

  it('the head of a public page has the origin of the request while the service has none of its own', async () => {
    const text = await (await call('http://localhost:8787/changelog', { headers: BROWSER })).text();
    expect(text).toMatch(/<link rel="canonical" href="(?:http:\/\/localhost:8787|https:\/\/terse\.test)\/changelog"/);
  });

  it.each(PAGES)('the head of a file has addresses without an origin, unless the deploy knows it: %s', async (path) => {
    const text = await (await call(path)).text();
    expect(contentOf(text, 'description')).toMatch(/^.{30,165}$/);
    expect(text).toContain(`<link rel="canonical" href="${path}"/>`);
    const image = await call(contentOf(text, 'og:image') ?? '');
    expect([image.status, image.headers.get('Content-Type')]).toEqual([200, 'image/png']);
    await image.body?.cancel();
  });
});
