import { afterEach, expect, it, vi } from 'vitest';
import { deliver, GOOGLEBOT, packOf } from '../../support/clicks.ts';
import { seedCaller } from '../../support/forms.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../../support/objects.ts';
import { openBrowser } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The texts of the cells of the list, row by row. */
const rowsIn = (page: string) =>
  [...(page.split('<tbody')[1] ?? '').split('</tbody>')[0]!.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '').trim()),
  );

it('the page of campaigns lists campaigns with their links, clicks by people and last click, each a way to its links', async () => {
  vi.setSystemTime('2026-05-20T12:00:00Z');
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const path = `/platform/c/${caller.clientId}/campaigns`;
  const empty = await (await browse(path)).text();
  expect(empty).toContain('No campaigns yet');
  const link = await seedLink(caller, { campaign_name: 'Sale & <more>' });
  await seedLink(caller, { campaign_name: 'Quiet' });
  await deliver([packOf(link, [{ clicks: 3 }, { clicks: 40, userAgent: GOOGLEBOT }])]);
  const page = await (await browse(path)).text();
  expect(rowsIn(page)).toEqual([
    ['Quiet', '1', '0', 'None'],
    ['Sale &amp; &lt;more&gt;', '1', '3', '20 May 2026, 12:00 UTC'],
  ]);
  const [, href = ''] = /href="([^"]*campaign_name=Sale[^"]*)"/.exec(page) ?? [];
  const links = await (await browse(href.replaceAll('&amp;', '&'))).text();
  expect(links).toContain(`terse.test/${link.id}`);
  expect(page).toContain('Campaigns</a>');
});

it('the page of campaigns is there without clicks if the statistics do not respond, and shows nothing of another workspace', async () => {
  const [caller, stranger] = [await seedCaller(), await seedCaller()];
  await seedLink(caller, { campaign_name: 'Ours' });
  await seedLink(stranger, { campaign_name: 'Theirs' });
  vi.spyOn(console, 'error').mockReturnValue();
  replaceInObjects('totals', () => () => Promise.reject(OBJECT_FAILURE), caller.clientId);
  const { browse } = await openBrowser(caller);
  const response = await browse(`/platform/c/${caller.clientId}/campaigns`);
  expect([response.status, rowsIn(await response.text())]).toEqual([200, [['Ours', '1', 'Unknown', 'Unknown']]]);
  expect((await browse(`/platform/c/${stranger.clientId}/campaigns`)).status).toBe(404);
});
