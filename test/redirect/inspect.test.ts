import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { assetPath } from '../../src/http/assets.ts';
import { holdQueue, packsOf } from '../support/clicks.ts';
import { failD1 } from '../support/d1.ts';
import { open } from '../support/manage.ts';
import { seedDomain } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';
import { byPerson, ledTo, lock, PAGE_HEADERS, setColumns } from '../support/visits.ts';

/** `/{slug}+`: where a link leads, without following it. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const squeezed = (text: string) => text.replaceAll(/>\s+</g, '><').replaceAll(/\s+/g, ' ').trim();
const page = (id: string, lines: string) =>
  squeezed(`<!doctype html> <html lang="en" dir="ltr"> <head> <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" /> <title>Where this link leads</title>
    <link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml" />
    <link rel="stylesheet" href="${assetPath('page.css')}" /> </head> <body> <main>
    <p class="tape"><bdi dir="ltr">terse.test/<wbr /><b>${id}</b></bdi></p> <h1>Where this link leads</h1>
    ${lines}
    <p class="quiet">The link was created on May 20, 2026 (UTC).</p></main> </body> </html>`);
const leadsTo = (url: string) =>
  `<p><a class="broken" dir="ltr" href="${url}" rel="noreferrer nofollow">${url}</a></p>`;

/** The columns of a link that was created on the day that pages show. */
const CREATED = { created_at: Date.parse('2026-05-20T23:59:59Z') };

async function seed(fields: object = {}) {
  const manager = await open();
  const id = await manager.make({ ...fields });
  await setColumns(id, CREATED);
  return { manager, id };
}

describe('a link, inspected', () => {
  it('an inspected link is a page with its destination and the day of its creation, and no click', async () => {
    const { id } = await seed({ url: 'https://example.com/a?b=1&c="<x>"#d' });
    const held = holdQueue();
    const trips = await countTrips();
    const response = await openIsolate()(`/${id}+`, byPerson());
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([200, PAGE_HEADERS]);
    const url = 'https://example.com/a?b=1&amp;c=%22%3Cx%3E%22#d';
    expect(squeezed(await response.text())).toBe(page(id, leadsTo(url)));
    expect(packsOf(held, id)).toEqual([]);
  });

  it('an inspected link shows the URL only, and says that some visitors are led elsewhere', async () => {
    const elsewhere = { if: [{ type: 'language', in: ['nl'] }], url: 'https://example.com/nl' };
    const variants = ['a', 'b'].map((name) => ({ name, url: `https://example.com/${name}`, weight: 1 }));
    for (const fields of [{ rules: [elsewhere] }, { variants }]) {
      const { id } = await seed({ url: 'https://example.com/en', ...fields });
      const text = await (await call(`/${id}+`, byPerson({ 'Accept-Language': 'nl' }))).text();
      expect(squeezed(text)).toBe(
        page(id, `${leadsTo('https://example.com/en')}<p>Some visitors may be redirected to another page.</p>`),
      );
    }
  });

  it('an inspected link shows no destination that is blocked', async () => {
    const { id } = await seed({ url: 'https://bad-inspected.example/' });
    await env.DB.prepare(`INSERT INTO blocked_hosts (host, blocked_at) VALUES ('bad-inspected.example', 1)`).run();
    const text = await (await call(`/${id}+`)).text();
    expect(squeezed(text)).toBe(
      page(id, '<p>The operator of this service has blocked the website that it leads to.</p>'),
    );
  });

  it('an inspected link has no body for HEAD, and refuses other methods', async () => {
    const { id } = await seed();
    const head = await openIsolate()(`/${id}+`, { method: 'HEAD' });
    expect([head.status, Object.fromEntries(head.headers), await head.text()]).toEqual([200, PAGE_HEADERS, '']);
    const post = await call(`/${id}+`, { method: 'POST', body: new URLSearchParams({ password: 'x' }) });
    expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('an inspected link is found on its custom domain only, by any of its slugs', async () => {
    const { manager } = await seed();
    const host = await seedDomain(manager.tenant);
    const id = await manager.make({ slug: 'one/two', custom_domain: host });
    await manager.ask('PATCH', `/v1/links/${id}`, { slug: 'three' });
    const statuses = async (urls: readonly string[]) => Promise.all(urls.map(async (url) => (await call(url)).status));
    expect(await statuses([`https://${host}/one/two+`, `https://${host}/three+`])).toEqual([200, 200]);
    expect(await statuses(['/three+', `https://${host}/${id}+`, 'https://unknown.example/three+'])).toEqual([
      404, 404, 404,
    ]);
  });

  it('an inspected link is 503 while the database does not respond', async () => {
    const { id } = await seed();
    vi.spyOn(console, 'error').mockReturnValue();
    failD1();
    expect((await call(`/${id}+`)).status).toBe(503);
  });
});

describe('a link that cannot be inspected', () => {
  const NONE = { result: 'Failed', error: 'not_found: There is no short link at this address.' };
  const SOON = () => new Date(Date.now() + 60_000).toISOString();

  it.each<readonly [what: string, fields: object, columns: Record<string, unknown>]>([
    ['has said so', { inspectable: false }, {}],
    ['has set a click limit', { max_clicks: 5 }, {}],
    ['has disabled the link', {}, { disabled_at: 1 }],
    ['has deleted the link', {}, { deleted_at: 1 }],
    ['has let it expire', { expired_url: 'https://example.com/over' }, { expires_at: 1 }],
  ])('an inspected link is 404, like an address without a link, if its owner %s', async (_, fields, columns) => {
    const { id } = await seed(fields);
    await setColumns(id, { ...CREATED, ...columns });
    const response = await call(`/${id}+`);
    expect([...ledTo(response), await response.json()]).toEqual([404, null, NONE]);
  });

  it('an inspected link is 404, like an address without a link, before its start, and then no longer', async () => {
    const { id } = await seed({ starts_at: SOON() });
    expect(await (await call(`/${id}+`)).json()).toEqual(NONE);
    vi.setSystemTime(Date.now() + 61_000);
    expect((await call(`/${id}+`)).status).toBe(200);
  });

  it('an inspected link is 404, like an address without a link, if it has a password, also for a visitor who has entered it', async () => {
    const { id } = await seed();
    await lock(id, 'open sesame');
    expect(await (await call(`/${id}+`)).json()).toEqual(NONE);
  });

  it.each(['%2B', '++', '+/', '/+', '+x', '%2B+', '+%2B'])(
    'an inspected link is 404, like an address without a link, by its slug with %s',
    async (end) => {
      const { id } = await seed();
      expect([(await call(`/${id}+`)).status, (await call(`/${id}${end}`)).status]).toEqual([200, 404]);
    },
  );

  it.each(['/platform+', '/v1+', '/+', '/no-such-link+'])(
    'an inspected link is 404, like an address without a link, at %s',
    async (path) => {
      expect((await call(path)).status).toBe(404);
    },
  );
});

describe('a path with a final + below a link that forwards its path', () => {
  it('a path with a final + below a link that forwards its path is forwarded, since no link can be there', async () => {
    const { manager } = await seed();
    const host = await seedDomain(manager.tenant);
    await manager.make({ url: 'https://example.com/x', slug: 'guide', custom_domain: host, forward_path: true });
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    for (const path of ['a+', 'c++', 'a/b+'])
      expect(ledTo(await isolate(`https://${host}/guide/${path}`))).toEqual([302, `https://example.com/x/${path}`]);
    const trips = await countTrips();
    expect(ledTo(await isolate(`https://${host}/guide/d+`))).toEqual([302, 'https://example.com/x/d+']);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
    expect((await isolate(`https://${host}/guide+`)).status).toBe(200);
  });
});
