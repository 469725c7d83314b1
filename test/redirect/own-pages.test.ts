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

  it('the operator’s pages are those of the service where none are set', async () => {
    const isolate = openIsolate();
    expect((await isolate('/', BROWSER)).status).toBe(200);
    expect((await isolate('/unknown', BROWSER)).status).toBe(404);
  });
});
