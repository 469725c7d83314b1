import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { carryClicks } from '../../support/carried-clicks.ts';
import { CHROME, deliver, GOOGLEBOT, packOf, SLACK } from '../../support/clicks.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { form, openBrowser } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { rowsOf, totalsIn } from '../../support/statistics-page.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the overview', () => {
  it('the overview shows clicks by day, and people, previews and bots apart in every breakdown', async () => {
    vi.setSystemTime('2026-05-20T12:00:00Z');
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const [one, two] = [await seedLink(caller), await seedLink(caller, { url: 'https://example.org/<two>' })];
    const clicks = [CHROME, CHROME, SLACK].map((userAgent) => ({ userAgent, country: 'AT', referrer: 'news.example' }));
    await deliver([packOf(one, clicks), packOf(two, [{ userAgent: GOOGLEBOT }])]);
    const read = async (query: string) => (await browse(`/platform/c/${caller.clientId}?days=7${query}`)).text();
    const page = await read('');
    expect(totalsIn(page)).toEqual([
      ['Daily visitors', '–'],
      ['Visits', '2'],
      ['QR scans', '0'],
      ['Link previews', '1'],
      ['Bots', '1'],
    ]);
    expect(rowsOf(page, 'Clicks by day')).toEqual([
      ['20 May 2026 (so far)', '2', '1', '1'],
      ...[19, 18, 17, 16, 15, 14].map((day) => [`${day} May 2026`, '0', '0', '0']),
    ]);
    expect(rowsOf(page, 'From')).toEqual([['news.example', '2']]);
    expect(rowsOf(page, 'Countries')).toEqual([['ATAustria', '2']]);
    expect(rowsOf(page, 'Links')).toEqual([[`terse.test/${one.id}`, '2']]);
    expect(rowsOf(page, 'Devices')).toEqual([['Computer', '2']]);
    expect(rowsOf(await read('&graph=bots'), 'Links')).toEqual([[`terse.test/${two.id}`, '1']]);
    expect(rowsOf(await read('&card=link'), 'Links')).toEqual([
      [`terse.test/${one.id}`, '2', '1', '0', '100 %'],
      [`terse.test/${two.id}`, '0', '0', '1', '0 %'],
    ]);
    expect(rowsOf(await read('&card=country'), 'Countries')).toEqual([
      ['ATAustria', '2', '1', '0', '100 %'],
      ['All others', '0', '0', '1', '0 %'],
    ]);
    expect(page).toContain(
      '<title id="chart-title">Clicks by day</title><desc id="chart-text">Visits from 14 May 2026 to 20 May 2026: 2. Most on 20 May 2026 (so far): 2.</desc>',
    );
    expect(page).toMatch(/aria-current="true">7 days</);
    expect(page).not.toContain('style=');
  });

  it('the overview takes days by the clocks of the user’s zone', async () => {
    vi.setSystemTime('2026-05-20T12:00:00Z');
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    await browse('/platform/account/time-zone', form({ tz: 'Asia/Tokyo' }));
    await deliver([packOf(await seedLink(caller), [{ at: Date.parse('2026-05-19T16:00:00Z') }])]);
    const page = await (await browse(`/platform/c/${caller.clientId}?days=7`)).text();
    expect(rowsOf(page, 'Clicks by day')[0]).toEqual(['20 May 2026 (so far)', '1', '0', '0']);
    expect(page).toContain('Days in Asia/Tokyo');
  });

  it('the overview shows the next step before the first click, and takes any other number of days for 30, saying so', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const page = await (await browse(`/platform/c/${caller.clientId}?days=12`)).text();
    expect(page).toContain('<h2>No clicks in the last 30 days</h2>');
    expect(page).toContain('The period &quot;12&quot; is not known. These are the last 30 days.');
    expect(page).toContain(`href="/platform/c/${caller.clientId}/links/new"`);
  });

  it('the overview says nothing of the clicks of another client', async () => {
    const [stranger, caller] = [await seedCaller(), await seedCaller()];
    await deliver([packOf(await seedLink(stranger), 3)]);
    const { browse } = await openBrowser(caller);
    expect(await (await browse(`/platform/c/${caller.clientId}`)).text()).toContain('No clicks in the last 30 days');
    expect((await browse(`/platform/c/${stranger.clientId}`)).status).toBe(404);
  });

  it('the overview names a removed link by its id, and sums up those that it does not name', async () => {
    const caller = await seedCaller();
    const link = await seedLink(caller);
    await deliver([...Array.from({ length: 10 }, (_, i) => packOf({ ...link, id: `gone-${i}` }, 1)), packOf(link, 2)]);
    const { browse } = await openBrowser(caller);
    const read = async (query: string) => (await browse(`/platform/c/${caller.clientId}${query}`)).text();
    const rows = rowsOf(await read(''), 'Links');
    expect(rows[0]?.[0]).toContain(link.id);
    expect(rows[1]?.[0]).toBe('Deleted link (gone-0)');
    expect(rows.at(-1)).toEqual(['All others', '5']);
    expect(rowsOf(await read('?card=link'), 'Links').length).toBe(11);
  });

  it('the overview says when a campaign of its clicks began, and names no campaign of another client', async () => {
    vi.setSystemTime('2026-05-20T12:00:00Z');
    const [caller, stranger] = [await seedCaller(), await seedCaller()];
    await seedLink(stranger, { campaign_name: 'Spring' });
    vi.setSystemTime('2026-05-27T12:00:00Z');
    const link = await seedLink(caller, { campaign_name: 'Spring' });
    await deliver([packOf(link, 3)]);
    const { browse } = await openBrowser(caller);
    const page = await (await browse(`/platform/c/${caller.clientId}`)).text();
    expect(page).toContain('<ol class="pin-keys" aria-label="What changed"><li><span class="pin-number">1</span>');
    expect(page).toContain(
      `<a href="/platform/c/${caller.clientId}/campaigns/Spring">Campaign began: <bdi>Spring</bdi></a> <span class="quiet">27 May 2026</span>`,
    );
  });

  it('the overview says when links were imported and by whom, and nothing of imports of another client', async () => {
    const [caller, stranger] = [await seedCaller(), await seedCaller()];
    const imported = async ({ clientId, apiKey }: Caller, day: string, query = '') => {
      vi.setSystemTime(`2026-05-${day}T12:00:00Z`);
      const path = `/v1/links/import?client_id=${clientId}${query}`;
      const headers = { 'X-API-Key': apiKey, 'Content-Type': 'text/csv' };
      const response = await call(path, { method: 'POST', headers, body: 'url\nhttps://example.com/\n' });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"created":1')]);
    };
    await imported(stranger, '10');
    await imported(caller, '13', '&dry_run=true');
    await imported(caller, '20');
    vi.setSystemTime('2026-05-27T12:00:00Z');
    await deliver([packOf(await seedLink(caller), 3)]);
    const { browse } = await openBrowser(caller);
    const page = await (await browse(`/platform/c/${caller.clientId}`)).text();
    const [keys] = /<ol class="pin-keys".*?<\/ol>/.exec(page) ?? [];
    expect(keys).toBe(
      '<ol class="pin-keys" aria-label="What changed"><li><span class="pin-number">1</span><span>Links imported' +
        `<span class="quiet"> by <bdi>${caller.userName}</bdi></span> <span class="quiet">on 20 May 2026</span></span></li></ol>`,
    );
  });

  it('the overview has no ID of the workspace and no command, which are on the page of API keys', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const read = async (path: string) => (await browse(`/platform/c/${caller.clientId}${path}`)).text();
    const [overview, keys] = [await read(''), await read('/keys')];
    for (const text of ['Workspace ID', 'client_id=', 'curl']) {
      expect(overview).not.toContain(text);
      expect(keys).toContain(text);
    }
  });

  it('the overview asks the database four times, for less than 125 rows, though links were clicked on each of 90 days', async () => {
    const caller = await seedCaller();
    await carryClicks(await seedLink(caller), { days: 91, humans: 9, bots: 0 });
    await carryClicks(await seedLink(caller), { days: 91, humans: 1, bots: 0 });
    await deliver([packOf(await seedLink(caller, { campaign_name: 'Spring' }), 1)]);
    const { browse } = await openBrowser(caller);
    const trips = await countTrips();
    const batch = vi.spyOn(env.DB, 'batch');
    const page = await (await browse(`/platform/c/${caller.clientId}?days=90`)).text();
    expect(rowsOf(page, 'Links').map(([, people]) => people)).toEqual(['810', '90', '1']);
    expect(trips().d1).toBe(4);
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    const rowsRead = results.flat().reduce((sum, { meta }) => sum + meta.rows_read, 0);
    expect(rowsRead).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(125);
  });
});
