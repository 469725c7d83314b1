import { describe, expect, it } from 'vitest';
import { follow, inspect } from './support/browser.ts';
import { openLinks } from './support/links.ts';

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('a page, %s', (_, scripts) => {
  it('of a refused form begins with what is wrong, and leads from there to each field, within folds too', async () => {
    const { page, path } = await openLinks(scripts);
    await page.goto(`${path}/new`);
    expect(await page.locator(':focus').getAttribute('name')).toBe('url');
    await page.getByLabel('Destination', { exact: true }).fill('https://example.com/');
    await page.getByLabel('Slug').fill('a b');
    await page.locator('summary', { hasText: 'Schedule and limit' }).click();
    await page.getByLabel('URL after the end').fill('nowhere');
    await follow(page.getByRole('button', { name: 'Create link' }));

    const summary = page.locator(':focus');
    expect(await summary.getAttribute('role')).toBe('alert');
    expect(await summary.getByRole('heading').textContent()).toBe('There are 2 errors in this form');
    const { y, height } = (await summary.boundingBox())!;
    expect([y >= 0, y + height <= page.viewportSize()!.height]).toEqual([true, true]);
    expect(await summary.getByRole('link').allTextContents()).toEqual([
      expect.stringMatching(/^Slug: This must be 1 to 64 letters/),
      expect.stringMatching(/^URL after the end: This must be an absolute http or https URL/),
    ]);
    if (scripts) await inspect(page, 'link-new-refused');
    await summary.getByRole('link', { name: 'URL after the end' }).click();
    expect(await page.locator(':focus').getAttribute('name')).toBe('expired_url');
  });
});
