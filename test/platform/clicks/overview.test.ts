import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { carryClicks } from '../../support/carried-clicks.ts';
import { CHROME, deliver, GOOGLEBOT, packOf, SLACK } from '../../support/clicks.ts';
import { seedCaller } from '../../support/forms.ts';
import { form, openBrowser } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { rowsOf } from '../../support/statistics-page.ts';
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
    const read = async (card: string) => (await browse(`/platform/c/${caller.clientId}?days=7&card=${card}`)).text();
    const page = await read('sources');
    expect(rowsOf(page, 'Clicks by day')).toEqual([
      ['20 May 2026 (so far)', '2', '1', '1'],
      ...[19, 18, 17, 16, 15, 14].map((day) => [`${day} May 2026`, '0', '0', '0']),
    ]);
    expect(rowsOf(page, 'Referrers')).toEqual([
      ['news.example', '2', '1', '0', '100 %'],
      ['All others', '0', '0', '1', '0 %'],
    ]);
    expect(rowsOf(await read('links'), 'Top links')).toEqual([
      [`terse.test/${one.id}example.comOpen`, '2', '1', '0', '100 %'],
      [`terse.test/${two.id}example.org/%3Ctwo%3EOpen`, '0', '0', '1', '0 %'],
    ]);
    expect(rowsOf(await read('locations'), 'Countries')).toEqual([
      ['Austria', '2', '1', '0', '100 %'],
      ['All others', '0', '0', '1', '0 %'],
    ]);
    expect(rowsOf(await read('technology'), 'Devices')[0]).toEqual(['Desktop', '2', '0', '0', '100 %']);
    expect(page).toContain(
      '<title id="chart-title">Clicks by day</title><desc id="chart-text">From 14 May 2026 to 20 May 2026: 2 clicks by people. Most on 20 May 2026 (so far): people 2, previews 1, bots 1.</desc>',
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
    const rows = rowsOf(await (await browse(`/platform/c/${caller.clientId}?card=links`)).text(), 'Top links');
    expect(rows[0]?.[0]).toContain(link.id);
    expect(rows[1]?.[0]).toBe('Deleted link (gone-0)');
    expect(rows.at(-1)).toEqual(['All others', '1', '8 %']);
  });

  it('the overview asks the database three times, for less than 100 rows, though links were clicked on each of 90 days', async () => {
    const caller = await seedCaller();
    await carryClicks(await seedLink(caller), { days: 91, humans: 9, bots: 0 });
    await carryClicks(await seedLink(caller), { days: 91, humans: 1, bots: 0 });
    const { browse } = await openBrowser(caller);
    const trips = await countTrips();
    const batch = vi.spyOn(env.DB, 'batch');
    const page = await (await browse(`/platform/c/${caller.clientId}?days=90&card=links`)).text();
    expect(rowsOf(page, 'Top links').map(([, people]) => people)).toEqual(['810', '90']);
    expect(trips().d1).toBe(3);
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    const rowsRead = results.flat().reduce((sum, { meta }) => sum + meta.rows_read, 0);
    expect(rowsRead).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(100);
  });
});
