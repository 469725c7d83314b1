import { expect, it } from 'vitest';
import { keepScreenshot, type Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';

/** Pages that are read from the right: what points along the line points to its end there. */

const mirror = (page: Page) => page.evaluate(`document.documentElement.dir = 'rtl'`);

/** The directions of drawings: 1 as they are in the file, -1 mirrored. */
const waysOf = (page: Page, selector: string) =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((icon) => new DOMMatrix(getComputedStyle(icon).transform).a)`,
  );

it('the arrows of a mirrored page point to the left, and a destination stands after its arrow', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account, { title: 'Spring', url: 'https://example.com/a/long/path/to/somewhere' });
  const href = (icon: string) => `.icon:has(use[href$="#${icon}"])`;
  for (const [at, icon, text] of [
    [path, 'corner-down-right', '.fade-text'],
    [`${path}/${id}`, 'corner-down-right', '.link-target > span'],
    [`${path}/new`, 'chevron-right', null],
    ['/', 'arrow-right', null],
  ] as const) {
    await page.goto(at);
    const before = await waysOf(page, href(icon));
    expect([at, before.length > 0, new Set(before)]).toEqual([at, true, new Set([1])]);
    await mirror(page);
    await keepScreenshot(page, `mirrored-${icon}`);
    expect([at, new Set(await waysOf(page, href(icon)))]).toEqual([at, new Set([-1])]);
    if (text === null) continue;
    const [arrow, shown] = [
      await page.locator(href(icon)).first().boundingBox(),
      await page.locator(text).first().boundingBox(),
    ];
    expect(arrow!.x).toBeGreaterThanOrEqual(shown!.x + shown!.width);
  }
});

it('the chevron of an open option points down in a mirrored page too', async () => {
  const { page, path } = await openLinks();
  await page.goto(`${path}/new`);
  await mirror(page);
  await page.locator('.option > summary').first().click();
  expect(
    await page.evaluate<string>(`getComputedStyle(document.querySelector('.option[open] > summary > .icon')).rotate`),
  ).toBe('-90deg');
});
