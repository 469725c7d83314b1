import { expect, it } from 'vitest';
import { follow, inspect, layoutShiftOf, menuOf, ORIGIN, type Page } from './support/browser.ts';
import { COUNTED, make, openLinks } from './support/links.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function visit(id: string, country: string): Promise<void> {
  const headers = { 'User-Agent': FIREFOX, 'CF-IPCountry': country, Referer: 'https://news.example/' };
  expect((await fetch(`${ORIGIN}/${id}`, { redirect: 'manual', headers })).status).toBe(302);
}

const rowsOf = async (page: Page) =>
  (await page.locator('[data-stream] tbody tr').allTextContents()).map((row) => row.trim());
const countries = async (page: Page) => page.locator('[data-stream] tbody td[data-label="Country"]').allTextContents();

it('clicks appear at the top as they happen, and wait while the page is paused', async () => {
  const { page, account } = await openLinks();
  const [id, other] = [await make(account), await make(account)];
  await page.goto(`/platform/c/${account.clientId}`);
  await follow(page.getByRole('link', { name: 'Live', exact: true }));
  await page.getByText('Connected. New clicks appear at the top.').first().waitFor();
  expect(await page.getByRole('heading', { name: 'No recent clicks' }).isVisible()).toBe(true);
  await page.reload();
  await page.getByText('Connected. New clicks appear at the top.').first().waitFor();
  expect(await layoutShiftOf(page)).toBe(0);
  await inspect(page, 'live-empty');
  const visited = Date.now();
  // A minute later, each of the two visits may count no more.
  const expectCount = async (clicks: number) => {
    const text = await page.locator('[data-live-count]').textContent();
    const counts = Date.now() - visited < 60_000 ? [clicks] : [clicks, clicks - 1, clicks - 2];
    const texts = counts.map((count) => `${count.toLocaleString('en-GB')} ${count === 1 ? 'click' : 'clicks'}`);
    expect(texts.map((each) => `${each} in the last minute`)).toContain(text);
  };
  await visit(id, 'AT');
  await expect.poll(() => countries(page), COUNTED).toEqual(['Austria']);
  expect(await page.getByRole('heading', { name: 'No recent clicks' }).isVisible()).toBe(false);
  await visit(other, 'DE');
  await expect.poll(() => countries(page), COUNTED).toEqual(['Germany', 'Austria']);
  await expectCount(2);
  const more = 'retry: 600000\nid: 1-1\nevent: more\ndata: {"count":1300}\n\n';
  await page.route(/\/live\/stream/, (route) => route.fulfill({ contentType: 'text/event-stream', body: more }));
  await page.reload();
  await expect.poll(async () => (await rowsOf(page))[0]).toBe('and 1,300 more clicks');
  await expectCount(1302);
  await page.unrouteAll();
  await page.reload();
  await page.getByText('Connected. New clicks appear at the top.').first().waitFor();
  await expectCount(2);
  await page.getByRole('button', { name: 'Pause' }).click();
  await visit(id, 'CH');
  await page.getByText('Paused: 1 newer row.').waitFor(COUNTED);
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
  await expect.poll(() => countries(page), COUNTED).toEqual(['Italy', 'Germany']);
  await follow(page.getByRole('link', { name: 'All links' }));
  await expect.poll(() => countries(page), COUNTED).toEqual(['Italy', 'France', 'Switzerland', 'Germany', 'Austria']);
});

it('the page of live clicks says that it connects again, and why it has ended', async () => {
  const { page, account } = await openLinks();
  const id = await make(account);
  await page.goto(`/platform/c/${account.clientId}/links/${id}`);
  await page.locator('.link-menu > summary').click();
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
    await page.getByText('Connected. New clicks appear at the top.').first().waitFor();
  }
  for (const [reason, detail, shown] of [
    ['gone', 'The link has been deleted.', 'The link has been deleted.'],
    // Both are sentences for programs.
    ['invalid_credential', 'The credential is revoked.', 'You are signed out. Reload this page.'],
    ['wrong_client', 'Send the client_id.', 'This page is no longer updated. Reload it to see why.'],
  ] as const) {
    const body = `event: end\ndata: ${JSON.stringify({ reason, detail })}\n\n`;
    await page.route(/\/live\/stream/, (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await page.reload();
    await page.getByText(shown).first().waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(false);
    await page.unrouteAll();
  }
  await page.route(/\/live\/stream/, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'retry: 600000\n: connected\n\n' }),
  );
  await page.reload();
  await page.getByText('Connecting…').first().waitFor();
});

const TIME_IS_OVER = {
  contentType: 'text/event-stream',
  body: 'retry: 1\nevent: end\ndata: {"reason":"time","detail":"The stream was open for 15 minutes."}\n\n',
};

/** Opens the page of live clicks; its first stream is this answer, once `end` is called. */
async function openUntil(answer: { readonly status?: number; readonly contentType: string; readonly body: string }) {
  const { page, account } = await openLinks();
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const requests: string[] = [];
  await page.route(/\/live\/stream/, async (route) => {
    requests.push(route.request().method());
    if (requests.length > 1) return route.continue();
    await promise;
    return route.fulfill(answer);
  });
  await page.goto(`/platform/c/${account.clientId}/live`);
  return { page, account, requests, end };
}

it('the page of live clicks says that the user has signed out in another tab', async () => {
  const { page, account, end } = await openUntil(TIME_IS_OVER);
  const other = await page.context().newPage();
  await other.goto('/platform');
  await menuOf(other, account.userName).click();
  await follow(other.getByRole('button', { name: 'Sign out' }));
  end();
  await page.getByText('You are signed out. Reload this page.').first().waitFor();
  expect(await page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(false);
  await page.reload();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Good to see you.');
});

it.each([
  ['has ended', TIME_IS_OVER, ['GET']],
  ['has failed', { status: 502, contentType: 'text/html', body: '' }, ['GET', 'HEAD']],
])('a stream that %s is opened again only when the page is no longer hidden', async (_, answer, before) => {
  const { page, account, requests, end } = await openUntil(answer);
  const id = await make(account);
  const hide = (isHidden: boolean) =>
    page.evaluate(`{
      Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
      document.dispatchEvent(new Event('visibilitychange'));
    }`);
  await hide(true);
  end();
  await page.getByText('Paused while this page was hidden.').first().waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await visit(id, 'AT');
  await expect.poll(() => countries(other), COUNTED).toEqual(['Austria']);
  expect([requests, await countries(page)]).toEqual([before, []]);
  await hide(false);
  await expect.poll(() => countries(page)).toEqual(['Austria']);
  expect(requests).toEqual([...before, 'GET']);
});

it('a page that is opened out of sight connects when it is seen', async () => {
  const { page, account } = await openLinks();
  const requests: string[] = [];
  page.on('request', (request) => void (request.url().includes('/live/stream') && requests.push(request.method())));
  await page.addInitScript(`Object.defineProperty(document, 'hidden', { configurable: true, value: true })`);
  await page.goto(`/platform/c/${account.clientId}/live`);
  await page.getByText('Paused while this page was hidden.').first().waitFor();
  expect(requests).toEqual([]);
  await page.evaluate(`{ delete document.hidden; document.dispatchEvent(new Event('visibilitychange')) }`);
  await page.getByText('Connected. New clicks appear at the top.').first().waitFor();
  expect(requests).toEqual(['GET']);
});

it('the page of live clicks shows the rows of a pause when it ends', async () => {
  const clicks = 'id: 1-1\nevent: more\ndata: {"count":3}\n\n';
  const deleted = 'event: end\ndata: {"reason":"gone","detail":"The link has been deleted."}\n\n';
  const { page, end } = await openUntil({ contentType: 'text/event-stream', body: clicks + deleted });
  await page.getByRole('button', { name: 'Pause' }).click();
  end();
  await page.getByText('The link has been deleted.').first().waitFor();
  expect(await rowsOf(page)).toEqual(['and 3 more clicks']);
});

it('the page of live clicks without scripts shows the last clicks when it is refreshed', async () => {
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
  await expect.poll(refreshed, COUNTED).toEqual(['Austria']);
});
