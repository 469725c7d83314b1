import { describe, expect, it } from 'vitest';
import { seedDomain, seedTenant } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';
import { ledTo } from '../support/visits.ts';

/** The root and the not-found page of the service's own host, where its operator has pages elsewhere. */

const ROOT_URL = 'https://www.example.com/';
const NOT_FOUND_URL = 'https://www.example.com/lost?from=go';
const BROWSER = { headers: { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' } };
const PROGRAM = { headers: { Accept: 'application/json' } };

describe('the operator’s pages', () => {
  it('the operator’s pages are where a browser is redirected from the root and from addresses without a link', async () => {
    const isolate = openIsolate({ ROOT_URL, NOT_FOUND_URL });
    expect(ledTo(await isolate('/', BROWSER))).toEqual([302, ROOT_URL]);
    for (const path of ['/unknown', '/no/such/page', '/wp-login.php', '/unknown.']) {
      const response = await isolate(path, BROWSER);
      expect([path, ...ledTo(response), await response.text()]).toEqual([path, 302, NOT_FOUND_URL, '']);
      const { 'cache-control': cache, 'x-robots-tag': robots, vary } = Object.fromEntries(response.headers);
      expect({ cache, robots, vary }).toEqual({ cache: 'private, no-store', robots: 'noindex', vary: 'Accept' });
    }
  });

  it('the operator’s pages change nothing for programs, for other statuses, and for custom domains', async () => {
    const isolate = openIsolate({ ROOT_URL, NOT_FOUND_URL });
    const host = await seedDomain(await seedTenant());
    const root = await isolate('/', PROGRAM);
    expect([root.status, await root.json()]).toEqual([200, expect.objectContaining({ service: 'Terse' })]);
    const unknown = await isolate('/unknown', PROGRAM);
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { result: 'Failed', error: 'not_found: There is no short link at this address.' },
    ]);
    expect((await isolate('/unknown', { ...BROWSER, method: 'PUT' })).status).toBe(405);
    for (const path of ['/', '/unknown']) expect((await isolate(`https://${host}${path}`, BROWSER)).status).toBe(404);
    expect((await isolate('/docs', BROWSER)).status).toBe(200);
  });

  it.each(['/help', '/Login', '/about.html', '/contact/us', '/api.'])(
    'the operator’s pages are for browsers at a reserved word without an endpoint too: %s',
    async (path) => {
      expect(ledTo(await openIsolate({ NOT_FOUND_URL })(path, BROWSER))).toEqual([302, NOT_FOUND_URL]);
      const page = await openIsolate()(path, BROWSER);
      const type = page.headers.get('Content-Type');
      expect([page.status, type, await page.text()]).toEqual([
        404,
        'text/html; charset=UTF-8',
        expect.stringContaining('<p class="status">404</p>'),
      ]);
    },
  );

  it('the operator’s pages hide no endpoint of the API from browsers', async () => {
    const isolate = openIsolate({ NOT_FOUND_URL });
    const { paths } = await (await isolate('/openapi.json')).json<{ paths: object }>();
    const own = Object.keys(paths).filter((path) => !path.startsWith('/{'));
    expect(own.length).toBeGreaterThan(40);
    for (const path of own) {
      const [, location] = ledTo(await isolate(path.replaceAll(/[{}]/g, ''), BROWSER));
      expect([path, location]).not.toEqual([path, NOT_FOUND_URL]);
    }
  });

  it.each([
    ['/help', PROGRAM],
    ['/help', {}],
    ['/help', { ...BROWSER, method: 'POST' }],
    ['/v1/nothing', BROWSER],
    ['/tokens/nothing', BROWSER],
    ['/info/nothing', BROWSER],
    ['/.well-known/nothing', BROWSER],
  ])('the operator’s pages leave the 404 of the API as it is: %s, %j', async (path, init) => {
    const response = await openIsolate({ NOT_FOUND_URL })(path, init);
    expect([response.status, await response.json()]).toEqual([
      404,
      { result: 'Failed', error: 'not_found: There is nothing at this path.' },
    ]);
  });

  it('the operator’s pages are those of the service where none are set', async () => {
    const isolate = openIsolate();
    expect((await isolate('/', BROWSER)).status).toBe(200);
    expect((await isolate('/unknown', BROWSER)).status).toBe(404);
  });
});
