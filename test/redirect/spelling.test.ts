import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { seedForwarding } from '../support/forwarding.ts';
import { failed, open, newSlug } from '../support/manage.ts';
import { seedDomain } from '../support/seed.ts';
import { openIsolate, ORIGIN, type Call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';
import { ledTo } from '../support/visits.ts';

/** Paths that are spelled otherwise than the slug of their link. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const URL_OF_LINK = 'https://example.com/there';
const FOUND = [302, URL_OF_LINK];
const ABSENT = [404, null];
const LINK = { url: URL_OF_LINK };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

async function seedOnDomain(slugs: readonly string[], fields: object = {}) {
  const manager = await open();
  const host = await seedDomain(manager.tenant);
  const ids: string[] = [];
  for (const slug of slugs) ids.push(await manager.make({ slug, url: URL_OF_LINK, custom_domain: host, ...fields }));
  return { manager, host, ids };
}

/** The outcome from the stores, and then from the memory of the isolate. */
async function twice(isolate: Call, url: string) {
  return [ledTo(await isolate(url)), ledTo(await isolate(url))];
}

describe('a path in another case', () => {
  it('a path in another case leads to the link of the service’s own host, without another hop', async () => {
    const { make } = await open();
    const slug = `Abc-${newSlug()}`;
    await make({ slug, url: URL_OF_LINK });
    for (const path of [slug, slug.toUpperCase(), slug.toLowerCase(), `${slug.toLowerCase()}/`])
      expect([path, ...(await twice(openIsolate({ MEMORY_SECONDS: '60' }), `/${path}`))]).toEqual([path, FOUND, FOUND]);
  });

  it.each([
    ['Sale', 'sale'],
    ['straße', 'STRASSE'],
    ['ÄB', '%C3%A4b'],
    ['❤', '%E2%9D%A4%EF%B8%8F'],
    ['❤\ufe0f', '%E2%9D%A4'],
    ['a/B/c', 'A/b/C'],
  ])('a path in another case leads to the link %s of a custom domain: %s', async (slug, path) => {
    const { host } = await seedOnDomain([slug]);
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    expect(await twice(isolate, `https://${host}/${path}`)).toEqual([FOUND, FOUND]);
  });

  it('a path in another case needs no store while the isolate remembers it', async () => {
    const { host } = await seedOnDomain(['Poster']);
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    expect((await isolate(`https://${host}/POSTER`)).status).toBe(302);
    const trips = await countTrips();
    for (const path of ['POSTER', 'Poster', 'POSTER?a=1'])
      expect((await isolate(`https://${host}/${path}`)).status).toBe(302);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('a path in another case has the new state as soon as its isolate has edited the link', async () => {
    const { make, tenant } = await open();
    const id = await make({ slug: newSlug(), url: URL_OF_LINK });
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    const headers = { 'X-API-Key': tenant.apiKey, 'Content-Type': 'application/json' };
    const { slug } = await (await isolate(`/v1/links/${id}`, { headers })).json<{ slug: string }>();
    expect(ledTo(await isolate(`/${slug.toLowerCase()}`))).toEqual(FOUND);
    const body = JSON.stringify({ url: 'https://example.com/new' });
    expect((await isolate(`/v1/links/${id}`, { method: 'PATCH', headers, body })).status).toBe(200);
    expect(ledTo(await isolate(`/${slug.toLowerCase()}`))).toEqual([302, 'https://example.com/new']);
  });

  it('a path in another case is another one on a case-sensitive domain, where only selectors are ignored', async () => {
    const { manager, host } = await seedOnDomain([]);
    await env.DB.prepare('UPDATE domains SET case_sensitive = 1 WHERE host = ?').bind(host).run();
    for (const slug of ['Sale', '❤']) await manager.make({ slug, url: URL_OF_LINK, custom_domain: host });
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    const outcomes = await Promise.all(
      ['Sale', 'SALE', 'sale', '%E2%9D%A4%EF%B8%8F'].map(async (path) =>
        ledTo(await isolate(`https://${host}/${path}`)),
      ),
    );
    expect(outcomes).toEqual([FOUND, ABSENT, ABSENT, FOUND]);
  });

  it('a path in another case has the pages and statuses of the link', async () => {
    const { make } = await open();
    const slug = newSlug();
    const past = '2020-01-01T00:00:00Z';
    await make({ slug, url: URL_OF_LINK, expires_at: '2099-01-01T00:00:00Z', preview: { title: 'Sale' } });
    await env.DB.prepare('UPDATE links SET expires_at = ? WHERE slug = ?').bind(Date.parse(past), slug).run();
    expect((await openIsolate()(`/${slug.toLowerCase()}`)).status).toBe(410);
    await env.DB.prepare('UPDATE links SET expires_at = NULL WHERE slug = ?').bind(slug).run();
    const program = { headers: { 'User-Agent': 'facebookexternalhit/1.1' } };
    const page = await (await openIsolate()(`/${slug.toLowerCase()}`, program)).text();
    expect(page).toContain(`<meta property="og:url" content="https://terse.test/${slug}" />`);
    const inspected = await openIsolate()(`/${slug.toLowerCase()}+`);
    expect([inspected.status, await inspected.text()]).toEqual([200, expect.stringContaining(URL_OF_LINK)]);
  });

  it('a path in another case of a link that forwards its path is forwarded', async () => {
    const { host } = await seedForwarding();
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    const expected = [302, 'https://example.com/base/A/b?a=1#end'];
    expect(await twice(isolate, `https://${host}/GUIDE/A/b`)).toEqual([expected, expected]);
    const trips = await countTrips();
    expect(ledTo(await isolate(`https://${host}/GUIDE/c`))).toEqual([302, 'https://example.com/base/c?a=1#end']);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('a path below a spelling that only trimming leads to a link is not forwarded, whatever the isolate remembers', async () => {
    const { host } = await seedForwarding();
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    expect((await isolate(`https://${host}/guide.`)).status).toBe(302);
    expect(ledTo(await isolate(`https://${host}/guide./a`))).toEqual(ABSENT);
  });

  it('a path in another case that had no link leads to one that is created', async () => {
    const { manager, host } = await seedOnDomain([]);
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    for (const path of ['NEW', 'new.']) expect(ledTo(await isolate(`https://${host}/${path}`))).toEqual(ABSENT);
    const form = { url: URL_OF_LINK, client_id: manager.tenant.clientId, slug: 'new', custom_domain: host };
    expect((await isolate('/v1/links', { headers: manager.key, form })).status).toBe(200);
    for (const path of ['NEW', 'new.']) expect(ledTo(await isolate(`https://${host}/${path}`))).toEqual(FOUND);
  });
});

/** The letters and digits of a path, without case, and without what looks like parameters behind it. */
const lettersOf = (path: string) =>
  path
    .replace(/&(?:amp;)?[a-z_]\w*=.*$/i, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const ADDED = [
  `. , ; : ! %3F ) ] %7D %22 ' %3E * _ %60 %7C %5C .)** /.)`,
  '%20 %0A %0D%0A %09 %C2%A0 %E3%80%80 %E2%80%8B %EF%BB%BF %E2%81%A0 %E2%80%A8',
  '%E3%80%82 %EF%BC%8C %EF%BC%89 %E2%80%9D %C2%BB %D8%9F %E0%A5%A4 %E2%80%A6',
  '&utm_source=x&utm_medium=y &amp;fbclid=x',
].flatMap((endings) => endings.split(' '));

describe('a path with what text programs add', () => {
  it('a path with what text programs add leads to the link of the service’s own host and of a domain', async () => {
    const { manager, host } = await seedOnDomain(['promo-Code']);
    const slug = newSlug();
    await manager.make({ slug, url: URL_OF_LINK });
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    for (const end of ADDED) {
      expect([end, ...(await twice(isolate, `/${slug}${end}`))]).toEqual([end, FOUND, FOUND]);
      expect([end, ...(await twice(isolate, `https://${host}/promo-Code${end}`))]).toEqual([end, FOUND, FOUND]);
    }
    const others = [
      '*promo-Code*',
      '_PROMO-code_',
      '%E2%80%9Cpromo-Code%E2%80%9D',
      '/promo-Code',
      'promo%E2%80%93Code',
    ];
    for (const path of others)
      expect([path, ...ledTo(await isolate(`https://${host}/${path}`))]).toEqual([path, ...FOUND]);
  });

  it('a path with what text programs add takes one trip, and then none', async () => {
    const { manager, host } = await seedOnDomain(['promo']);
    const slug = newSlug();
    await manager.make({ slug, url: URL_OF_LINK });
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    const trips = await countTrips();
    expect((await isolate(`https://${host}/promo.`)).status).toBe(302);
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
    expect((await isolate(`/${slug})`)).status).toBe(302);
    expect(trips()).toEqual({ d1: 2, kvReads: 2, kvWrites: 0 });
    for (const url of [`https://${host}/promo.`, `/${slug})`]) expect((await isolate(url)).status).toBe(302);
    expect(trips()).toEqual({ d1: 2, kvReads: 2, kvWrites: 0 });
  });

  it('a path with what text programs add leads to the link with exactly this slug first, whatever its state', async () => {
    const { manager, host, ids } = await seedOnDomain(['_sale_', 'sale']);
    expect((await manager.ask('DELETE', `/v1/links/${ids[0]}`)).status).toBe(204);
    expect((await openIsolate()(`https://${host}/_SALE_`)).status).toBe(410);
    expect(ledTo(await openIsolate()(`https://${host}/sale_`))).toEqual(FOUND);
  });

  it.each([
    '/...',
    '/docs.',
    '/API)',
    '/%E2%80%8B',
    '/abc+.',
    '/abc+)',
    '/wp/x.php',
    '//wp-login.php',
    '/.env',
    '/a%2Fb.',
    '//',
  ])('a path with what text programs add, of which no slug remains, touches no store: %s', async (path) => {
    const trips = await countTrips();
    expect((await openIsolate()(ORIGIN + path)).status).toBe(404);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('a path with what text programs add is remembered as missing for a minute with the trimmed one', async () => {
    const { host } = await seedOnDomain([]);
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    expect(ledTo(await isolate(`https://${host}/gone)`))).toEqual(ABSENT);
    const trips = await countTrips();
    for (const path of ['gone)', 'gone', 'gone!'])
      expect(ledTo(await isolate(`https://${host}/${path}`))).toEqual(ABSENT);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('a path with what text programs add is not trimmed below a link that forwards its path', async () => {
    const { host, make } = await seedForwarding();
    await make('other', { url: URL_OF_LINK });
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    for (let visit = 0; visit < 2; visit++)
      expect(ledTo(await isolate(`https://${host}/guide/a.)`))).toEqual([302, 'https://example.com/base/a.)?a=1#end']);
    expect(ledTo(await isolate(`https://${host}/other/`))).toEqual(FOUND);
  });

  it('a path with what text programs add is inspected only as it is', async () => {
    const { host } = await seedOnDomain(['open']);
    expect((await openIsolate()(`https://${host}/open+`)).status).toBe(200);
    for (const path of ['open.+', 'open+.', 'open%2B'])
      expect([path, (await openIsolate()(`https://${host}/${path}`)).status]).toEqual([path, 404]);
  });
});

describe('a change of the case of a slug', () => {
  it.each([
    ['on the service’s own host', false],
    ['on a custom domain', true],
  ])('a change of the case of a slug keeps the address, its clicks and its history %s', async (_where, onDomain) => {
    const manager = await open();
    const host = onDomain ? await seedDomain(manager.tenant) : null;
    const slug = newSlug().toLowerCase();
    const id = await manager.make({ slug, url: URL_OF_LINK, custom_domain: host });
    const origin = host === null ? ORIGIN : `https://${host}`;
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    for (let visit = 0; visit < 3; visit++) await isolate(`${origin}/${slug}`);
    const headers = { ...manager.key, 'Content-Type': 'application/json' };
    const edit = async (change: object) =>
      isolate(`/v1/links/${id}`, { method: 'PATCH', headers, body: JSON.stringify(change) });
    const changed = await edit({ slug: slug.toUpperCase() });
    expect([changed.status, await changed.json()]).toEqual([
      200,
      expect.objectContaining({ slug: slug.toUpperCase(), aliases: [], short_url: `${origin}/${slug.toUpperCase()}` }),
    ]);
    const rows = await env.DB.prepare('SELECT slug, folded FROM addresses WHERE link_id = ?').bind(id).all();
    expect(rows.results).toEqual([{ slug: slug.toUpperCase(), folded: slug }]);
    await edit({ url: 'https://example.com/later' });
    for (const isolated of [isolate, openIsolate()])
      for (const path of [slug, slug.toUpperCase()])
        expect([path, ...ledTo(await isolated(`${origin}/${path}`))]).toEqual([path, 302, 'https://example.com/later']);
    expect(await env.LINKS.get(`${host ?? ''}/${slug}`)).toBeNull();
    const taken = await manager.ask(
      'POST',
      '/v1/links',
      { ...LINK, slug, client_id: manager.tenant.clientId, custom_domain: host },
      manager.key,
    );
    expect(taken.status).toBe(409);
  });

  it('a change of the case of a slug changes nothing if the edit is refused', async () => {
    const manager = await open();
    const slug = newSlug().toLowerCase();
    const id = await manager.make({ slug, url: URL_OF_LINK });
    const other = await manager.make({ external_id: `id-${slug}` });
    const before = await manager.read(id);
    const refused = await manager.ask('PATCH', `/v1/links/${id}`, {
      slug: slug.toUpperCase(),
      external_id: `id-${slug}`,
    });
    expect([refused.status, refused.body]).toEqual([409, failed('external_id_taken')]);
    expect(await manager.read(id)).toEqual(before);
    expect(ledTo(await openIsolate()(`/${slug}`))).toEqual(FOUND);
    const ofOther = await manager.ask('PATCH', `/v1/links/${other}`, { slug: slug.toUpperCase() });
    expect([ofOther.status, ofOther.body]).toEqual([409, failed('slug_taken')]);
  });

  it('a change of the case of a slug gives an alias its new spelling', async () => {
    const manager = await open();
    const [first, second] = [newSlug().toLowerCase(), newSlug().toLowerCase()];
    const id = await manager.make({ slug: first, url: URL_OF_LINK });
    await manager.ask('PATCH', `/v1/links/${id}`, { slug: second });
    const { status, body } = await manager.ask('PATCH', `/v1/links/${id}`, { slug: first.toUpperCase() });
    expect([status, body]).toEqual([200, expect.objectContaining({ slug: first.toUpperCase(), aliases: [second] })]);
  });
});

describe('a domain that is not tolerant', () => {
  it('a domain that is not tolerant follows no path with what text programs add, from the moment of its change', async () => {
    const { manager, host } = await seedOnDomain(['sale']);
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    expect(await twice(isolate, `https://${host}/sale.`)).toEqual([FOUND, FOUND]);
    const [domain] = (await manager.ask<{ domains: { id: string }[] }>('GET', '/v1/domains')).body.domains;
    const change = (tolerant: unknown) =>
      isolate(`/v1/domains/${domain!.id}`, {
        method: 'PATCH',
        headers: { ...manager.bearer, 'Content-Type': 'application/json' },
        body: JSON.stringify({ tolerant }),
      });
    const changed = await change(false);
    expect([changed.status, await changed.json()]).toEqual([200, expect.objectContaining({ tolerant: false })]);
    expect(await twice(isolate, `https://${host}/sale.`)).toEqual([ABSENT, ABSENT]);
    expect(ledTo(await isolate(`https://${host}/SALE`))).toEqual(FOUND);
    const refused = await change('no');
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { result: 'Failed', error: expect.stringMatching(/^invalid_tolerant: tolerant /) },
    ]);
    expect((await change(true)).status).toBe(200);
    expect(await twice(isolate, `https://${host}/sale.`)).toEqual([FOUND, FOUND]);
  });

  it.each(['sale.', 'sale,', '*sale*', 'sale&fbclid=x'])(
    'a domain that is not tolerant still follows a link after a path that only trimming would lead there: %s',
    async (path) => {
      const { host } = await seedOnDomain(['sale']);
      await env.DB.prepare('UPDATE domains SET tolerant = 0 WHERE host = ?').bind(host).run();
      const isolate = openIsolate({ MEMORY_SECONDS: '60' });
      expect(ledTo(await isolate(`https://${host}/${path}`))).toEqual(ABSENT);
      const trips = await countTrips();
      expect(ledTo(await isolate(`https://${host}/${path}`))).toEqual(ABSENT);
      expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
      expect(ledTo(await isolate(`https://${host}/sale`))).toEqual(FOUND);
    },
  );
});

describe('a link with a password at a path that is spelled otherwise', () => {
  it.each(['SALE', 'Sale.', '/sale', '*sale*'])(
    'a link with a password at a path that is spelled otherwise has a form for its stored path: %s',
    async (path) => {
      const { host } = await seedOnDomain(['sale'], { password: 'correct horse' });
      const isolate = openIsolate();
      const page = await isolate(`https://${host}/${path}?a=1&b`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('action="/sale?a=1&amp;b"')]);
      const sent = { method: 'POST', headers: FORM, body: 'password=correct+horse' };
      const { status, headers } = await isolate(`https://${host}/${path}?a=1&b`, sent);
      expect([status, headers.get('Location')]).toEqual([303, '/sale?a=1&b']);
      expect(headers.get('Set-Cookie')).toContain('; Path=/sale;');
      const cookie = headers.get('Set-Cookie')!.split(';')[0]!;
      expect(ledTo(await isolate(`https://${host}/sale?a=1&b`, { headers: { Cookie: cookie } }))).toEqual(FOUND);
    },
  );
});

describe('any path', () => {
  it('any path leads to no link but one of its host that has the same letters and digits in its slug', async () => {
    const manager = await open();
    const hosts = [null, await seedDomain(manager.tenant), await seedDomain(manager.tenant)];
    const slugs = ['Sale-1', '_sale-2', 'sale-3_', 'äb-4', 'x5', 'X-5', '-x5-'];
    for (const host of hosts)
      for (const slug of slugs)
        await manager.make({
          slug,
          custom_domain: host,
          url: `https://example.com/${host}/${encodeURIComponent(slug)}`,
        });
    const isolate = openIsolate({ MEMORY_SECONDS: '60' });
    const piece = fc.constantFrom(
      ...'_-.,)(*"’»。&= /+?|'.split(''),
      '\u200b',
      '\u2013',
      '%',
      '&utm_x=1',
      '\ufe0f',
      'A',
      '9',
    );
    const requested = fc.tuple(
      fc.array(piece, { maxLength: 3 }),
      fc.constantFrom(...slugs),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      fc.array(piece, { maxLength: 3 }),
    );
    const found: boolean[] = [];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...hosts), requested, async (host, [before, slug, isUpper, after]) => {
        const recased = Array.from(slug, (letter, index) => (isUpper[index] ? letter.toUpperCase() : letter)).join('');
        const path = `${before.join('')}${recased}${after.join('')}`;
        const origin = host === null ? ORIGIN : `https://${host}`;
        const response = await isolate(`${origin}/${path.split('/').map(encodeURIComponent).join('/')}`);
        const [status, location] = ledTo(response);
        found.push(location !== null);
        if (location === null) {
          // 200 is the page of a path with a final plus.
          expect([200, 404]).toContain(status);
        } else {
          const [, , , ledHost, ledSlug = ''] = location.split('/');
          expect([path, ledHost, lettersOf(decodeURIComponent(ledSlug))]).toEqual([
            path,
            String(host),
            lettersOf(path),
          ]);
        }
      }),
      { numRuns: 400, seed: 20_261_127 },
    );
    expect([found.includes(true), found.includes(false)]).toEqual([true, true]);
  });
});
