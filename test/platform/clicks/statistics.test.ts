import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { assetPath } from '../../../src/http/assets.ts';
import { deliver, CHROME, packOf } from '../../support/clicks.ts';
import { seedCaller } from '../../support/forms.ts';
import { seedLink } from '../../support/seed.ts';
import {
  GERMAN_PHONE,
  hrefOf,
  openStatisticsPages,
  peopleIn,
  peopleOf,
  rowsOf,
} from '../../support/statistics-page.ts';
import { foldClicks, seedClicks } from '../../support/stats.ts';
import { countTrips } from '../../support/trips.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:30:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const seedVisits = () =>
  openStatisticsPages([
    GERMAN_PHONE,
    GERMAN_PHONE,
    { ...GERMAN_PHONE, userAgent: CHROME },
    { ...GERMAN_PHONE, referrer: 'news.example' },
    { ...GERMAN_PHONE, country: 'AT' },
  ]);

describe('filters of click statistics', () => {
  it('filters of click statistics are added row by row, combine, and are removed one by one', async () => {
    const { read, path } = await seedVisits();
    const all = await read('?card=locations');
    const german = await read(hrefOf(all, 'Germany'));
    expect([peopleOf(all), peopleOf(german)]).toEqual([5, 4]);
    const german2 = await read(hrefOf(german, 'Sources').replace('#cards', ''));
    const tco = await read(hrefOf(german2, 't.co'));
    expect(peopleOf(tco)).toBe(3);
    const phones = await read(hrefOf(await read(hrefOf(tco, 'Technology').replace('#cards', '')), 'Mobile'));
    expect(peopleOf(phones)).toBe(2);
    expect(hrefOf(phones, 'Remove the filter CountryGermany×')).toBe(
      `${path}?card=technology&referrer=t.co&device=mobile`,
    );
    expect(hrefOf(phones, 'Remove the filter DeviceMobile×')).toBe(`${path}?card=technology&country=DE&referrer=t.co`);
    expect(hrefOf(phones, 'Clear all')).toBe(`${path}?card=technology`);
    expect(peopleIn(phones, 'Devices')).toBe(2);
  });

  it('filters of click statistics take several values, and what is not known', async () => {
    const { read } = await openStatisticsPages([GERMAN_PHONE, { country: 'AT' }, {}]);
    expect(peopleOf(await read('?country=DE&country=at'))).toBe(2);
    const unknown = await read('?country=null');
    expect(peopleOf(unknown)).toBe(1);
    expect(unknown).toContain('<bdi>Unknown</bdi>');
  });

  it('filters of click statistics keep the period, the comparison and the card, and so does the form for other days', async () => {
    const { read, path } = await seedVisits();
    const page = await read('?period=7d&compare=previous&country=DE');
    expect(hrefOf(page, 't.co')).toBe(`${path}?period=7d&compare=previous&country=DE&referrer=t.co`);
    expect(hrefOf(page, 'Today')).toBe(`${path}?period=today&compare=previous&country=DE`);
    expect(hrefOf(page, 'Do not compare')).toBe(`${path}?period=7d&country=DE`);
    const [formOf = ''] = /<form method="get".*?<\/form>/s.exec(page) ?? [];
    expect([...formOf.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])).toEqual([
      ['compare', 'previous'],
      ['country', 'DE'],
      ['from', '2026-05-14'],
      ['to', '2026-05-20'],
    ]);
  });

  it('filters of click statistics say that nothing matches, and how to continue', async () => {
    const { read, path } = await seedVisits();
    const page = await read('?country=FR');
    expect(page).toContain('<h2>No clicks in the last 30 days</h2>');
    expect(page).toContain('No click matches all filters.');
    expect(hrefOf(page, 'Clear all')).toBe(path);
  });

  it('filters of click statistics can name a link of the workspace alone, and show only its clicks', async () => {
    const { caller, link, read } = await openStatisticsPages([GERMAN_PHONE]);
    const other = await seedLink(caller);
    const stranger = await seedCaller();
    const theirs = await seedLink(stranger, { url: 'https://secret.example/' });
    await deliver([packOf(other, 4), packOf(theirs, 7)]);
    expect(peopleOf(await read(`?link=${other.id}`))).toBe(4);
    const both = await read(`?card=links&link=${other.id}&link=${link.id}`);
    expect([peopleOf(both), rowsOf(both, 'Top links').map(([, people]) => people)]).toEqual([5, ['4', '1']]);
    const page = await read(`?link=${theirs.id}&card=links`);
    expect(page).toContain('A link of the filter was deleted, or is not in this workspace');
    expect(page).not.toContain('secret.example');
    expect(peopleOf(page)).toBe(5);
    expect(rowsOf(page, 'Top links').map(([, people]) => people)).toEqual(['4', '1']);
  });

  it('filters of click statistics that are not valid are left out with a sentence', async () => {
    const { read } = await seedVisits();
    const page = await read('?country=Germany&country=DE&card=none&compare=x&link=%3Cb%3E');
    expect(peopleOf(page)).toBe(4);
    for (const sentence of [
      'The filter country=&quot;Germany&quot; is not valid, so it is left out.',
      'The filter link=&quot;&lt;b&gt;&quot; is not valid, so it is left out.',
      'This page has no card &quot;none&quot;.',
      'The comparison &quot;x&quot; is not known, so nothing is compared.',
    ])
      expect(page).toContain(sentence);
  });

  it('filters of click statistics beyond what is kept say from when on the numbers hold', async () => {
    const { read, caller, link } = await openStatisticsPages([GERMAN_PHONE]);
    await seedClicks(link, [
      { at: '2026-01-01T12:00:00Z', country: 'DE' },
      { at: '2026-05-01T12:00:00Z', country: 'DE' },
    ]);
    await foldClicks(caller.clientId);
    const page = await read('?period=12m&country=DE&compare=previous');
    expect(page).toContain('Filters reach back to 2 Jan 2026, 00:00 UTC.');
    expect([peopleOf(page), peopleIn(page, 'Clicks by week'), peopleIn(page, 'Referrers')]).toEqual([2, 2, 2]);
    expect(page).not.toContain('class="change"');
    expect(peopleOf(await read('?period=12m'))).toBe(3);
  });
});

describe('cards of click statistics', () => {
  it('cards of click statistics are files too, with the same filters and period, and no cell is run as a formula', async () => {
    const { browse, path } = await openStatisticsPages([GERMAN_PHONE, { ...GERMAN_PHONE, country: 'AT' }], {
      campaign: '=1+1',
    });
    const page = await (await browse(`${path}?country=DE`)).text();
    const href = hrefOf(page, 'Campaigns as CSV');
    expect(href).toBe(`${path}?country=DE&csv=campaign`);
    const file = await browse(href);
    expect([file.headers.get('Content-Type'), file.headers.get('Content-Disposition')]).toEqual([
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="clicks-by-campaign.csv"',
    ]);
    expect(await file.text()).toBe(`"campaign","total","humans","bots","previews"\r\n"'=1+1",1,1,0,0\r\n`);
    expect((await browse(`${path}?csv=destination`)).status).toBe(404);
  });

  it('cards of click statistics show no bar for all others, and no column of kinds without clicks', async () => {
    const { read } = await openStatisticsPages(
      Array.from({ length: 14 }, (_, i) => ({ ...GERMAN_PHONE, referrer: `site-${i}.example`, clicks: 1 })),
    );
    const page = await read('');
    const [table = ''] = /<table class="counts breakdown">.*?<\/table>/s.exec(page) ?? [];
    expect(table.match(/<svg class="share"/g)).toHaveLength(10);
    expect(rowsOf(page, 'Referrers').at(-1)).toEqual(['All others', '4', '29 %']);
    expect(page).not.toContain('as CSV" download="clicks-by-campaign.csv"');
    expect(page).toContain('No campaign is known.');
  });

  it('cards of click statistics have countries as links on a map, which only their tab loads', async () => {
    const { read, path } = await openStatisticsPages([
      GERMAN_PHONE,
      GERMAN_PHONE,
      { ...GERMAN_PHONE, country: 'AT' },
      {},
    ]);
    const page = await read('?card=locations');
    expect(hrefOf(page, 'Germany: 2 clicks by people')).toBe(`${path}?card=locations&country=DE`);
    expect(hrefOf(page, 'Austria: 1 click by people')).toBe(`${path}?card=locations&country=AT`);
    const shadeOf = (shade: number, country: string) =>
      `<use class="shade-${shade}" href="${assetPath('world.svg')}#${country}" aria-hidden="true"></use>`;
    expect(page).toContain('<svg viewBox="0 0 960 427" role="group" aria-label="Countries on a map of the world">');
    expect(page).toContain(shadeOf(5, 'DE') + shadeOf(4, 'AT'));
    expect(await read('')).not.toContain('world.svg');
  });

  it('cards of the whole workspace need two trips to the database, with links three, and one to the object', async () => {
    const { read } = await openStatisticsPages([GERMAN_PHONE]);
    for (const [query, d1] of [
      ['?compare=previous', 2],
      ['?card=links', 3],
    ] as const) {
      const trips = await countTrips();
      await read(query);
      expect({ query, d1: trips().d1 }).toEqual({ query, d1 });
      vi.restoreAllMocks();
    }
  });

  it('cards of click statistics name destinations on the page of a link that has some, and default for the rest', async () => {
    const { caller, browse, path } = await openStatisticsPages([]);
    const variants = JSON.stringify(
      ['a', 'b'].map((name) => ({ url: `https://example.com/${name}`, weight: 50, name })),
    );
    const [plain, routed] = [await seedLink(caller), await seedLink(caller, { variants })];
    await deliver([packOf(plain, [GERMAN_PHONE]), packOf(routed, [GERMAN_PHONE])]);
    const read = async (id: string, query = '') => (await browse(`${path}/links/${id}${query}`)).text();
    expect(await read(plain.id)).not.toContain('card=destinations');
    const page = await read(routed.id, '?card=destinations');
    expect(rowsOf(page, 'Destinations')).toEqual([['Default destination', '1', '100 %']]);
    const href = hrefOf(page, 'Default destination');
    expect(href).toBe(`${path}/links/${routed.id}?card=destinations&destination=default`);
    const chosen = await (await browse(href)).text();
    expect(rowsOf(chosen, 'Destinations')).toEqual([['Default destination (filtered)', '1', '100 %']]);
    const file = await browse(`${href}&csv=destination`);
    expect(await file.text()).toBe('"destination","total","humans","bots","previews"\r\n"default",1,1,0,0\r\n');
    expect((await browse(`${path}/links/${routed.id}?csv=link`)).status).toBe(404);
  });

  it('cards of click statistics weigh less than 12 KB with a bar for each of 90 days and three filters', async () => {
    const { read } = await seedVisits();
    const page = await read('?period=90d&compare=previous&country=DE&referrer=t.co&device=mobile');
    const packed = new Blob([page]).stream().pipeThrough(new CompressionStream('gzip'));
    expect((await new Response(packed).arrayBuffer()).byteLength).toBeLessThan(12_000);
  });
});
