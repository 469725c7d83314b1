import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { blockHost } from '../../../src/targets/blocklist.ts';
import { foundIn, HTML, lookUp, lookUpPatiently, openLookups, setLookupTimeout } from '../../support/lookups.ts';
import { failed } from '../../support/manage.ts';
import { openOrigin, type Page } from '../../support/origins.ts';
import { contentOfTables, db, seedDomain, seedTenant } from '../../support/seed.ts';
import { seedHost } from '../../support/webhook-owners.ts';

lookUpPatiently();

const NOTHING = { title: null, description: null, image: null };
const SALE = { headers: HTML, body: '<head><title>Sale</title></head>' };

describe('a look-up of a destination', () => {
  it('gives back the status and three texts, and stores nothing', async () => {
    const caller = await openLookups();
    const origin = await openOrigin({
      '/a?b=c': {
        headers: { ...HTML, 'Set-Cookie': 'a=b', 'X-Secret': 'x', Link: '</x>; rel=preload' },
        body: '<title>Sale</title><meta name="description" content="All of it."><meta property="og:image" content="i.png">',
      },
    });
    const before = await contentOfTables();
    const { status, body, headers } = await lookUp(caller, `${origin.url}/a?b=c#d`);
    expect([status, body]).toEqual([
      200,
      { status: 200, title: 'Sale', description: 'All of it.', image: `${origin.url}/i.png` },
    ]);
    expect([headers.get('Cache-Control'), headers.get('Set-Cookie'), headers.get('X-Secret')]).toEqual([
      'no-store',
      null,
      null,
    ]);
    expect(await contentOfTables()).toEqual(before);
  });

  it('sends the name of the crawler, and neither a cookie nor a referrer', async () => {
    const caller = await openLookups();
    const origin = await openOrigin({
      '/a': { status: 302, headers: { Location: '/b', 'Set-Cookie': 'a=b; Path=/' } },
      '/b': SALE,
    });
    expect((await lookUp(caller, `${origin.url}/a`)).body).toMatchObject({ status: 200, title: 'Sale' });
    const requests = await origin.requests();
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /robots.txt',
      'GET /a',
      'GET /robots.txt',
      'GET /b',
    ]);
    for (const { headers } of requests) {
      expect(headers['user-agent']).toBe('Mozilla/5.0 (compatible; TerseBot/1; +https://terse.test/)');
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie']));
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['referer']));
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['authorization']));
    }
  });

  it.each<[what: string, page: Page, status: number]>([
    ['404', { ...SALE, status: 404 }, 404],
    ['503', { ...SALE, status: 503 }, 503],
    ['a challenge', { ...SALE, status: 403, headers: { ...HTML, 'cf-mitigated': 'challenge' } }, 403],
    ['204', { status: 204 }, 204],
    ['a text', { ...SALE, headers: { 'Content-Type': 'text/plain' } }, 200],
    ['an image', { ...SALE, headers: { 'Content-Type': 'image/svg+xml' } }, 200],
    ['a body without a type', { body: '<title>Sale</title>' }, 200],
    ['a redirect to an app', { status: 302, headers: { Location: 'market://details?id=x' } }, 302],
    ['a redirect to a file', { status: 302, headers: { Location: 'file:///etc/passwd' } }, 302],
    ['a redirect to data', { status: 302, headers: { Location: 'data:text/html,<title>Sale</title>' } }, 302],
    ['a redirect without a destination', { ...SALE, status: 302 }, 302],
    ['a circle of redirects', { status: 307, headers: { Location: '/a' } }, 307],
  ])('%s has a status and no texts', async (_, page, status) => {
    expect(await foundIn(page)).toEqual({ status, ...NOTHING });
  });

  it.each([301, 302, 303, 307, 308])('a redirect with the status %s is followed', async (status) => {
    const caller = await openLookups();
    const origin = await openOrigin({ '/a': { status, headers: { Location: '/b' } }, '/b': SALE });
    expect((await lookUp(caller, `${origin.url}/a`)).body).toMatchObject({ status: 200, title: 'Sale' });
  });

  it.each([300, 304, 305, 306])('the status %s with a `Location` is no redirect', async (status) => {
    const caller = await openLookups();
    const origin = await openOrigin({ '/a': { status, headers: { Location: '/b' } }, '/b': SALE });
    expect((await lookUp(caller, `${origin.url}/a`)).body).toEqual({ status, ...NOTHING });
  });

  it('five redirects are followed, and no more', async () => {
    const caller = await openLookups();
    const to = (path: string): Page => ({ status: 301, headers: { Location: path } });
    const origin = await openOrigin({
      '/0': to('/1'),
      '/1': to('/2'),
      '/2': to('/3'),
      '/3': to('/4'),
      '/4': to('/5'),
      '/5': to('/6'),
      '/6': SALE,
    });
    expect((await lookUp(caller, `${origin.url}/1`)).body).toMatchObject({ status: 200, title: 'Sale' });
    expect((await lookUp(caller, `${origin.url}/0`)).body).toEqual({ status: 301, ...NOTHING });
  });
});

describe('a destination that cannot be read', () => {
  it('a server that closes the connection, and one that has ended, are unreachable', async () => {
    const caller = await openLookups();
    const [closing, ended] = [await openOrigin({ '/a': { ends: true } }), await openOrigin()];
    await ended.end();
    for (const url of [`${closing.url}/a`, `${ended.url}/a`, `https://127.0.0.1:${closing.port}/a`]) {
      const { status, body } = await lookUp(caller, url);
      expect([status, body]).toEqual([400, failed('destination_unreachable')]);
    }
  });

  it.each<[what: string, page: Page]>([
    ['a response that does not begin', { ...SALE, afterMs: 60_000 }],
    ['a head that does not end', { headers: HTML, body: '<head><title>Sale</title>', afterwards: 'hangs' }],
    ['a robots.txt that does not begin', { afterMs: 60_000 }],
  ])('%s is too slow, after three seconds', async (what, page) => {
    const caller = await openLookups();
    setLookupTimeout(3000);
    const isOfRobots = what.includes('robots');
    const origin = await openOrigin(isOfRobots ? { '/robots.txt': page, '/a': SALE } : { '/a': page });
    const before = Date.now();
    const { status, body } = await lookUp(caller, `${origin.url}/a`);
    expect([status, body]).toEqual([400, failed('destination_too_slow')]);
    expect(Date.now() - before).toBeGreaterThanOrEqual(2900);
  });

  it('what follows the head is not waited for', async () => {
    expect(await foundIn({ ...SALE, afterwards: 'hangs' })).toEqual({ status: 200, ...NOTHING, title: 'Sale' });
    const early = {
      headers: { 'Content-Type': 'text/html' },
      body: '<title>Sale</title><body>',
      afterwards: 'hangs',
    } as const;
    expect(await foundIn(early)).toEqual({ status: 200, ...NOTHING, title: 'Sale' });
  });

  it('no more than 256 KiB are read, of an endless page and of a compressed one', async () => {
    const filler = `<!-- ${'x'.repeat(64 * 1024)} -->`;
    const late = `<head>${filler.repeat(4)}<title>Late</title></head>`;
    const found = { status: 200, ...NOTHING };
    expect(await foundIn({ headers: HTML, body: late })).toEqual(found);
    expect(
      await foundIn({ headers: HTML, body: `<meta name="a" content="b">${'x'.repeat(4096)}`, afterwards: 'repeats' }),
    ).toEqual(found);
    const bomb = gzipSync(
      `<title>Sale</title>${' '.repeat(64 * 1024 * 1024)}<meta property="og:title" content="Late">`,
    );
    expect(bomb.length).toBeLessThan(256 * 1024);
    const packed = { headers: { ...HTML, 'Content-Encoding': 'gzip' }, base64: bomb.toString('base64') };
    expect(await foundIn(packed)).toEqual({ ...found, title: 'Sale' });
  });

  it.each([
    ['an attribute', `<title>Sale</title><meta name="description" content="${'x'.repeat(200_000)}">`],
    ['a tag', `<title>Sale</title><meta ${'a="b" '.repeat(40_000)}>`],
    ['a depth', `<title>Sale</title>${'<div>'.repeat(50_000)}`],
    ['a title', `<title>Sale ${'x'.repeat(250_000)}</title>`],
  ])('%s without end does no harm', async (_, page) => {
    const { status, title } = await foundIn({ headers: HTML, body: page });
    expect([status, String(title).slice(0, 4)]).toEqual([200, 'Sale']);
  });

  it('a response with headers without end is no failure of this service', async () => {
    const caller = await openLookups();
    const headers = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, 'x'.repeat(8000)]));
    const origin = await openOrigin({ '/a': { ...SALE, headers: { ...HTML, ...headers } } });
    const { status, body } = await lookUp(caller, `${origin.url}/a`);
    if (status === 200) expect(body).toEqual({ status: 200, ...NOTHING, title: 'Sale' });
    else expect([status, body]).toEqual([400, failed('destination_unreachable')]);
  });
});

describe('the wishes of a host', () => {
  it('robots.txt closes a page to the crawler, and what a redirect leads to', async () => {
    const caller = await openLookups();
    const closed = { '/robots.txt': { body: 'User-agent: TerseBot\nDisallow: /b' }, '/a': SALE, '/b': SALE };
    const [origin, other] = [await openOrigin(closed), await openOrigin()];
    await other.change({ '/a': { status: 302, headers: { Location: `${origin.url}/b` } } });
    expect((await lookUp(caller, `${origin.url}/a`)).body).toMatchObject({ title: 'Sale' });
    for (const url of [`${origin.url}/b`, `${other.url}/a`]) {
      const { status, body } = await lookUp(caller, url);
      expect([status, body]).toEqual([400, failed('destination_closed')]);
    }
    expect(await origin.lines()).not.toContain('GET /b');
  });

  it('a host that asks to wait is left alone until then', async () => {
    const caller = await openLookups();
    const origin = await openOrigin({ '/a': { status: 503, headers: { 'Retry-After': '600' } } });
    expect((await lookUp(caller, `${origin.url}/a`)).body).toEqual({ status: 503, ...NOTHING });
    const asked = await origin.lines();
    const { status, body, headers } = await lookUp(caller, `${origin.url}/b`);
    expect([status, body]).toEqual([429, failed('too_many_requests')]);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(500);
    expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(600);
    expect(await origin.lines()).toEqual(asked);
  });
});

describe('a host that is not requested', () => {
  const internal = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.1'];

  it.each([
    ['http://127.0.0.1:8787/', 'invalid_url'],
    ['http://localhost/', 'invalid_url'],
    ['http://[::1]/', 'invalid_url'],
    ['http://2130706433/', 'invalid_url'],
    ['http://0x7f.1/', 'invalid_url'],
    ['http://10.0.0.1/', 'invalid_url'],
    ['http://169.254.169.254/latest/meta-data/', 'invalid_url'],
    ['http://[fd00:ec2::254]/', 'invalid_url'],
    ['http://[::ffff:169.254.169.254]/', 'invalid_url'],
    ['http://[64:ff9b::a00:1]/', 'invalid_url'],
    ['http://printer.local/', 'invalid_url'],
    ['http://intranet/', 'invalid_url'],
    ['https://no-such-name.example/', 'invalid_url'],
    ['https://example.com:6379/', 'invalid_url'],
    ['https://terse.test/a', 'own_host'],
    ['https://terse.test:8443/a', 'own_host'],
    ['ftp://example.com/', 'invalid_url'],
    ['javascript:alert(1)', 'invalid_url'],
    ['https://user:secret@example.com/', 'invalid_url'],
    ['https://https://example.com/', 'invalid_url'],
    [`https://example.com/${'a'.repeat(8192)}`, 'too_long'],
    ['', 'missing_field'],
    [7, 'invalid_url'],
  ])('%s is refused', async (url, code) => {
    const caller = await openLookups(undefined, { WEBHOOK_LOOPBACK: 'off' });
    const { status, body } = await lookUp(caller, url);
    expect([status, body]).toEqual([400, failed(code)]);
    expect(body['error']).toMatch(/\burl\b/);
  });

  it.each(internal)('a name with the address %s, alone or among public ones, is refused', async (address) => {
    const caller = await openLookups();
    const type = address.includes(':') ? 'aaaa' : 'a';
    for (const host of [
      await seedHost({ [type]: [address] }),
      await seedHost({ a: ['8.8.8.8'], [type]: [address, ...(type === 'a' ? ['8.8.8.8'] : [])] }),
    ]) {
      const { status, body } = await lookUp(caller, `https://${host}/`);
      expect([status, body]).toEqual([400, failed('invalid_url')]);
    }
  });

  it('a redirect is checked as the first URL is', async () => {
    const caller = await openLookups();
    const inner = await seedHost({ a: ['10.0.0.1'] });
    const blocked = await seedHost({ a: ['8.8.8.8'] });
    await blockHost(db, blocked);
    const cases = [
      ['http://10.0.0.1/', 'invalid_url'],
      ['//169.254.169.254/', 'invalid_url'],
      [`https://${inner}/`, 'invalid_url'],
      ['https://no-such-name.example/', 'invalid_url'],
      ['https://terse.test/', 'own_host'],
      [`https://www.${blocked}/`, 'blocked_host'],
    ] as const;
    const site = Object.fromEntries(
      cases.map(([location], index): [string, Page] => [`/${index}`, { status: 302, headers: { Location: location } }]),
    );
    const origin = await openOrigin(site);
    for (const [index, [, code]] of cases.entries()) {
      const { status, body } = await lookUp(caller, `${origin.url}/${index}`);
      expect([status, body]).toEqual([400, failed(code)]);
    }
  });

  it('a robots.txt that redirects into a private network is as one that does not exist', async () => {
    const caller = await openLookups();
    const origin = await openOrigin({
      '/robots.txt': { status: 302, headers: { Location: 'http://10.0.0.1/robots.txt' } },
      '/a': SALE,
    });
    expect((await lookUp(caller, `${origin.url}/a`)).body).toMatchObject({ title: 'Sale' });
  });

  it('a name server that fails is an outage of DNS', async () => {
    const caller = await openLookups();
    const host = await seedHost({ rcode: 'SERVFAIL' });
    const { status, body } = await lookUp(caller, `https://${host}/`);
    expect([status, body]).toEqual([503, failed('resolver_unavailable')]);
  });

  it('a custom domain of the service is refused', async () => {
    const host = await seedDomain(await seedTenant());
    const caller = await openLookups();
    const { status, body } = await lookUp(caller, `https://${host}/`);
    expect([status, body]).toEqual([400, failed('own_host')]);
  });

  it('a host that the operator has blocked, and one below it, are refused', async () => {
    const caller = await openLookups();
    const host = await seedHost({ a: ['8.8.8.8'] });
    await blockHost(db, host);
    for (const url of [`https://${host}/`, `https://www.${host}/`]) {
      const { status, body } = await lookUp(caller, url);
      expect([status, body]).toEqual([400, failed('blocked_host')]);
    }
  });
});

describe('the caller of a look-up', () => {
  it('needs a credential that can create links', async () => {
    const caller = await openLookups();
    const origin = await openOrigin({ '/a': SALE });
    const url = `${origin.url}/a`;
    expect(await lookUp(caller, url, {})).toMatchObject({ status: 401, body: failed('missing_credential') });
    expect(await lookUp(caller, url, { 'X-API-Key': 'tk_a_b' })).toMatchObject({ status: 401 });
    const scopes = { name: 'reader', scopes: ['links:read', 'stats:read'] };
    const reader = await caller.ask<{ key: string }>('POST', '/v1/keys', scopes);
    expect(await lookUp(caller, url, { 'X-API-Key': reader.body.key })).toMatchObject({
      status: 403,
      body: failed('insufficient_scope'),
    });
    expect(await origin.lines()).toEqual([]);
    expect(await lookUp(caller, url, caller.key)).toMatchObject({ status: 200 });
  });

  it('can look up ten destinations a minute', async () => {
    const caller = await openLookups(undefined, { CREATE_LIMITING: 'on' });
    const origin = await openOrigin({ '/a': SALE });
    const url = `${origin.url}/a`;
    const found = [];
    for (let n = 0; n < 21; n++) found.push(await lookUp(caller, url));
    // A minute may begin in between.
    const refused = found.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(found.slice(0, 10).filter(({ status }) => status === 429)).toEqual([]);
    const [{ body, headers } = { body: {}, headers: new Headers() }] = refused;
    expect(body).toEqual({
      result: 'Failed',
      error: 'too_many_requests: This credential looks up destinations too often. Wait a minute, then try again.',
    });
    expect(headers.get('Retry-After')).toMatch(/^[1-9]\d?$/);
  });

  it('can use no other method', async () => {
    const caller = await openLookups();
    const response = await caller.ask('GET', '/v1/links/lookup');
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});
