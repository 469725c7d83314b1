import { describe, expect, it } from 'vitest';
import { ORIGIN, type Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';

/** The search of the list while its text is typed, where scripts run. */

const field = (page: Page) => page.getByRole('search').getByRole('searchbox');
const titles = (page: Page) => page.locator('.link-row').evaluateAll((rows) => rows.map((row) => row.textContent));
const steps = (page: Page) => page.evaluate<number>('history.length');
const caret = (page: Page) => page.evaluate<number>('document.activeElement.selectionStart');

async function openList() {
  const opened = await openLinks();
  for (const title of ['Spring sale', 'Spring menu', 'Autumn menu']) await make(opened.account, { title });
  await opened.page.goto(opened.path);
  await opened.page.evaluate('globalThis.isSameDocument = true');
  return opened;
}

describe('the search of the list', () => {
  it('the list is searched as the text is typed, and the field keeps the focus', async () => {
    const { page, path } = await openList();
    const before = await steps(page);
    await field(page).pressSequentially('spring m');
    await expect.poll(() => titles(page)).toEqual([expect.stringContaining('Spring menu')]);
    expect(page.url()).toBe(`${ORIGIN}${path}?q=spring+m`);
    expect([await field(page).inputValue(), await caret(page), await steps(page)]).toEqual(['spring m', 8, before]);
    expect(await page.evaluate('globalThis.isSameDocument')).toBe(true);
    await field(page).fill('');
    await expect.poll(() => titles(page)).toHaveLength(3);
    expect(page.url()).toBe(`${ORIGIN}${path}`);
  });

  it('a late response is not shown after a newer one, and what is typed meanwhile stays with its caret', async () => {
    const { page } = await openList();
    const late = Promise.withResolvers<undefined>();
    await page.route('**/links?q=spring', async (route) => {
      await late.promise;
      await route.continue().catch(() => undefined);
    });
    await field(page).pressSequentially('spring');
    await page.waitForRequest('**/links?q=spring');
    await field(page).fill('menu');
    await expect.poll(() => titles(page)).toHaveLength(2);
    late.resolve(undefined);
    await field(page).press('Home');
    const asked = page.waitForRequest('**/links?q=xmenu');
    await field(page).press('x');
    await asked;
    await field(page).press('y');
    await expect.poll(() => page.url()).toContain('q=xymenu');
    expect([await field(page).inputValue(), await caret(page)]).toEqual(['xymenu', 2]);
    await expect.poll(() => titles(page)).toEqual([]);
  });

  it('a text of one character is searched for by Enter alone', async () => {
    const { page, path } = await openList();
    await page.clock.install();
    await page.goto(path);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await field(page).pressSequentially('s');
    await page.clock.runFor(1000);
    expect(asked).toEqual([]);
    await field(page).press('Enter');
    await expect.poll(() => page.url()).toBe(`${ORIGIN}${path}?q=s`);
  });
});
