import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { countQueries } from '../support/d1.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const REDIRECT_HEADERS = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' };

describe('a living link', () => {
  it.each(['GET', 'HEAD'])('a living link gives %s 302, its target, and nothing else', async (method) => {
    const link = await seedLink(await seedTenant(), { url: 'https://example.com/a?b=c#d' });
    const response = await call(`/${link.id}`, { method });
    expect(response.status).toBe(302);
    expect(Object.fromEntries(response.headers)).toEqual({
      ...REDIRECT_HEADERS,
      location: 'https://example.com/a?b=c#d',
      // Because the public origin is https.
      'strict-transport-security': 'max-age=31536000',
    });
    expect(await response.text()).toBe('');
  });

  it('a living link leads to its own target, however many others are served at the same time', async () => {
    const tenant = await seedTenant();
    const urls = Array.from({ length: 5 }, (_, index) => `https://example.com/${index}`);
    const links = await Promise.all(urls.map((url) => seedLink(tenant, { url })));
    const isolate = openIsolate();
    for (const _ of ['from the stores', 'from memory']) {
      const responses = await Promise.all(links.map(({ id }) => isolate(`/${id}`)));
      expect(responses.map(({ headers }) => headers.get('Location'))).toEqual(urls);
    }
  });

  it('a living link ignores trailing slashes', async () => {
    const link = await seedLink(await seedTenant());
    expect((await call(`/${link.id}/`)).status).toBe(302);
    expect((await call(`/${link.id}//`)).status).toBe(302);
  });

  it('a living link is found by a percent-encoded spelling of its slug, decoded once', async () => {
    const link = await seedLink(await seedTenant());
    const hex = link.id.charCodeAt(0).toString(16);
    expect((await call(`/%${hex}${link.id.slice(1)}`)).status).toBe(302);
    expect((await call(`/%25${hex}${link.id.slice(1)}`)).status).toBe(404);
  });

  it('a living link leads where its owner said, whatever the visitor adds', async () => {
    const link = await seedLink(await seedTenant(), { url: 'https://example.com/' });
    const evil = 'https://evil.example/';
    const response = await call(`/${link.id}?url=${evil}&Location=${evil}&redirect=${evil}`, {
      headers: { 'X-Forwarded-Host': 'evil.example', Referer: evil, 'X-Original-URL': evil },
    });
    expect(response.headers.get('Location')).toBe('https://example.com/');
  });

  it('a living link redirects the navigation of a browser', async () => {
    const link = await seedLink(await seedTenant());
    const headers = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    expect((await call(`/${link.id}`, { headers })).status).toBe(302);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'a living link refuses %s with 405 and asks no store',
    async (method) => {
      const link = await seedLink(await seedTenant());
      const [kv, d1] = [vi.spyOn(env.LINKS, 'get'), await countQueries()];
      const response = await call(`/${link.id}`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe('GET, HEAD');
      expect(await response.json()).toEqual({
        result: 'Failed',
        error: 'method_not_allowed: A short link answers GET and HEAD only.',
      });
      expect([kv.mock.calls, d1()]).toEqual([[], { primary: 0, nearest: 0 }]);
    },
  );
});

describe('an address without a link', () => {
  it('an address without a link is 404, as JSON for a program', async () => {
    const response = await call('/nosuchid');
    expect(response.status).toBe(404);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Vary')).toBe('Accept');
    expect(await response.json()).toEqual({
      result: 'Failed',
      error: 'not_found: There is no short link at this address.',
    });
  });

  it('an address without a link is 404, as a small page for a browser', async () => {
    const response = await call('/nosuchid', { headers: { Accept: 'text/html,application/xhtml+xml' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const page = await response.text();
    expect(page).toContain('<title>Link not found</title>');
    expect(page).not.toContain('nosuchid');
  });

  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=UTF-8'],
    ['TEXT/HTML', 'text/html; charset=UTF-8'],
    ['text/*', 'text/html; charset=UTF-8'],
    ['application/json;q=0.1, text/html;q=0.2', 'text/html; charset=UTF-8'],
    ['text/html;q=0', 'application/json'],
    ['text/html;q=0, */*', 'application/json'],
    ['text/html;q=0.1, application/json', 'application/json'],
    ['text/html;level=1', 'text/html; charset=UTF-8'],
    ['application/json, text/html', 'application/json'],
    ['text/html-sandboxed', 'application/json'],
    ['image/*', 'application/json'],
    ['*/*', 'application/json'],
    ['', 'application/json'],
  ])('an address without a link is for Accept: %s a response of %s', async (accept, type) => {
    const response = await call('/nosuchid', { headers: { Accept: accept } });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([404, type]);
  });

  it('an address without a link is 404 without a body for HEAD', async () => {
    const response = await call('/nosuchid', { method: 'HEAD', headers: { Accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
  });

  it.each([
    '/a.b',
    '/%zz',
    '/%00',
    '/%F0%9F%98%80',
    '/a%2Fb',
    '/a%20b',
    '/a+b',
    '/.env',
    '/wp-login.php',
    '/no/such/page',
    '//evil.example',
    `/${'x'.repeat(65)}`,
    '/pricing',
    '/TOKENS',
    '/robots',
  ])('an address without a link asks no store where the path can be no slug: %s', async (path) => {
    const [kv, d1] = [vi.spyOn(env.LINKS, 'get'), await countQueries()];
    const response = await call(`https://terse.test${path}`);
    expect(response.status).toBe(404);
    expect([kv.mock.calls, d1()]).toEqual([[], { primary: 0, nearest: 0 }]);
  });
});

describe('a link that ended', () => {
  const end = (column: string, id: string, at: number) =>
    env.DB.prepare(`UPDATE links SET ${column} = ?2 WHERE id = ?1`).bind(id, at).run();

  it.each(['deleted_at', 'disabled_at', 'expires_at'])(
    'a link that ended is 410 once %s has passed',
    async (column) => {
      const link = await seedLink(await seedTenant());
      await end(column, link.id, Date.now() - 1);
      const response = await call(`/${link.id}`);
      expect(response.status).toBe(410);
      expect(response.headers.get('Location')).toBeNull();
      expect(await response.json()).toEqual({
        result: 'Failed',
        error: 'gone: This short link is no longer available.',
      });
      const page = await call(`/${link.id}`, { headers: { Accept: 'text/html' } });
      expect(page.status).toBe(410);
      expect(await page.text()).toContain('<h1>This link is no longer available</h1>');
    },
  );

  it('a link that ended ends at its very millisecond, also where it is served from memory', async () => {
    const link = await seedLink(await seedTenant());
    const expiresAt = Date.now() + 5_000;
    await end('expires_at', link.id, expiresAt);
    expect((await call(`/${link.id}`)).status).toBe(302);
    vi.setSystemTime(expiresAt - 1);
    expect((await call(`/${link.id}`)).status).toBe(302);
    vi.setSystemTime(expiresAt);
    expect((await call(`/${link.id}`)).status).toBe(410);
  });
});
