import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { importFile, NDJSON } from '../support/files.ts';
import { failed, follow, newSlug, open, type Manager } from '../support/manage.ts';
import { form, openBrowser } from '../support/platform.ts';
import { seedDomain, seedLink } from '../support/seed.ts';
import { createWithSlug } from '../support/slugs.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => void vi.restoreAllMocks());

let caller: Caller;
let host: string;
let manager: Manager;
beforeAll(async () => {
  manager = await open();
  caller = await seedCaller();
  host = await seedDomain(caller);
});

const create = (slug: string, fields: Readonly<Record<string, string>> = { custom_domain: host }) =>
  createWithSlug(caller, slug, fields);

const escaped = (slug: string) => slug.split('/').map(encodeURIComponent).join('/');

describe('a slug on a custom domain', () => {
  it.each([
    ['of YOURLS', 'ozh-1_Keyword'],
    ['of Dub, with a folder', 'blog/2026/launch'],
    ['of Dub, with a dot', 'v1.2-beta'],
    ['of Dub, an emoji', '🎉'],
    ['of Shlink, of four segments', 'docs/getting-started/part.1/x_y'],
    ['of Shlink, with dots', '.hidden..file.tar.gz'],
    ['a file in a script of its own', 'Grüße/東京.html'],
    ['an emoji with its selector', '❤\ufe0f'],
    ['an emoji without it', '☀'],
    ['a family', '👨‍👩‍👧‍👦/🏡'],
    ['a skin tone', '👍🏽'],
    ['a flag', '🇩🇪'],
    ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a rainbow flag', '🏳️‍🌈'],
    ['a keycap', '1️⃣'],
    ['letters and emoji', 'sale-🔥-2026'],
    ['64 emoji', '😀'.repeat(64)],
  ])('a slug on a custom domain may be one %s', async (_what, slug) => {
    expect(await create(slug)).toEqual([200, `https://${host}/${escaped(slug)}`]);
    for (const path of [escaped(slug), `${escaped(slug)}/`, `${escaped(slug)}?utm=1`]) {
      expect([path, await follow(`https://${host}/${path}`)]).toEqual([path, [302, 'https://example.com/']]);
    }
    expect((await call(`https://${host}/${escaped(slug)}`, { method: 'HEAD' })).status).toBe(302);
    expect(await create(slug)).toEqual([409, expect.stringMatching(/^slug_taken: /)]);
  });

  it.each([
    'a//b',
    '/a',
    'a/',
    '.',
    '..',
    'a/./b',
    'a/../b',
    '../b',
    'a/b/c/d/e',
    'a\\b',
    'a b',
    'a+b',
    'a%2Fb',
    'a?b',
    'a#b',
    'a'.repeat(65),
    '😀'.repeat(65),
    'robots.txt',
    'Favicon.ICO',
    'assets/page.css',
    '.well-known/terse-domain',
    'cdn-cgi/trace',
    'a\u200bb',
    'a\u200db',
    '👍\u200d👍',
    'a\ufe0f',
    '❤\ufe0e',
    '🇩',
    'a\u{e0067}',
    'a\u202eb',
    'a\u2066b',
    'a\u061cb',
    'a\u00adb',
    'a\u3164',
    '\u115f',
    'a\u1160',
    'a\uffa0',
    'a\u034fb',
    'a\u2800b',
    'a\u{16fe4}',
  ])('a slug on a custom domain may not be %j', async (slug) => {
    expect(await create(slug)).toEqual([400, expect.stringMatching(/^invalid_slug: slug /)]);
  });

  it('a slug on a custom domain reads no store for a path that cannot be a slug, and does not split at an escaped slash', async () => {
    await create('esc/aped');
    const trips = await countTrips();
    for (const path of ['esc%2Faped', 'esc%2faped', 'a%20b', '%ff', 'a'.repeat(65), 'assets/none'])
      expect([path, (await call(`https://${host}/${path}`)).status]).toEqual([path, 404]);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('a slug on a custom domain reads the database once for a longer path, which may be below a link that forwards its path', async () => {
    const trips = await countTrips();
    for (let visit = 0; visit < 3; visit++) expect((await call(`https://${host}/a/b/c/d/e`)).status).toBe(404);
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
  });

  it('a slug on a custom domain does not replace paths that every host serves itself', async () => {
    expect(await (await call(`https://${host}/robots.txt`)).text()).toBe('User-agent: *\nDisallow:\n');
    expect((await call(`https://${host}/favicon.ico`)).headers.get('Content-Type')).toMatch(/^image\//);
    expect(await (await call(`https://${host}/.well-known/terse-domain`)).json()).toMatchObject({ service: 'terse' });
  });
});

describe('a slug on the service’s own host', () => {
  it.each(['a.b', 'a/b', '🎉', '❤', 'a\u3164', '\u115fa', 'a\ufe0f', '1️⃣'])(
    'a slug on the service’s own host may not be %j',
    async (slug) => {
      expect(await create(slug, {})).toEqual([400, expect.stringMatching(/^invalid_slug: slug must /)]);
    },
  );

  it('a slug on the service’s own host reads no store for paths that scanners try', async () => {
    const trips = await countTrips();
    for (const path of ['/wp/x.php', '/.env', '/a.b', '/a/b', '/%F0%9F%8E%89', '/wp-login.php'])
      expect([path, (await call(path)).status]).toEqual([path, 404]);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });
});

describe('the ways to create a slug of several segments', () => {
  const parts = () => `in/${newSlug()}.x/🎉`;
  const led = [302, 'https://example.com/'];

  it('a form and a batch take a slug of several segments on a custom domain', async () => {
    const [one, two] = [parts(), parts()];
    await seedLink(caller, { slug: one, custom_domain: host });
    const link = { url: 'https://example.com/', client_id: caller.clientId };
    const links = [
      { ...link, slug: two, custom_domain: host },
      { ...link, slug: parts() },
    ];
    const headers = { ...bearerOf(caller), 'Content-Type': 'application/json' };
    const made = await call('/v1/links/batch', { method: 'POST', headers, body: JSON.stringify({ links }) });
    expect(await made.json()).toMatchObject({
      results: [{ status: 201 }, { status: 400, error: expect.stringMatching(/^invalid_slug: .*custom_domain/) }],
    });
    for (const slug of [one, two]) expect(await follow(`https://${host}/${escaped(slug)}`)).toEqual(led);
  });

  it('an edit takes a slug of several segments, and leaves the former as an alias that can go', async () => {
    const domain = await seedDomain(manager.tenant);
    const [one, two] = [parts(), parts()];
    const id = await manager.make({ slug: one, custom_domain: domain });
    expect((await manager.ask('PATCH', `/v1/links/${id}`, { slug: two })).body).toMatchObject({
      slug: two,
      aliases: [one],
      short_url: `https://${domain}/${escaped(two)}`,
    });
    for (const slug of [one, two]) expect(await follow(`https://${domain}/${escaped(slug)}`)).toEqual(led);
    const { browse } = await openBrowser({
      userId: (await manager.ask('GET', '/v1/members')).body['members'] ? await userOf(manager) : '',
    });
    const page = `/platform/c/${manager.tenant.clientId}/links/${id}`;
    const removal = `${page}/aliases/${encodeURIComponent(one)}/remove`;
    expect(await (await browse(`${page}/details`)).text()).toContain(`href="${removal}"`);
    expect((await browse(removal, form({}))).status).toBe(303);
    expect(await follow(`https://${domain}/${escaped(one)}`)).toEqual([404, null]);
    const shared = await manager.make();
    expect(await manager.ask('PATCH', `/v1/links/${shared}`, { slug: two })).toMatchObject({
      status: 400,
      body: failed('invalid_slug'),
    });
  });

  it('an import of CSV and NDJSON, an export, the list and a QR code take a slug of several segments', async () => {
    const domain = await seedDomain(manager.tenant);
    const [one, two, alias] = [parts(), parts(), parts()];
    const csv = `slug,aliases,url,custom_domain\n${one},${alias},https://example.com/,${domain}\nno/where,,https://example.com/,\n`;
    expect(await importFile(manager, csv)).toMatchObject({ created: 1, errors: 1 });
    const row = JSON.stringify({ slug: two, url: 'https://example.com/', custom_domain: domain });
    expect(await importFile(manager, row, { type: NDJSON })).toMatchObject({ created: 1 });
    for (const slug of [one, two, alias]) expect(await follow(`https://${domain}/${escaped(slug)}`)).toEqual(led);
    const exported = await call('/v1/links/export?format=ndjson', { headers: manager.key });
    const rows = (await exported.text()).trim().split('\n');
    expect(await importFile(manager, rows.join('\n'), { type: NDJSON })).toMatchObject({ created: 0, errors: 0 });
    const found = await manager.ask<{ links: { id: string; slug: string }[] }>(
      'GET',
      `/v1/links?q=${encodeURIComponent(two.toUpperCase())}`,
    );
    expect(found.body.links).toMatchObject([{ slug: two }]);
    const qr = await call(`/v1/links/${found.body.links[0]!.id}/qr.svg`, { headers: manager.bearer });
    expect(qr.status).toBe(200);
  });

  it('the page of a new link takes a slug of several segments', async () => {
    const slug = parts();
    const { browse } = await openBrowser(caller);
    const path = `/platform/c/${caller.clientId}/links/new`;
    const fields = { url: 'https://example.com/', slug };
    const refused = await browse(path, form(fields));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('need a custom domain')]);
    expect((await browse(path, form({ ...fields, custom_domain: host }))).status).toBe(303);
    expect(await follow(`https://${host}/${escaped(slug)}`)).toEqual(led);
  });
});

async function userOf({ tenant }: Manager): Promise<string> {
  const find = env.DB.prepare('SELECT id FROM users WHERE name = ?').bind(tenant.userName);
  return (await find.first<string>('id')) ?? '';
}
