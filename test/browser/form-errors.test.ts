import { describe, expect, it } from 'vitest';
import { follow, inspect, ORIGIN } from './support/browser.ts';
import { CREATE, DESTINATION, make, openLinks } from './support/links.ts';

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('a page, %s', (_, scripts) => {
  it('a page of a refused form begins with what is wrong, and leads from there to each field, within folds too', async () => {
    const { page, path } = await openLinks(scripts);
    await page.goto(`${path}/new`);
    expect(await page.locator(':focus').getAttribute('name')).toBe('url');
    await page.getByLabel(DESTINATION).fill('https://example.com/');
    await page.getByLabel('Slug').fill('a b');
    await page.locator('summary', { hasText: 'Start and end' }).click();
    await page.getByLabel('Fallback URL after expiry').fill('nowhere');
    await follow(page.getByRole('button', CREATE));

    const summary = page.locator(':focus');
    expect(await summary.getAttribute('role')).toBe('alert');
    expect(await summary.getByRole('heading').textContent()).toBe('There are 2 errors in this form');
    const { y, height } = (await summary.boundingBox())!;
    expect([y >= 0, y + height <= page.viewportSize()!.height]).toEqual([true, true]);
    expect(await summary.getByRole('link').allTextContents()).toEqual([
      expect.stringMatching(/^Slug: This must be 1 to 64 letters/),
      expect.stringMatching(/^Fallback URL after expiry: This must be an absolute http or https URL/),
    ]);
    if (scripts) await inspect(page, 'link-new-refused');
    await summary.getByRole('link', { name: 'Fallback URL after expiry' }).click();
    expect(await page.locator(':focus').getAttribute('name')).toBe('expired_url');
  });

  it('a page that asks before it deletes has the focus on Cancel', async () => {
    const { page, account, path } = await openLinks(scripts);
    const id = await make(account);
    await page.goto(`${path}/${id}`);
    await page.locator('.link-menu > summary').click();
    await page.getByRole('link', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Delete this link?' }).waitFor();
    expect(await page.locator(':focus').textContent()).toBe('Cancel');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Delete this link?' }).waitFor({ state: 'detached' });
    expect(page.url()).toBe(`${ORIGIN}${path}/${id}`);
  });

  it('a page with a form that was sent after the session had ended is shown again with what was typed', async () => {
    const { page, account, path } = await openLinks(scripts);
    await page.goto(`${path}/new`);
    await page.getByLabel(DESTINATION).fill('https://example.com/kept');
    await page.locator('summary', { hasText: 'Comments' }).click();
    await page.getByLabel('Comments').fill('First line.\nSecond line.');
    await page.locator('summary', { hasText: 'Rules' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Values, separated by commas').fill('DE, AT');
    await page.context().clearCookies();
    await follow(page.getByRole('button', CREATE));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in');
    if (scripts) await inspect(page, 'sign-in-here');
    await page.getByLabel('User name').fill(account.userName);
    await page.getByLabel('Password').fill(account.password);
    await follow(page.getByRole('button', { name: 'Sign in', exact: true }));
    expect(await page.locator(':focus').textContent()).toContain('You are signed in again.');
    if (scripts) await inspect(page, 'link-new-shown-again');
    expect(await page.getByLabel('Comments').inputValue()).toBe('First line.\nSecond line.');
    expect(await page.locator('input[name="rules.0.if.0.in"]').inputValue()).toBe('DE, AT');
    await page.locator('summary', { hasText: 'Rules' }).click();
    await page.locator('[name="rules.0.url"]').fill('https://example.com/de');
    await follow(page.getByRole('button', CREATE));
    expect(await page.getByRole('status').first().textContent()).toContain('The link has been created.');
  });
});
