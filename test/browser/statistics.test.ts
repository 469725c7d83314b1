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
  const people = () => page.locator('.total', { hasText: 'Visits' }).locator('dd').textContent();
  const counted = async () => {
    await page.goto(`/platform/c/${account.clientId}?period=today`);
    return (await page.locator('.totals').count()) === 0 ? '0' : people();
  };
  await expect.poll(counted, COUNTED).toBe('5');
  await follow(page.getByRole('table', { name: 'From' }).getByRole('link', { name: 't.co' }));
  expect(await people()).toBe('4');
  await follow(page.getByRole('link', { name: /^All \d: Countries$/ }));
  // On the map, and with the keyboard.
  await page.getByRole('link', { name: 'Germany: 3 clicks by people' }).focus();
  await leave(page, () => page.keyboard.press('Enter'));
  await follow(page.getByRole('link', { name: 'All statistics' }));
  expect(await people()).toBe('3');
  await follow(page.getByRole('table', { name: 'Devices' }).getByRole('link', { name: 'Phone' }));
  expect(await people()).toBe('2');
  expect(new URL(page.url()).search).toBe('?period=today&country=DE&referrer=t.co&device=mobile');
  await follow(page.getByRole('link', { name: 'Remove the filter Referrer t.co' }));
  expect(await people()).toBe('3');
  await follow(page.getByRole('link', { name: 'Clear all' }));
  expect(await people()).toBe('5');
});

it('the page of statistics has all totals on one line, and by two on a phone', async () => {
  const { page, account } = await openLinks();
  seedClicks(account, [await make(account)], 100);
  await page.goto(`/platform/c/${account.clientId}?period=30d&compare=previous`);
  const topsOf = () =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('.totals dt')].map((term) => Math.round(term.getBoundingClientRect().top))`,
    );
  expect(await page.locator('.totals dt').count()).toBe(5);
  await page.setViewportSize({ width: 1280, height: 844 });
  expect(new Set(await topsOf()).size).toBe(1);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const tops = await topsOf();
    expect([width, tops[0], tops[2]]).toEqual([width, tops[1], tops[3]]);
  }
});

it('the chart of a workspace and of a link begins on the first screen of a phone, below its totals', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account, { title: 'Spring sale in the garden shop', tags: ['print', 'Zürich'] });
  seedClicks(account, [id], 100);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/platform/c/${account.clientId}`);
  await follow(page.getByRole('button', { name: 'Hide this list' }));
  for (const at of [`/platform/c/${account.clientId}`, `${path}/${id}`]) {
    await page.goto(`${at}?compare=previous`);
    const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!.y;
    // The bar at the foot covers the rest.
    const foot = await topOf('.nav');
    const [totals, plot] = [await topOf('.totals'), await topOf('.plot')];
    expect([at, totals < plot, plot < foot, foot < 844]).toEqual([at, true, true, true]);
    // All periods stand on one line, which scrolls.
    const tops = await page.evaluate<number[]>(`[...document.querySelectorAll('.periods a')].map((a) => a.offsetTop)`);
    expect(new Set(tops).size).toBe(1);
  }
});

it('the breakdowns of a page fill each row, and those without values are said in one line at the end', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  seedClicks(account, [id], 100);
  for (const at of [`/platform/c/${account.clientId}`, `${path}/${id}`]) {
    for (const width of [1440, 1280, 1024, 720, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(at);
      const { end, ends } = await page.evaluate<{ end: number; ends: readonly number[] }>(`(() => {
        const endOf = (element) => Math.round(element.getBoundingClientRect().right);
        const rows = Map.groupBy(document.querySelectorAll('.card'), (card) => card.offsetTop);
        return { end: endOf(document.querySelector('.cards')), ends: [...rows.values()].map((row) => endOf(row.at(-1))) };
      })()`);
      expect([at, width, ends.length > 0, new Set(ends)]).toEqual([at, width, true, new Set([end])]);
    }
    expect(await page.locator('.card:not(:has(table))').count()).toBe(0);
    await page.locator('.cards + .quiet', { hasText: 'No source is known.' }).waitFor();
  }
});

it('a chart is read by the arrow keys and at the pointer, and leads to its days', async () => {
  const { page, account } = await openLinks();
  seedClicks(account, [await make(account)], 100);
  const path = `/platform/c/${account.clientId}`;
  await page.goto(`${path}?period=7d&compare=previous`);
  const plot = page.getByRole('group', { name: /^Chart\./ });
  await plot.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const tip = page.locator('.tip');
  const read = await tip.textContent();
  expect(read).toMatch(/^\d+ \w+ \d{4}Visits: \d+Before: \d+ on \d+ \w+ \d{4}$/);
  await inspect(page, 'statistics-compared');
  await page.keyboard.press('Escape');
  expect(await tip.count()).toBe(0);
  const { x, y, width } = (await plot.locator('svg').first().boundingBox())!;
  await page.mouse.move(x + width / 6, y + 40);
  expect(await tip.textContent()).toBe(read);
  await plot.focus();
  await page.keyboard.press('Home');
  await leave(page, () => page.keyboard.press('Enter'));
  expect(new URL(page.url()).search).toMatch(/^\?from=(\d{4}-\d\d-\d\d)&to=\1&compare=previous$/);
  expect(await page.locator('#chart-title').textContent()).toBe('Clicks by hour');
});

it('the pages of statistics show a year, a map, and that nothing matches', async () => {
  const { page, account } = await openLinks();
  seedClicks(account, [await make(account)], 100);
  const path = `/platform/c/${account.clientId}`;
  await page.goto(`${path}?period=12m`);
  expect(await page.locator('#chart-title').textContent()).toBe('Clicks by week');
  await page.goto(`${path}?period=12m&card=country`);
  await inspect(page, 'statistics-map');
  await page.goto(`${path}?period=x&country=DE&referrer=t.co&device=mobile&from=2026-11-01`);
  await inspect(page, 'statistics-none');
});

it('the words of the comparison stay true without a reload, and so do the totals that choose the graph', async () => {
  const { page, account } = await openLinks();
  seedClicks(account, [await make(account)], 100);
  await page.goto(`/platform/c/${account.clientId}`);
  const words = () => page.getByRole('navigation', { name: 'Filters' }).textContent();
  const steps = [
    ['Compare with the 30 days before', 'Do not compare: Compared with the 30 days before×'],
    ['7 days', 'Do not compare: Compared with the 7 days before×'],
    ['Do not compare: Compared with the 7 days before', 'Compare with the 7 days before'],
    ['Today', 'Compare with the day before'],
  ] as const;
  for (const [link, expected] of steps) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await expect.poll(words).toBe(expected);
  }
  await page.goBack();
  await expect.poll(words).toBe('Compare with the 7 days before');
  await page.getByRole('link', { name: 'Bots', exact: true }).click();
  await expect.poll(() => page.locator('.total.shown dt').textContent()).toBe('Bots');
  expect(await page.locator('#chart-text').textContent()).toMatch(/^Bots from/);
});
