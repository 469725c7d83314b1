import { expect, it } from 'vitest';
import { follow, leave, inspect, ORIGIN } from './support/browser.ts';
import { COUNTED, make, openLinks, seedClicks } from './support/links.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Follows a link as a visitor of a country. */
async function visit(id: string, country: string, userAgent: string, referrer?: string): Promise<void> {
  const headers = {
    'User-Agent': userAgent,
    'Accept-Language': 'de',
    'CF-IPCountry': country,
    ...(referrer !== undefined && { Referer: `https://${referrer}/` }),
  };
  const response = await fetch(`${ORIGIN}/${id}`, { redirect: 'manual', headers });
  expect(response.status).toBe(302);
}

it('clicks of phones in Germany that came from t.co are found by three clicks, without scripts', async () => {
  const { page, account } = await openLinks(false);
  const id = await make(account);
  await visit(id, 'DE', PHONE, 't.co');
  await visit(id, 'DE', PHONE, 't.co');
  await visit(id, 'DE', DESKTOP, 't.co');
  await visit(id, 'DE', PHONE, 'news.example');
  await visit(id, 'AT', PHONE, 't.co');
  const people = () => page.locator('.totals dd').first().textContent();
  const counted = async () => {
    await page.goto(`/platform/c/${account.clientId}?period=today`);
    return (await page.locator('.totals').count()) === 0 ? '0' : people();
  };
  await expect.poll(counted, COUNTED).toBe('5');
  await follow(page.getByRole('table', { name: 'Referrers' }).getByRole('link', { name: 't.co' }));
  expect(await people()).toBe('4');
  await follow(page.getByRole('navigation', { name: 'Breakdowns' }).getByRole('link', { name: 'Locations' }));
  // On the map, and with the keyboard.
  await page.getByRole('link', { name: 'Germany: 3 clicks by people' }).focus();
  await leave(page, () => page.keyboard.press('Enter'));
  expect(await people()).toBe('3');
  await follow(page.getByRole('link', { name: 'Technology' }));
  await follow(page.getByRole('table', { name: 'Devices' }).getByRole('link', { name: 'Mobile' }));
  expect(await people()).toBe('2');
  expect(new URL(page.url()).search).toBe('?period=today&card=technology&country=DE&referrer=t.co&device=mobile');
  await follow(page.getByRole('link', { name: 'Remove the filter Referrer t.co' }));
  expect(await people()).toBe('3');
  await follow(page.getByRole('link', { name: 'Clear all' }));
  expect(await people()).toBe('5');
});

it('the page of statistics has all totals on one line, on a phone too, and by two where their numbers are long', async () => {
  const { page, account } = await openLinks();
  seedClicks(account, [await make(account)], 100);
  await page.goto(`/platform/c/${account.clientId}?period=30d&compare=previous`);
  const topsOf = () =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('.totals dt')].map((term) => Math.round(term.getBoundingClientRect().top))`,
    );
  expect(await page.locator('.totals dt').count()).toBeGreaterThanOrEqual(3);
  await page.evaluate(`(() => {
    const totals = document.querySelector('.totals');
    while (totals.children.length < 4) totals.append(totals.firstElementChild.cloneNode(true));
  })()`);
  for (const width of [1280, 720, 390]) {
    await page.setViewportSize({ width, height: 844 });
    expect([width, new Set(await topsOf()).size]).toEqual([width, 1]);
  }
  await page.setViewportSize({ width: 320, height: 844 });
  const tops = await topsOf();
  expect([tops[0], tops[2]]).toEqual([tops[1], tops[3]]);
});

it('periods and bars are used with the keyboard, and a bar leads to its days', async () => {
  const { page, account } = await openLinks();
  seedClicks(account, [await make(account)], 100);
  const path = `/platform/c/${account.clientId}`;
  await page.goto(`${path}?period=7d&compare=previous`);
  await page.getByRole('link', { name: 'Skip the chart' }).focus();
  await page.keyboard.press('Tab');
  expect(await page.locator('.hit:focus').textContent()).toMatch(/^\d+ \w+ \d{4}: people \d+, previews \d, bots \d$/);
  await inspect(page, 'statistics-compared');
  await leave(page, () => page.keyboard.press('Enter'));
  expect(new URL(page.url()).search).toMatch(/^\?from=(\d{4}-\d\d-\d\d)&to=\1&compare=previous$/);
  expect(await page.locator('#chart-title').textContent()).toBe('Clicks by hour');
});

it('the pages of statistics show a year, a map, and that nothing matches', async () => {
  const { page, account } = await openLinks();
  seedClicks(account, [await make(account)], 100);
  const path = `/platform/c/${account.clientId}`;
  await page.goto(`${path}?period=12m&card=locations`);
  expect(await page.locator('#chart-title').textContent()).toBe('Clicks by week');
  await inspect(page, 'statistics-map');
  await page.goto(`${path}?period=x&country=DE&referrer=t.co&device=mobile&from=2026-11-01`);
  await inspect(page, 'statistics-none');
});
