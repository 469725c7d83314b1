import { describe, expect, it } from 'vitest';
import { assetPath, respondWithAsset } from '../../src/http/assets.ts';
import { openBrowser } from '../support/platform.ts';
import { seedCaller } from '../support/forms.ts';
import { seedDomain } from '../support/seed.ts';
import { call, loadSurfaces, openIsolate, ORIGIN } from '../support/service.ts';

/** The files for browsers, by their own names and by the hashes of their content. */

const CACHED = 'public, max-age=31536000, immutable';

describe('a file by its hash', () => {
  it.each(['platform.css', 'page.css', 'platform.js', 'icon.svg', 'world.svg'])(
    'a file by its hash is kept for a year, and is %s',
    async (name) => {
      const path = assetPath(name);
      expect(path).toMatch(/^\/assets\/[a-z]+\.[0-9a-f]{10}\.[a-z]+$/);
      const [hashed, plain] = await Promise.all([call(path), call(`/assets/${name}`)]);
      expect([hashed.status, hashed.headers.get('Cache-Control')]).toEqual([200, CACHED]);
      expect(hashed.headers.get('Content-Type')).toBe(plain.headers.get('Content-Type'));
      expect(await hashed.text()).toBe(await plain.text());
    },
  );

  it('a file by the hash of another version has the present content, which is not kept', async () => {
    const answer = await call('/assets/platform.0123456789.css');
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/css/);
    expect(await answer.text()).toBe(await (await call('/assets/platform.css')).text());
  });

  it('a file by its hash is there for HEAD and on custom domains, and not for other methods', async () => {
    const path = assetPath('page.css');
    const host = await seedDomain(await seedCaller());
    expect((await call(`https://${host}${path}`)).headers.get('Cache-Control')).toBe(CACHED);
    const head = await call(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('Cache-Control'), await head.text()]).toEqual([200, CACHED, '']);
    for (const method of ['POST', 'OPTIONS', 'COPY', 'PROPFIND'])
      for (const known of [path, '/assets/page.css', '/assets/none.css']) {
        const refused = await call(known, { method });
        expect([method, refused.status, refused.headers.get('Allow')]).toEqual([method, 405, 'GET, HEAD']);
        expect(await refused.json()).toEqual({
          result: 'Failed',
          error: 'method_not_allowed: This file answers GET and HEAD only.',
        });
      }
  });

  it.each(['/assets/none.0123456789.css', '/assets/none.css', '/assets/platform.0123456789', '/assets/'])(
    'a file by its hash is not found at %s',
    async (path) => {
      const answer = await call(path);
      expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([404, null]);
    },
  );
});

it('the style sheet of the colour of an operator has its shades, and no other colour has one', async () => {
  const isolate = openIsolate({ BRAND_COLOUR: '#5b21b6' });
  const answer = await isolate('/assets/brand.5b21b6.css');
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/css; charset=UTF-8']);
  expect(await answer.text()).toMatch(/^:root\{--logo:light-dark\(#5b21b6,#5b21b6\);--green:light-dark\(#5b21b6,#/);
  expect((await isolate('/assets/brand.aa0000.css')).status).toBe(404);
  expect((await call('/assets/brand.5b21b6.css')).status).toBe(404);
});

it.each(['/assets/brand-logo.svg', '/assets/brand-logo.0123456789.svg'])(
  "an operator's logo runs nothing where it is opened by itself: %s",
  async (path) => {
    const files = { fetch: () => Promise.resolve(new Response('<svg/>')) };
    const answer = await respondWithAsset(new Request(ORIGIN + path), path, files as unknown as Fetcher);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    });
  },
);

it('files keep their own names, which are checked at each request', async () => {
  for (const name of ['openapi.json', 'icon.svg', 'favicon.ico', 'platform.css']) {
    const answer = await call(`/assets/${name}`);
    expect([name, answer.status]).toEqual([name, 200]);
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
    await answer.body?.cancel();
  }
});

it('all files of a page are named by their hash', async () => {
  await loadSurfaces();
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const pages = [
    browse(`/platform/c/${caller.clientId}/links`),
    call('/'),
    call('/docs'),
    call('/no-such-link', { headers: { Accept: 'text/html' } }),
  ];
  for (const page of await Promise.all(pages)) {
    const files = [...(await page.text()).matchAll(/(?:src|href)="(\/assets\/[^"#]*)["#]/g)].map(
      ([, path = '']) => path,
    );
    expect(files.length).toBeGreaterThan(1);
    for (const path of files) {
      expect(path).toMatch(/\.[0-9a-f]{10}\.\w+(?:#[\w-]+)?$/);
      const answer = await call(`${ORIGIN}${path}`);
      expect([path, answer.headers.get('Cache-Control')]).toEqual([path, CACHED]);
      await answer.body?.cancel();
    }
  }
});
