import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { seedMember } from '../../support/management.ts';
import { form, openBrowser, openLinks, textOf } from '../../support/platform.ts';
import { formOfMany, listed, manyLinks, statusesOf } from '../../support/link-lists.ts';
import { seedDomain, seedLink } from '../../support/seed.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the list of links', () => {
  it('the list of links says the next step while there is none', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(browse(path));
    expect(page).toContain('<h2>No links yet</h2>');
    expect(page).toContain(`href="${path}/new"`);
    expect(page).not.toContain('role="search"');
  });

  it('the list of links shows the links newest first, each by its page, with what can be done with it', async () => {
    const { caller, browse, path } = await openLinks();
    const ids = [(await seedLink(caller)).id, (await seedLink(caller)).id].toReversed();
    await env.DB.prepare('UPDATE links SET created_at = created_at + 5 WHERE id = ?').bind(ids[0]).run();
    const page = await textOf(browse(path));
    expect(listed(page)).toEqual(ids);
    for (const id of ids) {
      expect(page).toContain(`href="${path}/${id}"`);
      for (const act of ['edit', 'qr', 'share']) expect(page).toContain(`href="${path}/${id}/${act}"`);
      expect(page).toContain(`href="${path}/new?from=${id}"`);
      for (const act of ['tag', 'disable', 'delete'])
        expect(page).toContain(`href="${path}/selected?id=${id}&amp;do=${act}&amp;back=" data-confirms=""`);
      expect(page).toContain(`data-text="https://terse.test/${id}"`);
    }
  });

  it('the list of links is searched and filtered, and keeps what was asked', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const spring = await seedLink(caller, { campaign_name: 'Spring', url: 'https://example.com/shop' });
    const own = await seedLink(caller, { custom_domain: host, sec_id: 'print' });
    await browse(`${path}/${own.id}/disable`, form({}));
    const found = async (query: string) => listed(await textOf(browse(`${path}?${query}`)));
    expect(await found('q=SHOP')).toEqual([spring.id]);
    expect(await found('campaign_name=Spring')).toEqual([spring.id]);
    expect(await found('sec_id=print')).toEqual([own.id]);
    expect(await found(`custom_domain=${host}`)).toEqual([own.id]);
    expect(await found('state=disabled')).toEqual([own.id]);
    const none = await textOf(browse(`${path}?q=shop&state=disabled`));
    expect(none).toContain('<h2>No links found</h2>');
    expect(none).toContain('type="search" placeholder="Title, slug, destination or tag" value="shop"');
    expect(none).toContain('<option value="disabled" selected="">Disabled</option>');
    expect(none).toMatch(/<details class="menu filter on"[^>]*><summary><svg.*?<span class="summary">More filters</s);
    expect(none).toMatch(/<details class="menu filter"[^>]*><summary><svg.*?<span class="summary">Campaign</s);
    const [, forDevelopers = ''] = /<legend>For developers<\/legend>(.*?)<\/fieldset>/s.exec(none) ?? [];
    expect([...forDevelopers.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name)).toEqual(['sec_id', 'external_id']);
  });

  it.each([
    ['q', 'x'.repeat(201), 'This must be at most 200 characters long.'],
    ['custom_domain', 'no', 'This must be a host name, such as go.example.com.'],
    ['state', 'lost', 'This must be one of active, expired, disabled, deleted.'],
  ])('the list of links says beside %s what is wrong with it', async (field, value, sentence) => {
    const { caller, browse, path } = await openLinks();
    await seedDomain(caller);
    const response = await browse(`${path}?${field}=${value}`);
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain(`id="fault-${field}">${sentence}</p>`);
    expect(/<details [^>]*open=""/.test(page)).toBe(field !== 'q');
  });

  it('the list of links says that a cursor is of another list', async () => {
    const { browse, path } = await openLinks();
    const response = await browse(`${path}?cursor=abc`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('role="alert">cursor is not valid for this list');
  });

  it('the list of links continues page by page, and back to the newest', async () => {
    const { caller, browse, path } = await openLinks();
    await manyLinks(caller, 60, (i) => `https://example.com/${i}`);
    const first = await textOf(browse(`${path}?q=example`));
    const next = nextOf(first);
    const second = await textOf(browse(next ?? ''));
    expect([listed(first).length, listed(second).length, nextOf(second)]).toEqual([50, 10, null]);
    expect(second).toContain(`href="${path}?q=example"`);
    expect(first).not.toContain('Searched the');
  });

  it('the list of links says how far a short page has looked, and looks further from there', async () => {
    const { caller, browse, path } = await openLinks();
    await manyLinks(caller, 10_001, (i) => (i === 0 ? 'https://example.com/rare' : 'https://example.com/'));
    const first = await textOf(browse(`${path}?q=rare`));
    expect(listed(first)).toEqual([]);
    expect(first).toContain('<h2>No links found so far</h2>');
    expect(first).toMatch(
      /Searched the 10,000 newest links, back to <time datetime="2026-01-01T00:00:00.001Z">1 Jan 2026, 00:00 UTC<\/time>\./,
    );
    expect(first).toContain('Search older links');
    expect(listed(await textOf(browse(nextOf(first) ?? '')))).toEqual(['many0000']);
  });

  it('the list of links shows no link of another client, and opens none', async () => {
    const [{ browse, path }, stranger] = [await openLinks(), await openLinks()];
    const theirs = await seedLink(stranger.caller);
    expect(listed(await textOf(browse(path)))).toEqual([]);
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

  it('the list of links takes four trips to the database, and as many with all filters', async () => {
    const { caller, browse, path } = await openLinks();
    await seedLink(caller);
    const trips = await countTrips();
    await browse(`${path}?q=a&campaign_name=b&sec_id=c&state=active`);
    expect(trips().d1).toBe(4);
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
