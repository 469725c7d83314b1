import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../support/forms.ts';
import { seedMember } from '../../support/management.ts';
import { cookiesOf, form, openBrowser, openLinks } from '../../support/platform.ts';
import { rowsOf, seedDomain, seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** The ids of the links that a list shows, in its order. */
const listed = (page: string) => [...page.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id);

const read = async (response: Promise<Response>) => (await response).text();

const statusesOf = async (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await call(`/${id}`)).status));

/** A form with a field that comes several times. */
const formOfMany = (action: string, ids: readonly string[], back = ''): RequestInit => {
  const init = form({ do: action, back });
  const body = init.body as URLSearchParams;
  for (const id of ids) body.append('id', id);
  return init;
};

describe('the list of links', () => {
  it('says the next step while there is none', async () => {
    const { browse, path } = await openLinks();
    const page = await read(browse(path));
    expect(page).toContain('<h2>No links yet</h2>');
    expect(page).toContain(`href="${path}/new"`);
    expect(page).not.toContain('role="search"');
  });

  it('shows the newest first, each with its QR codes, by a link to its page', async () => {
    const { caller, browse, path } = await openLinks();
    const ids = [(await seedLink(caller)).id, (await seedLink(caller)).id].toReversed();
    await env.DB.prepare('UPDATE links SET created_at = created_at + 5 WHERE id = ?').bind(ids[0]).run();
    const page = await read(browse(path));
    expect(listed(page)).toEqual(ids);
    for (const id of ids) {
      expect(page).toContain(`href="${path}/${id}"`);
      expect(page).toContain(`href="${path}/${id}/qr.svg?download=true"`);
      expect(page).toContain(`data-text="https://terse.test/${id}"`);
    }
  });

  it('is searched and filtered, and keeps what was asked', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const spring = await seedLink(caller, { campaign_name: 'Spring', url: 'https://example.com/shop' });
    const own = await seedLink(caller, { custom_domain: host, sec_id: 'print' });
    await browse(`${path}/${own.id}/disable`, form({}));
    const found = async (query: string) => listed(await read(browse(`${path}?${query}`)));
    expect(await found('q=SHOP')).toEqual([spring.id]);
    expect(await found('campaign_name=Spring&q=')).toEqual([spring.id]);
    expect(await found('sec_id=print')).toEqual([own.id]);
    expect(await found(`custom_domain=${host}`)).toEqual([own.id]);
    expect(await found('state=disabled')).toEqual([own.id]);
    const none = await read(browse(`${path}?q=shop&state=disabled`));
    expect(none).toContain('<h2>No links found</h2>');
    expect(none).toContain('type="search" placeholder="Destination, slug or title" value="shop"');
    expect(none).toContain('<option value="disabled" selected="">Disabled</option>');
    expect(none).toContain('<details open="">');
  });

  it.each([
    ['q', 'x'.repeat(201), 'This must be at most 200 characters long.'],
    ['custom_domain', 'no', 'This must be a host name, such as go.example.com.'],
    ['state', 'lost', 'This must be one of active, expired, disabled, deleted.'],
  ])('says beside %s what is wrong with it', async (field, value, sentence) => {
    const { caller, browse, path } = await openLinks();
    await seedDomain(caller);
    const response = await browse(`${path}?${field}=${value}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`id="fault-${field}">${sentence}</p>`);
  });

  it('says that a cursor is of another list', async () => {
    const { browse, path } = await openLinks();
    const response = await browse(`${path}?cursor=abc`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('role="alert">cursor is not valid for this list');
  });

  it('goes on page by page, and back to the newest', async () => {
    const { caller, browse, path } = await openLinks();
    await manyLinks(caller, 60, (i) => `https://example.com/${i}`);
    const first = await read(browse(`${path}?q=example`));
    const next = nextOf(first);
    const second = await read(browse(next ?? ''));
    expect([listed(first).length, listed(second).length, nextOf(second)]).toEqual([50, 10, null]);
    expect(second).toContain(`href="${path}?q=example"`);
    expect(first).not.toContain('Searched links back to');
  });

  it('says how far a short page has looked, and looks further from there', async () => {
    const { caller, browse, path } = await openLinks();
    await manyLinks(caller, 501, (i) => (i === 0 ? 'https://example.com/rare' : 'https://example.com/'));
    const first = await read(browse(`${path}?q=rare`));
    expect(listed(first)).toEqual([]);
    expect(first).toContain('<h2>No links found so far</h2>');
    expect(first).toMatch(
      /Searched links back to <time datetime="2026-01-01T00:00:00.001Z">1 Jan 2026, 00:00 UTC<\/time>\./,
    );
    expect(first).toContain('Search older links');
    expect(listed(await read(browse(nextOf(first) ?? '')))).toEqual(['many0000']);
  });

  it('shows no link of another client, and opens none', async () => {
    const [{ browse, path }, stranger] = [await openLinks(), await openLinks()];
    const theirs = await seedLink(stranger.caller);
    expect(listed(await read(browse(path)))).toEqual([]);
    for (const below of ['', '/edit', '/delete', '/qr.svg', '/qr.png', '/aliases/a/remove']) {
      expect([below, (await browse(`${path}/${theirs.id}${below}`)).status]).toEqual([below, 404]);
      expect((await browse(`${stranger.path}/${theirs.id}${below}`)).status).toBe(404);
    }
    for (const below of ['disable', 'enable', 'delete', 'restore', 'history/1/put-back', 'edit']) {
      expect([below, (await browse(`${path}/${theirs.id}/${below}`, form({}))).status]).toEqual([below, 404]);
    }
    await browse(`${path}/selected`, formOfMany('delete', [theirs.id]));
    expect(await statusesOf([theirs.id])).toEqual([302]);
  });

  it('takes three trips to the database, and as many with all filters', async () => {
    const { caller, browse, path } = await openLinks();
    await seedLink(caller);
    const trips = countTrips();
    await browse(`${path}?q=a&campaign_name=b&sec_id=c&state=active`);
    expect(trips().d1).toBe(3);
  });
});

describe('links that are chosen', () => {
  it.each([
    ['delete', 'restore', 410],
    ['disable', 'enable', 410],
  ] as const)('are asked about before they %s, and brought back by %s', async (action, undo, status) => {
    const { caller, browse, path } = await openLinks();
    const ids = [(await seedLink(caller)).id, (await seedLink(caller)).id];
    const other = (await seedLink(caller)).id;
    const query = ids.map((id) => `id=${id}`).join('&');
    const asked = await read(browse(`${path}/selected?do=${action}&${query}&back=q%3Dexample`));
    expect(listed(asked)).toEqual(ids);
    expect(asked).toContain('2 links?</h1>');
    expect(await statusesOf(ids)).toEqual([302, 302]);

    const done = await browse(`${path}/selected`, formOfMany(action, ids, 'q=example'));
    expect([done.status, done.headers.get('Location')]).toEqual([303, `${path}?q=example`]);
    expect(await statusesOf([...ids, other])).toEqual([status, status, 302]);

    const flash = cookiesOf(done)['__Host-terse-flash']?.[0];
    const { cookie } = await openBrowser(caller);
    const list = await read(call(path, { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
    expect(list).toContain(`<input type="hidden" name="do" value="${undo}"/>`);
    await browse(`${path}/selected`, formOfMany(undo, ids));
    expect(await statusesOf(ids)).toEqual([302, 302]);
    const history = (await rowsOf('link_history')).filter(({ link_id: id }) => id === ids[0]);
    expect(history.map(({ n, user_id: user }) => [n, user])).toEqual([
      [1, expect.any(String)],
      [2, caller.userId],
      [3, caller.userId],
    ]);
  });

  it('are changed in two trips, however many there are, and those of others are left out', async () => {
    const [{ caller, browse, path }, stranger] = [await openLinks(), await openLinks()];
    const ids = (await manyLinks(caller, 40, () => 'https://example.com/')).concat(
      (await seedLink(stranger.caller)).id,
    );
    const trips = countTrips();
    await browse(`${path}/selected`, formOfMany('disable', ids));
    expect(trips().d1).toBe(2);
    const links = await rowsOf('links');
    const disabled = links.filter(({ id, disabled_at: at }) => ids.includes(String(id)) && at !== null);
    expect(disabled.map(({ id }) => id)).toEqual(ids.slice(0, 40));
  });

  it('are refused if they have more addresses than KV writes are allowed in a request', async () => {
    const { caller, browse, path } = await openLinks();
    const ids = await manyLinks(caller, 100, () => 'https://example.com/');
    const addAliases = (each: number) =>
      env.DB.prepare(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
         INSERT INTO addresses (domain_id, folded, slug, link_id)
         SELECT '', id || 'x' || n, id || 'x' || n, id FROM links, n WHERE client_id = ?2 ON CONFLICT DO NOTHING`,
      )
        .bind(each, caller.clientId)
        .run();
    const disabled = async () => (await rowsOf('links')).filter((row) => row['disabled_at'] !== null).length;
    const before = await disabled();
    const put = vi.spyOn(env.LINKS, 'put');
    await addAliases(9);
    const refused = await browse(`${path}/selected`, formOfMany('disable', ids));
    expect([refused.status, await disabled(), put.mock.calls.length]).toEqual([400, before, 0]);
    expect(await refused.text()).toContain('The links have 1000 addresses in all, but only 900 can be changed at once');
    expect((await browse(`${path}/selected`, formOfMany('disable', ids.slice(0, 90)))).status).toBe(303);
    expect([await disabled(), put.mock.calls.length]).toEqual([before + 90, 900]);
  });

  it.each([
    ['none', 'disable', [] as string[], 400],
    ['more than a hundred', 'delete', Array.from({ length: 101 }, (_, i) => `x${i}`), 400],
    ['an unknown action', 'explode', ['x'], 404],
  ])('are refused where there is %s', async (_, action, ids, status) => {
    const { browse, path } = await openLinks();
    expect((await browse(`${path}/selected`, formOfMany(action, ids))).status).toBe(status);
  });

  it('lead back to the list where none was chosen', async () => {
    const { browse, path } = await openLinks();
    const response = await browse(`${path}/selected?do=delete&back=q%3Da`);
    expect([response.status, response.headers.get('Location')]).toEqual([303, `${path}?q=a`]);
  });

  it('are as they were where the form comes from another site', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const init = { ...formOfMany('delete', [id]), headers: { Origin: 'https://evil.example' } };
    expect((await browse(`${path}/selected`, init)).status).toBe(403);
    expect(await statusesOf([id])).toEqual([302]);
  });
});

it('lets a member who is no owner manage links', async () => {
  const { caller, path } = await openLinks();
  const { browse } = await openBrowser(await seedMember(caller));
  const made = await browse(`${path}/new`, form({ url: 'https://example.com/' }));
  expect(made.status).toBe(303);
  expect((await browse(made.headers.get('Location') ?? '')).status).toBe(200);
});

function nextOf(page: string): string | null {
  return /href="([^"]+)" rel="next"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? null;
}

/** Links `many0000`, `many0001` and so on, each made a millisecond after the one before. */
async function manyLinks(caller: Caller, count: number, urlOf: (i: number) => string): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => `many${String(i).padStart(4, '0')}`);
  const links = JSON.stringify(ids.map((id, i) => ({ id, url: urlOf(i), at: Date.parse('2026-01-01T00:00:00Z') + i })));
  await env.DB.batch([
    env.DB.prepare(`DELETE FROM addresses WHERE link_id LIKE 'many%'`),
    env.DB.prepare(`DELETE FROM link_history WHERE link_id LIKE 'many%'`),
    env.DB.prepare(`DELETE FROM links WHERE id LIKE 'many%'`),
    env.DB.prepare(
      `INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
       SELECT value ->> 'id', '', value ->> 'id', ?1, 's', value ->> 'url', value ->> 'at', value ->> 'at', 1 FROM json_each(?2)`,
    ).bind(caller.clientId, links),
    env.DB.prepare(
      `INSERT INTO addresses (domain_id, folded, slug, link_id)
       SELECT '', value ->> 'id', value ->> 'id', value ->> 'id' FROM json_each(?1)`,
    ).bind(links),
  ]);
  return ids;
}
