import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver, CHROME, GOOGLEBOT, packOf, type PackedBy } from '../../support/clicks.ts';
import { seedCaller } from '../../support/forms.ts';
import { form, openBrowser } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { hrefOf, peopleIn, peopleOf, rowsOf } from '../../support/statistics-page.ts';
import { foldClicks, seedClicks } from '../../support/stats.ts';
import { countTrips } from '../../support/trips.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:30:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const phone = { userAgent: IPHONE, country: 'DE', referrer: 't.co' };

/** A workspace with some clicks, and its overview. */
async function seed(clicks: readonly PackedBy[], { tz = 'UTC', campaign = null as string | null } = {}) {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  await browse('/platform/account/time-zone', form({ tz }));
  const link = await seedLink(caller, campaign === null ? {} : { campaign_name: campaign });
  await deliver([packOf(link, clicks)]);
  const path = `/platform/c/${caller.clientId}`;
  const read = async (query: string) => (await browse(query.startsWith('/') ? query : `${path}${query}`)).text();
  return { caller, link, browse, path, read };
}

const seedVisits = () =>
  seed([
    phone,
    phone,
    { ...phone, userAgent: CHROME },
    { ...phone, referrer: 'news.example' },
    { ...phone, country: 'AT' },
  ]);

describe('filters of click statistics', () => {
  it('are added row by row, combine, and are removed one by one', async () => {
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

  it('take several values, and what is not known', async () => {
    const { read } = await seed([phone, { country: 'AT' }, {}]);
    expect(peopleOf(await read('?country=DE&country=at'))).toBe(2);
    const unknown = await read('?country=null');
    expect(peopleOf(unknown)).toBe(1);
    expect(unknown).toContain('<bdi>Unknown</bdi>');
  });

  it('keep the period, the comparison and the card, and so does the form for other days', async () => {
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

  it('say that nothing matches, and how to go on', async () => {
    const { read, path } = await seedVisits();
    const page = await read('?country=FR');
    expect(page).toContain('<h2>No clicks in the last 30 days</h2>');
    expect(page).toContain('No click matches all filters.');
    expect(hrefOf(page, 'Clear all')).toBe(path);
  });

  it('by a link show only its clicks; another workspace’s link shows nothing of it', async () => {
    const { caller, link, read } = await seed([phone]);
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

  it('that are not valid are left out with a sentence', async () => {
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

  it('beyond what is kept say from when on the numbers hold', async () => {
    const { read, caller, link } = await seed([phone]);
    await seedClicks(link, [
      { at: '2026-01-01T12:00:00Z', country: 'DE' },
      { at: '2026-05-01T12:00:00Z', country: 'DE' },
    ]);
    await foldClicks(caller.clientId);
    const page = await read('?period=12m&country=DE&compare=previous');
    expect(page).toContain('Which clicks match the filters is kept since 2 Jan 2026, 00:00 UTC.');
    expect([peopleOf(page), peopleIn(page, 'Clicks by week'), peopleIn(page, 'Referrers')]).toEqual([2, 2, 2]);
    expect(page).not.toContain('class="change"');
    expect(peopleOf(await read('?period=12m'))).toBe(3);
  });
});

describe('the period of click statistics', () => {
  it.each([
    ['?period=today', 'Clicks by hour', 13],
    ['?period=7d', 'Clicks by day', 7],
    ['', 'Clicks by day', 30],
    ['?days=90', 'Clicks by day', 90],
    ['?period=month', 'Clicks by day', 20],
    ['?period=12m', 'Clicks by week', 53],
    ['?from=2026-05-18&to=2026-05-20', 'Clicks by day', 3],
    ['?from=2026-05-19&to=2026-05-20', 'Clicks by hour', 37],
    ['?from=2026-05-20', 'Clicks by hour', 13],
    ['?from=2026-05-01&to=2030-01-01', 'Clicks by day', 20],
  ])('%s is shown as %s, %i of them', async (query, caption, rows) => {
    const { read } = await seed([phone]);
    const page = await read(query);
    expect([rowsOf(page, caption).length, peopleIn(page, caption), peopleOf(page)]).toEqual([rows, 1, 1]);
    expect(rowsOf(page, caption)[0]?.[0]).toContain('(so far)');
    expect(page).toContain('mask="url(#so-far)"');
  });

  it.each([
    [
      '?from=2026-05-20&to=2026-05-18',
      'Choose a first day from 2000 on and a last day that is not before it, at most 400 days. These are the last 30 days.',
    ],
    [
      '?from=x',
      'Choose a first day from 2000 on and a last day that is not before it, at most 400 days. These are the last 30 days.',
    ],
    [
      '?from=2024-01-01&to=2026-05-18',
      'Choose a first day from 2000 on and a last day that is not before it, at most 400 days. These are the last 30 days.',
    ],
    [
      '?from=1999-01-01',
      'Choose a first day from 2000 on and a last day that is not before it, at most 400 days. These are the last 30 days.',
    ],
    ['?period=%3Cb%3E', 'The period &quot;&lt;b&gt;&quot; is not known. These are the last 30 days.'],
  ])('%s is refused: %s', async (query, sentence) => {
    const { read } = await seed([phone]);
    const page = await read(query);
    expect(page).toContain(sentence);
    expect(rowsOf(page, 'Clicks by day')).toHaveLength(30);
  });

  it('has weeks from Monday to Sunday in the zone of the user, which lead to their days', async () => {
    const sunday = { ...phone, at: Date.parse('2026-05-17T22:30:00Z') };
    const { read, path } = await seed([sunday, phone], { tz: 'Europe/Vienna' });
    const page = await read('?period=12m');
    expect(rowsOf(page, 'Clicks by week').slice(0, 2)).toEqual([
      ['18 May 2026 to 20 May 2026 (so far)', '2', '0', '0'],
      ['11 May 2026 to 17 May 2026', '0', '0', '0'],
    ]);
    const href = hrefOf(page, '11 May 2026 to 17 May 2026: people 0, previews 0, bots 0');
    expect(href).toBe(`${path}?from=2026-05-11&to=2026-05-17`);
  });

  it('is compared with as many days before until the same hour, in words', async () => {
    const at = (instant: string, clicks: number) => ({ ...phone, at: Date.parse(instant), clicks });
    const { read } = await seed([
      at('2026-05-20T09:00:00Z', 3),
      at('2026-05-19T12:40:00Z', 2),
      at('2026-05-19T13:00:00Z', 9),
      { ...at('2026-05-20T09:00:00Z', 1), userAgent: GOOGLEBOT },
    ]);
    const page = await read('?period=today&compare=previous');
    expect([...page.matchAll(/<dd class="change">([^<]*)</g)].map(([, text]) => text)).toEqual([
      '+50 % from 2',
      'no change',
      'new',
    ]);
    expect(page).toContain('20 May 2026, compared with 19 May 2026 until 19 May 2026, 13:00 UTC');
    expect(peopleOf(await read('?from=2026-05-19&to=2026-05-19'))).toBe(11);
  });
});

describe('cards of click statistics', () => {
  it('are files too, with the same filters and period, and no cell is run as a formula', async () => {
    const { browse, path } = await seed([phone, { ...phone, country: 'AT' }], { campaign: '=1+1' });
    const page = await (await browse(`${path}?country=DE`)).text();
    const href = hrefOf(page, 'Campaigns as CSV');
    expect(href).toBe(`${path}?country=DE&csv=campaign`);
    const file = await browse(href);
    expect([file.headers.get('Content-Type'), file.headers.get('Content-Disposition')]).toEqual([
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="clicks-by-campaign.csv"',
    ]);
    expect(await file.text()).toBe(`campaign,total,humans,bots,previews\r\n"'=1+1",1,1,0,0\r\n`);
    expect((await browse(`${path}?csv=destination`)).status).toBe(404);
  });

  it('show no bar for all others, and no column of kinds without clicks', async () => {
    const { read } = await seed(
      Array.from({ length: 14 }, (_, i) => ({ ...phone, referrer: `site-${i}.example`, clicks: 1 })),
    );
    const page = await read('');
    const [table = ''] = /<table class="counts breakdown">.*?<\/table>/s.exec(page) ?? [];
    expect(table.match(/<svg class="share"/g)).toHaveLength(10);
    expect(rowsOf(page, 'Referrers').at(-1)).toEqual(['All others', '4', '29 %']);
    expect(page).not.toContain('as CSV" download="clicks-by-campaign.csv"');
    expect(page).toContain('No campaign is known.');
  });

  it('have countries as links on a map, which only their tab loads', async () => {
    const { read, path } = await seed([phone, phone, { ...phone, country: 'AT' }, {}]);
    const page = await read('?card=locations');
    expect(hrefOf(page, 'Germany: 2 clicks by people')).toBe(`${path}?card=locations&country=DE`);
    expect(hrefOf(page, 'Austria: 1 click by people')).toBe(`${path}?card=locations&country=AT`);
    expect(page).toContain('href="/assets/world.svg#DE"');
    expect(await read('')).not.toContain('world.svg');
  });

  it('of the whole workspace need two trips to the database, with links three, and one to the object', async () => {
    const { read } = await seed([phone]);
    for (const [query, d1] of [
      ['?compare=previous', 2],
      ['?card=links', 3],
    ] as const) {
      const trips = countTrips();
      await read(query);
      expect({ query, d1: trips().d1 }).toEqual({ query, d1 });
      vi.restoreAllMocks();
    }
  });

  it('name destinations on the page of a link that has some, and default for the rest', async () => {
    const { caller, browse, path } = await seed([]);
    const variants = JSON.stringify(
      ['a', 'b'].map((name) => ({ url: `https://example.com/${name}`, weight: 50, name })),
    );
    const [plain, routed] = [await seedLink(caller), await seedLink(caller, { variants })];
    await deliver([packOf(plain, [phone]), packOf(routed, [phone])]);
    const read = async (id: string, query = '') => (await browse(`${path}/links/${id}${query}`)).text();
    expect(await read(plain.id)).not.toContain('card=destinations');
    const page = await read(routed.id, '?card=destinations');
    expect(rowsOf(page, 'Destinations')).toEqual([['Default destination', '1', '100 %']]);
    const href = hrefOf(page, 'Default destination');
    expect(href).toBe(`${path}/links/${routed.id}?card=destinations&destination=default`);
    const chosen = await (await browse(href)).text();
    expect(rowsOf(chosen, 'Destinations')).toEqual([['Default destination (filtered)', '1', '100 %']]);
    const file = await browse(`${href}&csv=destination`);
    expect(await file.text()).toBe('destination,total,humans,bots,previews\r\ndefault,1,1,0,0\r\n');
    expect((await browse(`${path}/links/${routed.id}?csv=link`)).status).toBe(404);
  });

  it('weigh less than 12 KB with a bar for each of 90 days and three filters', async () => {
    const { read } = await seedVisits();
    const page = await read('?period=90d&compare=previous&country=DE&referrer=t.co&device=mobile');
    const packed = new Blob([page]).stream().pipeThrough(new CompressionStream('gzip'));
    expect((await new Response(packed).arrayBuffer()).byteLength).toBeLessThan(12_000);
  });
});
