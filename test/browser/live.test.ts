import { expect, it } from 'vitest';
import { follow, inspect, layoutShiftOf, ORIGIN, type Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** As long as a busy machine may take for a click to be counted. */
const SOON = { timeout: 60_000 };

async function visit(id: string, country: string): Promise<void> {
  const headers = { 'User-Agent': FIREFOX, 'CF-IPCountry': country, Referer: 'https://news.example/' };
  expect((await fetch(`${ORIGIN}/${id}`, { redirect: 'manual', headers })).status).toBe(302);
}

const rowsOf = async (page: Page) =>
  (await page.locator('[data-stream] tbody tr').allTextContents()).map((row) => row.trim());
const countries = async (page: Page) => page.locator('[data-stream] tbody td[data-label="Country"]').allTextContents();

it('clicks appear at the top as they happen, and wait while the page is paused', { timeout: 300_000 }, async () => {
  const { page, account } = await openLinks();
  const [id, other] = [await make(account), await make(account)];
  await page.goto(`/platform/c/${account.clientId}`);
  await follow(page.getByRole('link', { name: 'Live', exact: true }));
  await page.getByText('Connected. New clicks appear at the top.').first().waitFor();
  expect(await page.getByRole('heading', { name: 'No recent clicks' }).isVisible()).toBe(true);
  await page.reload();
  await page.getByText('Connected. New clicks appear at the top.').first().waitFor();
  expect(Math.floor((await layoutShiftOf(page)) * 100)).toBe(0);
  await inspect(page, 'live-empty');
  await visit(id, 'AT');
  await expect.poll(() => countries(page), SOON).toEqual(['Austria']);
  expect(await page.getByRole('heading', { name: 'No recent clicks' }).isVisible()).toBe(false);
  await visit(other, 'DE');
  await expect.poll(() => countries(page), SOON).toEqual(['Germany', 'Austria']);
  await page.getByText('2 clicks in the last minute').first().waitFor();
  const more = 'retry: 600000\nid: 1-1\nevent: more\ndata: {"count":1300}\n\n';
  await page.route(/\/live\/stream/, (route) => route.fulfill({ contentType: 'text/event-stream', body: more }));
  await page.reload();
  await page.getByText('1,302 clicks in the last minute').first().waitFor();
  expect((await rowsOf(page))[0]).toBe('and 1,300 more clicks');
  await page.unrouteAll();
  await page.reload();
  await page.getByText('2 clicks in the last minute').first().waitFor();
  await page.getByText('Connected. New clicks appear at the top.').first().waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await visit(id, 'CH');
  await page.getByText('Paused: 1 newer rows.').waitFor();
  expect(await countries(page)).toEqual(['Germany', 'Austria']);
  await page.getByRole('button', { name: 'Resume' }).click();
  expect(await countries(page)).toEqual(['Switzerland', 'Germany', 'Austria']);
  expect((await rowsOf(page))[0]).toContain('news.example');
  await inspect(page, 'live');
  // Of one link, without those of others.
  await follow(page.locator('[data-stream] tbody').getByRole('link', { name: new RegExp(`/${other}$`) }));
  await page.getByText('Connected. New clicks appear at the top.').first().waitFor();
  expect(await countries(page)).toEqual(['Germany']);
  await visit(id, 'FR');
  await visit(other, 'IT');
  await expect.poll(() => countries(page), SOON).toEqual(['Italy', 'Germany']);
  await follow(page.getByRole('link', { name: 'All links' }));
  await expect.poll(() => countries(page), SOON).toEqual(['Italy', 'France', 'Switzerland', 'Germany', 'Austria']);
});

it('says that it connects again, and why it has ended', { timeout: 300_000 }, async () => {
  const { page, account } = await openLinks();
  const id = await make(account);
  await page.goto(`/platform/c/${account.clientId}/links/${id}`);
  await follow(page.getByRole('link', { name: 'Live', exact: true }));
  await page.getByText('Connected. New clicks appear at the top.').first().waitFor();
  for (const status of [429, 502]) {
    await page.route(/\/live\/stream/, (route) => route.fulfill({ status, contentType: 'text/html', body: '' }));
    await page.reload();
    await page
      .getByText(status === 429 ? 'Too many live pages of this workspace are open.' : 'Connecting')
      .first()
      .waitFor();
    await page.unrouteAll();
    await page.getByText('Connected. New clicks appear at the top.').first().waitFor(SOON);
  }
  const end = 'event: end\ndata: {"reason":"gone","detail":"The link has been deleted."}\n\n';
  await page.route(/\/live\/stream/, (route) => route.fulfill({ contentType: 'text/event-stream', body: end }));
  await page.reload();
  await page.getByText('The link has been deleted.').first().waitFor();
  expect(await page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(false);
  await page.unrouteAll();
  await page.route(/\/live\/stream/, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'retry: 600000\n: connected\n\n' }),
  );
  await page.reload();
  await page.getByText('Connecting…').first().waitFor();
});

it('without scripts shows the last clicks when it is refreshed', async () => {
  const { page, account } = await openLinks(false);
  const id = await make(account);
  await page.goto(`/platform/c/${account.clientId}/live`);
  expect(await page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(false);
  const refresh = page.getByRole('link', { name: 'Refresh' });
  expect(await refresh.getAttribute('href')).toBe(`/platform/c/${account.clientId}/live`);
  await visit(id, 'AT');
  const refreshed = async () => {
    await Promise.all([page.waitForResponse(/\/live$/), refresh.click()]);
    await page.waitForLoadState('load');
    return countries(page);
  };
  await expect.poll(refreshed, SOON).toEqual(['Austria']);
});
