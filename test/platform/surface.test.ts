import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { breakD1, D1_FAULTS, endFaults, loseResponses } from '../support/faults.ts';
import { seedCaller } from '../support/forms.ts';
import { form, openBrowser, PAGE_HEADERS, pageHeadersAt, pageHeadersOf } from '../support/platform.ts';
import { db, seedDomain } from '../support/seed.ts';
import { call, ORIGIN } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const NO_ORIGIN = { method: 'POST', body: new URLSearchParams({ tz: 'Europe/Paris' }) };

describe('a form', () => {
  it.each<[string, Record<string, string>]>([
    ['no Origin', {}],
    ['the Origin null', { Origin: 'null' }],
    ['the Origin of another site', { Origin: 'https://evil.example' }],
    ['the Origin of another scheme', { Origin: 'http://terse.test' }],
    ['the Origin of another port', { Origin: 'https://terse.test:8443' }],
    ['the Origin of a longer name', { Origin: 'https://terse.test.evil.example' }],
    ['the Origin of a subdomain', { Origin: 'https://a.terse.test' }],
    ['only a Referer', { Referer: `${ORIGIN}/platform/account` }],
  ])('a form that comes with %s is refused, and changes nothing', async (_, headers) => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const response = await browse('/platform/account/time-zone', { ...NO_ORIGIN, headers });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('<h1>This form was sent from another website</h1>');
    const zone = await env.DB.prepare('SELECT time_zone FROM users WHERE id = ?')
      .bind(caller.userId)
      .first('time_zone');
    expect(zone).toBe('UTC');
    expect((await browse('/platform/sign-out', { method: 'POST', headers })).status).toBe(403);
    expect((await browse('/platform/account')).status).toBe(200);
  });

  it.each<[string, () => void, string | null]>([
    ['may have been saved', () => loseResponses(D1_FAULTS[0]!, 2), 'unconfirmed'],
    ['was not saved', () => breakD1(D1_FAULTS[0]!), null],
  ])('a form that %s in an outage lets a script know, and a browser not', async (_, fail, state) => {
    const { browse } = await openBrowser(await seedCaller());
    const { headers, ...init } = form({ tz: 'Europe/Paris' });
    for (const by of ['script', null]) {
      fail();
      const all = { ...Object.fromEntries(new Headers(headers)), ...(by && { 'Terse-Form': by }) };
      const response = await browse('/platform/account/time-zone', { ...init, headers: all });
      endFaults();
      expect([by, response.status, response.headers.get('Terse-Form')]).toEqual([by, 503, by && state]);
    }
  });

  it('a form whose address is opened as a page says where to go, without words of HTTP', async () => {
    const { browse } = await openBrowser(await seedCaller());
    const response = await browse('/platform/account/password');
    expect(response.status).toBe(405);
    expect(await response.text()).toContain('>This address only receives a form. Go back to the page of the form.</p>');
  });

  it('a form of our own Origin is taken', async () => {
    const { browse } = await openBrowser(await seedCaller());
    expect((await browse('/platform/account/time-zone', form({ tz: 'Europe/Paris' }))).status).toBe(303);
  });

  it.each<[number, string, RequestInit]>([
    [415, 'JSON', { body: '{}', headers: { 'Content-Type': 'application/json' } }],
    [415, 'a multipart form', { body: new FormData() }],
    [413, 'more than 64 KiB', { body: new URLSearchParams({ tz: 'x'.repeat(70_000) }) }],
    [400, 'a field twice', { body: new URLSearchParams('tz=UTC&tz=UTC') }],
    [400, 'a field of nobody', { body: new URLSearchParams('tz=UTC&more=1') }],
  ])('a form gets a page with %i for %s', async (status, _, init) => {
    const { browse } = await openBrowser(await seedCaller());
    const headers = { Origin: ORIGIN, ...Object.fromEntries(new Headers(init.headers)) };
    const response = await browse('/platform/account/time-zone', { ...init, method: 'POST', headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
  });
});

describe('every response', () => {
  it.each<[number, string, string, RequestInit]>([
    [200, 'a page', '/platform/account', {}],
    [200, 'the sign-in page', '/platform/sign-in?as=nobody', { headers: { Cookie: '' } }],
    [303, 'the page that asks for consent', '/oauth/authorize?client_id=none', { headers: { Cookie: '' } }],
    [200, 'the page that asks who its user is', '/platform/confirm', {}],
    [303, 'a redirect', '/platform', {}],
    [303, 'one that is not signed in', '/platform/account', { headers: { Cookie: '' } }],
    [400, 'a form with a fault', '/platform/account/time-zone', form({ tz: 'Nowhere' })],
    [403, 'a form of another site', '/platform/sign-out', { method: 'POST' }],
    [404, 'an unknown page', '/platform/none', {}],
    [404, "a client that is not the user's", '/platform/c/none', {}],
    [405, 'another method', '/platform/account', { ...form({}), method: 'PUT' }],
  ])('every response says %i with a strict policy, uncached and unframed, for %s', async (status, _, path, init) => {
    const { browse } = await openBrowser(await seedCaller());
    const response = await browse(path, init);
    expect(response.status).toBe(status);
    expect(pageHeadersOf(response)).toEqual(pageHeadersAt(path));
    expect(response.headers.get('X-Request-Id')).toMatch(/^[\w-]+$/);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
    const page = await response.text();
    expect(page).not.toMatch(
      /<style|style=|<script(?! type="module" src="\/assets\/(?:platform|passkeys)\.[0-9a-f]{10}\.js"><\/script>)|\son\w+=/,
    );
  });

  it('every response is 503 with Retry-After during an outage', async () => {
    const { browse } = await openBrowser(await seedCaller());
    vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is down'));
    const response = await browse('/platform/account');
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('5');
    expect(pageHeadersOf(response)).toEqual(PAGE_HEADERS);
    expect(await response.text()).toContain('<h1>The service is temporarily unavailable</h1>');
  });

  it('every response about another user’s client is that about one that does not exist', async () => {
    const stranger = await seedCaller();
    const { browse } = await openBrowser(await seedCaller());
    const pages = [await browse(`/platform/c/${stranger.clientId}`), await browse('/platform/c/none')];
    expect(pages.map(({ status }) => status)).toEqual([404, 404]);
    const [theirs, nobodys] = await Promise.all(pages.map((page) => page.text()));
    expect(theirs).toBe(nobodys);
  });
});

describe('the platform', () => {
  it('the platform does not exist on a custom domain', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const { cookie } = await openBrowser(caller);
    for (const path of ['/platform', '/platform/', '/platform/sign-in', `/platform/c/${caller.clientId}`]) {
      const response = await call(`https://${host}${path}`, { headers: { Cookie: cookie } });
      expect([path, response.status]).toEqual([path, 404]);
    }
  });

  it.each(['/platform/', '/platform/account/'])('the platform takes %s with its slash', async (path) => {
    const { browse } = await openBrowser(await seedCaller());
    expect((await browse(path)).status).toBeLessThan(400);
  });

  it('the platform shows a switcher to a user of several clients, and only those', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    expect(await (await browse(`/platform/c/${caller.clientId}`)).text()).not.toContain('Client: ');
    await addMember(db, caller.userName, `${caller.clientId}-two`);
    const page = await (await browse(`/platform/c/${caller.clientId}-two`)).text();
    expect(page).toContain(`href="/platform/c/${caller.clientId}"`);
    expect(page).toContain(`href="/platform/c/${caller.clientId}-two" aria-current="true"`);
  });
});
