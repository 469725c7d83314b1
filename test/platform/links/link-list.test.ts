import { gzipSync } from 'node:zlib';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliver, packOf } from '../../support/clicks.ts';
import { D1_SESSION } from '../../support/d1.ts';
import { carryClicks } from '../../support/carried-clicks.ts';
import { listed, manyLinks } from '../../support/link-lists.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../../support/objects.ts';
import { openLinks, textOf } from '../../support/platform.ts';
import { seedDomain, seedLink } from '../../support/seed.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** A page, and how many rows each statement for it has read. */
async function rowsRead(open: () => Promise<string>): Promise<{ page: string; read: readonly number[] }> {
  const { mock } = vi.spyOn(D1_SESSION, 'batch');
  const before = mock.results.length;
  const page = await open();
  const results = await Promise.all(mock.results.slice(before).map(({ value }) => value as Promise<D1Result[]>));
  return { page, read: results.flat().map(({ meta }) => meta.rows_read) };
}

/** The row of a link in a page. */
const rowOf = (page: string, id: string) => page.split('<li class="link-row').find((row) => row.includes(`"${id}"`));

/** The links of a part of a page, as `[text, address]`. */
function linksIn(page: string, label: string): [text: string, href: string][] {
  const part = new RegExp(`aria-label="${label}">(.*?)</(?:nav|ul)>`, 's').exec(page)?.[1] ?? '';
  return [...part.matchAll(/<a[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href = '', text = '']) => [
    text.replaceAll(/<[^>]*>/g, ''),
    href.replaceAll('&amp;', '&'),
  ]);
}

describe('a row of the list', () => {
  it('a row of the list has the clicks of people, also by day, and says how many previews and bots there were', async () => {
    const { caller, browse, path } = await openLinks();
    const [clicked, quiet] = [await seedLink(caller), await seedLink(caller)];
    await deliver([
      packOf(clicked, [{ clicks: 1234 }, { clicks: 7, userAgent: 'Googlebot/2.1 (+http://google.com/bot.html)' }]),
    ]);
    const calls = vi.fn();
    replaceInObjects('recent', (recent) => (...args) => {
      calls();
      return recent(...args);
    });
    const page = await textOf(browse(path));
    expect(rowOf(page, clicked.id)).toContain(
      'title="Visits by people since the link was created, plus 0 previews and 7 bots"',
    );
    expect(rowOf(page, clicked.id)).toContain('<title>1,234 visits in the last 30 days</title>');
    expect(rowOf(page, clicked.id)).toContain('<b>1,234 <span class="unseen">visits</span></b>');
    expect(rowOf(page, quiet.id)).toContain('<b>0 <span class="unseen">visits</span></b>');
    expect(rowOf(page, quiet.id)).not.toContain('<svg class="spark"');
    expect(calls).toHaveBeenCalledTimes(1);
  });

  it('a row of the list counts the days that were carried from version 1.2.0', async () => {
    const { caller, browse, path } = await openLinks();
    const link = await seedLink(caller);
    await carryClicks(link, { days: 40, humans: 2, bots: 1 });
    await deliver([packOf(link, 5)]);
    for (const query of ['', '?sort=clicks']) {
      const row = rowOf(await textOf(browse(path + query)), link.id);
      expect(row).toContain('<title>65 visits in the last 30 days</title>');
      expect(row).toContain('<b>85 ');
    }
  });

  it('a row of the list has no numbers while the statistics do not respond, and the newest links come first', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    replaceInObjects('recent', () => () => Promise.reject(OBJECT_FAILURE));
    replaceInObjects('rank', () => () => Promise.reject(OBJECT_FAILURE));
    const [newest, clicked] = [await browse(path), await browse(`${path}?sort=clicks`)];
    const [newestText, clickedText] = [await newest.text(), await clicked.text()];
    expect([newest.status, listed(newestText)]).toEqual([200, [id]]);
    expect(rowOf(newestText, id)).toMatch(
      /<div class="row-days"><\/div><div class="row-clicks"><small class="age"><time/,
    );
    expect(newestText).not.toContain('temporarily unavailable');
    expect([clicked.status, listed(clickedText)]).toEqual([200, [id]]);
    expect(clickedText).toContain('The clicks are temporarily unavailable, so the newest links are first.');
  });

  it('a row of the list shows texts of users in their own direction, decoded, and what could deceive encoded', async () => {
    const { caller, browse, path } = await openLinks();
    const title = `אביב ${'ארוך '.repeat(10)}`;
    const { id } = await seedLink(caller, {
      url: 'https://münchen.example/straße?a=%E2%80%AE%2F',
      title,
      campaign_name: '<b>Grün</b> & "rot"',
    });
    const row = rowOf(await textOf(browse(path)), id) ?? '';
    expect(row).toContain('title="https://xn--mnchen-3ya.example/stra%C3%9Fe?a=%E2%80%AE%2F"');
    expect(row).toContain('>münchen.example/straße?a=%E2%80%AE%2F</span></span>');
    expect(row).toMatch(new RegExp(`<a class="cut" dir="auto" href="[^"]*/${id}" title="${title}">${title}</a>`));
    expect(row).toContain('dir="auto" href="/platform');
    expect(row).toContain('?campaign_name=%3Cb%3EGr%C3%BCn%3C%2Fb%3E+%26+%22rot%22"');
    expect(row).not.toContain('<b>Gr');
    expect(row).toMatch(/<span class="tile hue\d" aria-hidden="true">M<\/span>/);
  });

  it('a row of the list has a badge only where the link is not active, and a date by its age', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const before = rowOf(await textOf(browse(path)), id) ?? '';
    expect(before).not.toContain('class="badge');
    expect(before).toMatch(/<time datetime="[^"]+Z" title="\d+ \w+ \d{4}, \d\d:\d\d UTC">now<\/time>/);
    await env.DB.prepare('UPDATE links SET disabled_at = 1, created_at = ? WHERE id = ?')
      .bind(Date.now() - 3 * 86_400_000 - 1000, id)
      .run();
    const after = rowOf(await textOf(browse(path)), id) ?? '';
    expect(after).toContain('>Disabled</span>');
    expect(after).toContain('>3 days ago</time>');
  });
});

describe('the address of the list', () => {
  it('the address of the list has a pill for each filter, which leads to the list without it', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    await seedLink(caller, { campaign_name: 'Spring', custom_domain: host });
    const query = `q=example&campaign_name=Spring&custom_domain=${host}&sort=clicks&limit=25`;
    const page = await textOf(browse(`${path}?${query}`));
    expect(linksIn(page, 'Filters')).toEqual([
      ['Remove the filter Search example×', `${path}?campaign_name=Spring&custom_domain=${host}&sort=clicks&limit=25`],
      ['Remove the filter Campaign Spring×', `${path}?q=example&custom_domain=${host}&sort=clicks&limit=25`],
      [`Remove the filter Domain ${host}×`, `${path}?q=example&campaign_name=Spring&sort=clicks&limit=25`],
      ['Clear all', path],
    ]);
    expect(page).toContain('<input type="hidden" name="sort" value="clicks"/>');
    expect(page).toContain('<input type="hidden" name="limit" value="25"/>');
    const two = linksIn(await textOf(browse(`${path}?q=example&campaign_name=Spring`)), 'Filters');
    expect(two.map(([text]) => text).slice(2)).toEqual(['Clear all']);
    expect(linksIn(await textOf(browse(`${path}?q=example`)), 'Filters')).toHaveLength(1);
    expect(await textOf(browse(path))).not.toContain('class="pill"');
  });

  it('the address of the list has the order, by the newest, the most clicked or the last clicked', async () => {
    const { caller, browse, path } = await openLinks();
    const [first, second, third] = [await seedLink(caller), await seedLink(caller), await seedLink(caller)];
    await env.DB.prepare('UPDATE links SET created_at = created_at + 5 WHERE id = ?').bind(third.id).run();
    await env.DB.prepare('UPDATE links SET created_at = created_at - 5 WHERE id = ?').bind(first.id).run();
    await deliver([packOf(first, [{ clicks: 9, at: Date.now() - 60_000 }])]);
    await deliver([packOf(second, [{ clicks: 2, at: Date.now() }])]);
    const ids = async (query: string) => listed(await textOf(browse(`${path}?${query}`)));
    expect(await ids('')).toEqual([third.id, second.id, first.id]);
    expect(await ids('sort=clicks')).toEqual([first.id, second.id, third.id]);
    expect(await ids('sort=last_click')).toEqual([second.id, first.id, third.id]);
    expect(linksIn(await textOf(browse(`${path}?q=e&sort=clicks`)), 'Order')).toEqual([
      ['Newest', `${path}?q=e`],
      ['Most visits', `${path}?q=e&sort=clicks`],
      ['Last click', `${path}?q=e&sort=last_click`],
    ]);
    const refused = await browse(`${path}?sort=size`);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('role="alert">This must be one of created, clicks, last_click.');
  });

  it('the address of the list has the number of rows, and the pages keep it', async () => {
    const { caller, browse, path } = await openLinks();
    await manyLinks(caller, 60, () => 'https://example.com/');
    const page = await textOf(browse(`${path}?limit=25`));
    expect(listed(page)).toHaveLength(25);
    expect(page).toMatch(/href="[^"]*\?limit=25&amp;cursor=[^"]*" rel="next"/);
    expect(linksIn(page, 'Rows a page')).toEqual([
      ['25', `${path}?limit=25`],
      ['50', path],
      ['100', `${path}?limit=100`],
    ]);
    expect(listed(await textOf(browse(`${path}?limit=100`)))).toHaveLength(60);
    expect((await browse(`${path}?limit=101`)).status).toBe(400);
  });
});

describe('the number of links', () => {
  const countIn = (page: string) => /<p class="count"[^>]*>(.*?)<\/p>/.exec(page)?.[1];

  it('the number of links is exact up to 500, for the filters that have an index, on the first page', async () => {
    const [{ caller, browse, path }, stranger] = [await openLinks(), await openLinks()];
    const count = async (query = '') => countIn(await textOf(browse(path + query)));
    expect(await count('?q=nothing')).toBe('0 links');
    await seedLink(stranger.caller);
    await manyLinks(caller, 500, () => 'https://example.com/');
    expect(await count()).toBe('500 links');
    const { id } = await seedLink(caller, { campaign_name: 'Spring' });
    expect(await count()).toBe('500+ links');
    expect(await count('?campaign_name=Spring')).toBe('1 link');
    expect(await count('?q=example')).toBeUndefined();
    const next = /href="([^"]+)" rel="next"/.exec(await textOf(browse(path)))?.[1] ?? '';
    expect(countIn(await textOf(browse(next)))).toBeUndefined();
    await env.DB.prepare('UPDATE links SET disabled_at = 1 WHERE id = ?').bind(id).run();
    expect(await count('?state=disabled')).toBe('1 link');
    expect(countIn(await textOf(stranger.browse(stranger.path)))).toBe('1 link');
  });
});

describe('a full page', () => {
  it('a full page takes five trips to the database, most at the same time, and few rows of ten thousand links, and weighs little', async () => {
    const { caller, browse, path } = await openLinks();
    await manyLinks(
      caller,
      10_000,
      (i) => `https://shop-${i % 40}.example.com/${btoa(String(i * 7919))}/item?ref=${i}`,
    );
    await deliver([packOf({ id: 'many9999', client_id: caller.clientId }, 5)]);
    const trips = await countTrips();
    const first = await rowsRead(() => textOf(browse(path)));
    expect(listed(first.page)).toHaveLength(50);
    expect(trips().d1).toBe(5);
    // Compressed, and without the style sheet and the script, which browsers keep.
    expect(gzipSync(first.page).length).toBeLessThan(9000);
    const next = /href="([^"]+)" rel="next"/.exec(first.page)?.[1] ?? '';
    const second = await rowsRead(() => textOf(browse(next)));
    // The query that lists the links.
    const query = Math.max(...second.read);
    expect(query).toBeLessThanOrEqual(50 * 3 + 20);
    // The first page counts the links that follow, up to 500 in all.
    expect(sum(first.read)).toBeLessThanOrEqual(query + 451 + 130);
    expect(sum(second.read)).toBeLessThanOrEqual(query + 120);
  });
});
