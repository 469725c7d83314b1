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
    const all = await read('');
    const german = await read(hrefOf(all, 'DEGermany'));
    expect([peopleOf(all), peopleOf(german)]).toEqual([5, 4]);
    const tco = await read(hrefOf(german, 't.co'));
    expect(peopleOf(tco)).toBe(3);
    const phones = await read(hrefOf(tco, 'Phone'));
    expect(peopleOf(phones)).toBe(2);
    expect(hrefOf(phones, 'Remove the filter CountryGermany×')).toBe(`${path}?referrer=t.co&device=mobile`);
    expect(hrefOf(phones, 'Remove the filter DevicePhone×')).toBe(`${path}?country=DE&referrer=t.co`);
    expect(hrefOf(phones, 'Clear all')).toBe(path);
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
    expect(hrefOf(page, 'Do not compare: Compared with the 7 days before×')).toBe(`${path}?period=7d&country=DE`);
    expect(hrefOf(page, 'Link previews')).toBe(`${path}?period=7d&compare=previous&graph=previews&country=DE`);
    expect(hrefOf(await read('?period=today'), 'Compare with the day before')).toBe(
      `${path}?period=today&compare=previous`,
    );
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
    const both = await read(`?link=${other.id}&link=${link.id}`);
    expect([peopleOf(both), rowsOf(both, 'Links').map(([, people]) => people)]).toEqual([5, ['4', '1']]);
    const page = await read(`?link=${theirs.id}`);
    expect(page).toContain('A link of the filter was deleted, or is not in this workspace');
    expect(page).not.toContain('secret.example');
    expect(peopleOf(page)).toBe(5);
    expect(rowsOf(page, 'Links').map(([, people]) => people)).toEqual(['4', '1']);
  });

  it('filters of click statistics that are not valid are left out with a sentence', async () => {
    const { read } = await seedVisits();
    const page = await read('?country=Germany&country=DE&card=none&compare=x&graph=y&link=%3Cb%3E');
    expect(peopleOf(page)).toBe(4);
    for (const sentence of [
      'The filter country=&quot;Germany&quot; is not valid, so it is left out.',
      'The filter link=&quot;&lt;b&gt;&quot; is not valid, so it is left out.',
      'This page has no card &quot;none&quot;.',
      'The number &quot;y&quot; is not known.',
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
    expect([peopleOf(page), peopleIn(page, 'Clicks by week'), peopleIn(page, 'From')]).toEqual([2, 2, 2]);
    expect(page).not.toContain('class="change');
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
    const days = await browse(hrefOf(page, 'Days as CSV'));
    expect(days.headers.get('Content-Disposition')).toBe('attachment; filename="clicks-by-day.csv"');
    expect((await days.text()).split('\r\n').at(-2)).toBe('"2026-05-20",1,1,0,0');
    expect((await browse(`${path}?csv=destination`)).status).toBe(404);
  });

  it('cards of click statistics show no bar for all others, and no column of kinds without clicks', async () => {
    const { read } = await openStatisticsPages(
      Array.from({ length: 14 }, (_, i) => ({ ...GERMAN_PHONE, referrer: `site-${i}.example`, clicks: 1 })),
    );
    const page = await read('');
    const [card = ''] = /aria-labelledby="by-referrer".*?<\/table>/s.exec(page) ?? [];
    expect(card.match(/<svg class="len"/g)).toHaveLength(6);
    expect(rowsOf(page, 'From').at(-1)).toEqual(['All others', '8']);
    const all = await read(hrefOf(page, 'All 14: From'));
    expect(rowsOf(all, 'From')).toHaveLength(14);
    expect(rowsOf(all, 'From')[0]).toEqual(['site-0.example', '1', '7 %']);
    expect(page).toContain('No campaign is known.');
  });

  it('cards of click statistics have countries as links on a map, which only their own page loads', async () => {
    const { read, path } = await openStatisticsPages([
      GERMAN_PHONE,
      GERMAN_PHONE,
      { ...GERMAN_PHONE, country: 'AT' },
      {},
    ]);
    const page = await read('?card=country');
    expect(hrefOf(page, 'Germany: 2 clicks by people')).toBe(`${path}?card=country&country=DE`);
    expect(hrefOf(page, 'Austria: 1 click by people')).toBe(`${path}?card=country&country=AT`);
    const shadeOf = (shade: number, country: string) =>
      `<use class="shade-${shade}" href="${assetPath('world.svg')}#${country}" aria-hidden="true"></use>`;
    expect(page).toContain('<svg viewBox="0 0 960 427" role="group" aria-label="Countries on a map of the world">');
    expect(page).toContain(shadeOf(5, 'DE') + shadeOf(4, 'AT'));
    expect(await read('')).not.toContain('world.svg');
  });

  it('cards of the whole workspace need four trips to the database, two of them together, and two for a breakdown', async () => {
    const { read } = await openStatisticsPages([GERMAN_PHONE]);
    for (const [query, d1] of [
      ['?compare=previous', 4],
      ['?card=link', 3],
      ['?card=country', 2],
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
    expect(await read(plain.id)).not.toContain('by-destination');
    const page = await read(routed.id);
    expect(rowsOf(page, 'Destinations')).toEqual([['Default destination', '1']]);
    const href = hrefOf(page, 'Default destination');
    expect(href).toBe(`${path}/links/${routed.id}?destination=default`);
    const chosen = await (await browse(href)).text();
    expect(rowsOf(chosen, 'Destinations')).toEqual([['Default destination (filtered)', '1']]);
    const file = await browse(`${href}&csv=destination`);
    expect(await file.text()).toBe('"destination","total","humans","bots","previews"\r\n"default",1,1,0,0\r\n');
    expect((await browse(`${path}/links/${routed.id}?csv=link`)).status).toBe(404);
  });

  it('cards of click statistics weigh less than 12 KB with a chart of 90 days and three filters', async () => {
    const { read } = await seedVisits();
    const page = await read('?period=90d&compare=previous&country=DE&referrer=t.co&device=mobile');
    const packed = new Blob([page]).stream().pipeThrough(new CompressionStream('gzip'));
    expect((await new Response(packed).arrayBuffer()).byteLength).toBeLessThan(12_000);
  });
});
