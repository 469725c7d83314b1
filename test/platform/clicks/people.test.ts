import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { campaignPath } from '../../../src/platform/campaigns/paths.ts';
import { deliver, GOOGLEBOT, packOf, SLACK } from '../../support/clicks.ts';
import { seedClaim } from '../../support/domains.ts';
import { seedCaller } from '../../support/forms.ts';
import { listed } from '../../support/link-lists.ts';
import { form, openBrowser, textOf } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { addressOf, visitor } from '../../support/shared-statistics.ts';
import { hrefOf, peopleIn, peopleOf, rowsOf, totalsIn } from '../../support/statistics-page.ts';
import { ask, foldClicks } from '../../support/stats.ts';
import { readableOf } from '../../support/words.ts';

/** One number of clicks on all pages: that of people. */

/** Links that people, previews and bots have opened, such that their sums are in another order than their people. */
async function openClicked() {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const home = `/platform/c/${caller.clientId}`;
  const domain = await seedClaim(caller);
  await env.DB.prepare(`UPDATE domains SET status = 'active' WHERE id = ?`).bind(domain.id).run();
  const [few, most, some] = [
    await seedLink(caller, { campaign_name: 'Spring', tags: 'Print' }),
    await seedLink(caller, { campaign_name: 'Summer', custom_domain: domain.host }),
    await seedLink(caller, { campaign_name: 'Spring', custom_domain: domain.host, tags: 'Print' }),
  ];
  await deliver([
    packOf(few, [{ clicks: 2 }, { clicks: 1000, userAgent: GOOGLEBOT }, { clicks: 100, userAgent: SLACK }]),
    packOf(most, [{ clicks: 7 }]),
    packOf(some, [{ clicks: 4 }, { clicks: 2000, userAgent: SLACK }]),
  ]);
  const tag = String(await env.DB.prepare('SELECT id FROM tags WHERE client_id = ?').bind(caller.clientId).first('id'));
  const read = (path: string) => textOf(browse(`${home}${path}`));
  const pathOf = (link: { id: string }) => `/links/${link.id}`;
  return { caller, browse, home, read, few, most, some, domain, tag, pathOf };
}

/** The sums of these links, their campaign, tag and domain, and the workspace, which no page shows. */
const SUMS = /\b(?:1,?102|2,?004|3,?106|2,?011|3,?113)\b/;

/** The number of each link of a list, in its order. */
const countsIn = (page: string) =>
  page
    .split('<li class="link-row')
    .slice(1)
    .map((row) => {
      const [, id = ''] = /name="id" value="([^"]+)"/.exec(row) ?? [];
      const [, text = ''] = /<div class="row-clicks"[^>]*>\s*<b>(.*?)<\/b>/s.exec(row) ?? [];
      return [id, text.replaceAll(/<[^>]*>/g, '').trim()];
    });

it('the number of people of a link, a campaign, a tag, a domain and the workspace is the same on every page, and in the API', async () => {
  const { caller, browse, home, read, few, most, some, domain, tag, pathOf } = await openClicked();
  const people = new Map([
    [few.id, 2],
    [most.id, 7],
    [some.id, 4],
  ]);
  const texts: string[] = [];
  const open = async (path: string) => {
    const page = await read(path);
    texts.push(readableOf(page));
    return page;
  };
  const check = async () => {
    const list = await open('/links?sort=clicks');
    expect(countsIn(list)).toEqual([
      [most.id, '7 visits'],
      [some.id, '4 visits'],
      [few.id, '2 visits'],
    ]);
    // The page of a link begins with the visits of thirty days, by the same word.
    expect(list).toContain('<span class="col-clicks">All-time visits</span>');
    expect(list).toContain('title="Visits by people since the link was created, plus 100 previews and 1,000 bots"');
    for (const [id, count] of people) {
      const page = await open(pathOf({ id }));
      expect([peopleOf(page), peopleIn(page, 'Clicks by day')]).toEqual([count, count]);
      expect(page).toContain(`Visits from`);
      expect(page).toContain(`: ${count}. Most on`);
    }
    expect(await open('/campaigns')).toMatch(
      /Spring.*data-label="Clicks by people">6<.*Summer.*"Clicks by people">7</s,
    );
    const campaigns = { Spring: 6, Summer: 7 };
    for (const [name, count] of Object.entries(campaigns))
      expect(peopleOf(await open(campaignPath({ id: caller.clientId }, name).slice(home.length)))).toBe(count);
    expect(peopleOf(await open(`/tags/${tag}`))).toBe(6);
    expect(peopleOf(await open(`/domains/${domain.id}`))).toBe(11);
    expect(peopleOf(await open(''))).toBe(13);
    for (const card of ['', '?card=link'])
      expect(rowsOf(await open(card), 'Links').map(([, count]) => Number(count))).toEqual([7, 4, 2]);
    for (const card of ['', '?card=campaign'])
      expect(rowsOf(await open(card), 'Campaigns').map(([, count]) => Number(count))).toEqual([7, 6]);
    const { body } = await ask(caller, '/v1/links?sort=humans');
    expect((body['links'] as { id: string; humans: number }[]).map(({ id, humans }) => [id, humans])).toEqual(
      countsIn(list).map(([id, text = '']) => [id, Number.parseInt(text, 10)]),
    );
    expect((await ask(caller, '/v1/campaigns')).body).toMatchObject({
      campaigns: Object.entries(campaigns).map(([name, humans]) => ({ name, humans })),
    });
  };
  await check();
  await foldClicks(caller.clientId);
  await check();
  await browse(`${home}${pathOf(few)}/share`, form({ password: '' }));
  const shared = await textOf(visitor(await addressOf(browse, `${home}${pathOf(few)}`)));
  expect(peopleOf(shared)).toBe(2);
  for (const text of [...texts, readableOf(shared)]) expect(text).not.toMatch(SUMS);
});

it('the list of links is ordered by the link to the order, by the address of a saved view, and by the name of the order in the API', async () => {
  const { browse, home, read, few, most, some } = await openClicked();
  const order = hrefOf(await read('/links'), 'Most visits');
  for (const path of [order, `${home}/links?sort=humans`, `${home}/links?sort=clicks&limit=100`]) {
    const page = await textOf(browse(path));
    expect(listed(page)).toEqual([most.id, some.id, few.id]);
    expect(page).toMatch(/aria-current="true"[^>]*>Most visits</);
  }
  const pages: string[][] = [];
  for (let path = `${order}&limit=1`; path !== '';) {
    const page = await textOf(browse(path));
    pages.push(listed(page) as string[]);
    path = /href="([^"]+)" rel="next"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  }
  expect(pages.flat()).toEqual([most.id, some.id, few.id]);
});

it('a page says of links that only programs have opened that no person has, and names the programs', async () => {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const home = `/platform/c/${caller.clientId}`;
  const link = await seedLink(caller, { campaign_name: 'Spring' });
  await deliver([packOf(link, [{ clicks: 31, userAgent: GOOGLEBOT }])]);
  const page = await textOf(browse(`${home}/links/${link.id}`));
  expect(totalsIn(page)).toEqual([
    ['Daily visitors', '0'],
    ['Visits', '0'],
    ['QR scans', '0'],
    ['Link previews', '0'],
    ['Bots', '31'],
  ]);
  const list = await textOf(browse(`${home}/links?sort=clicks`));
  expect(countsIn(list)).toEqual([[link.id, '0 visits']]);
  const campaigns = await textOf(browse(`${home}/campaigns`));
  expect(campaigns).toContain('data-label="Clicks by people">0<');
  expect(campaigns).toContain('The last click can also be that of a preview or a bot.');
});
