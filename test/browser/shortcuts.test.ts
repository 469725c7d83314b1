import { expect, it } from 'vitest';
import { inspect, leave, openWindow, ORIGIN, signIn, type Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';
import { seedAccount } from './support/seed.ts';

/** Keyboard shortcuts, where scripts run. */

const focused = (page: Page) => page.locator(':focus').getAttribute('name');
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first().textContent();
const dialogs = (page: Page) => page.getByRole('dialog').count();

/** Lets no time pass in the pages, since the second key of a shortcut counts only within 1.5 seconds. */
const stopClock = (page: Page) => page.clock.setFixedTime(Date.now());

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function openList(page: Page): Promise<void> {
  await page.locator('details.user > summary').click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
}

it('keyboard shortcuts create, search and lead to each section', async () => {
  const { page, account, path } = await openLinks();
  await stopClock(page);
  await make(account);
  await page.goto(`/platform/c/${account.clientId}`);
  // The list of domains has the focus in a field while it is empty.
  for (const label of ['Links', 'Campaigns', 'Settings']) {
    await leave(page, () => press(page, 'g', label.charAt(0).toLowerCase()));
    expect(await page.locator('header nav').first().locator('[aria-current]').textContent()).toBe(label);
  }
  await leave(page, () => press(page, 'g', 'o'));
  expect(await heading(page)).toBe('Overview');
  await leave(page, () => press(page, '/'));
  await expect.poll(() => focused(page)).toBe('q');
  expect(page.url()).toMatch(new RegExp(`^${ORIGIN}${path}#`));
  await page.keyboard.press('Tab');
  await press(page, '/');
  expect(await focused(page)).toBe('q');
  await page.keyboard.press('Tab');
  await leave(page, () => press(page, 'c'));
  const shown = page.getByRole('dialog').getByRole('heading', { level: 1 });
  expect([await shown.textContent(), await focused(page)]).toEqual(['A new short link', 'url']);
});

it('keyboard shortcuts do nothing while something is typed, with another key held, or in a dialog', async () => {
  const { page, path } = await openLinks();
  await make((await openLinks()).account);
  await page.goto(path);
  await page.getByLabel('Where should it lead?').focus();
  await press(page, 'c', 'g', 'o', '/', '?');
  expect([page.url(), await page.getByLabel('Where should it lead?').inputValue()]).toEqual([
    `${ORIGIN}${path}`,
    'cgo/?',
  ]);
  await page.getByRole('link', { name: 'Import or export' }).focus();
  await press(page, 'Control+c', 'Alt+c', 'Meta+c');
  await press(page, 'g', 'x', 'l');
  await press(page, '?');
  expect(await dialogs(page)).toBe(1);
  await press(page, 'c', '?', 'g', 'o');
  expect([page.url(), await dialogs(page)]).toEqual([`${ORIGIN}${path}`, 1]);
});

it('keyboard shortcuts lead to the pages of the link at the pointer, of that with the focus, and of the shown one', async () => {
  const { page, account, path } = await openLinks();
  const [older, newer] = [await make(account, { title: 'Older' }), await make(account, { title: 'Newer' })];
  await page.goto(path);
  await page.getByRole('link', { name: 'Older' }).focus();
  await leave(page, () => press(page, 'q'));
  expect(page.url()).toBe(`${ORIGIN}${path}/${older}/qr`);
  await page.goBack();
  await page.locator('.link-row', { hasText: 'Newer' }).hover();
  await leave(page, () => press(page, 's'));
  expect(page.url()).toBe(`${ORIGIN}${path}/${newer}/share`);
  await page.goto(`${path}/${older}`);
  await leave(page, () => press(page, 'e'));
  expect(page.url()).toBe(`${ORIGIN}${path}/${older}/edit`);
  await page.goto(path);
  await page.locator('h1').hover();
  await press(page, 'e');
  await leave(page, () => press(page, 'i'));
  expect(page.url()).toBe(`${ORIGIN}${path}/files`);
});

it('a URL that is pasted where nothing is typed is the destination of a new link, unlike other texts', async () => {
  const { page, account, path } = await openLinks();
  await make(account);
  await page.goto(path);
  const paste = async (text: string) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await press(page, 'Control+v');
  };
  await paste('javascript:alert(1)');
  await paste('two words');
  await paste(`https://example.com/${'long'.repeat(500)}`);
  await page.getByRole('searchbox').focus();
  await paste('https://example.com/searched');
  await expect.poll(() => new URL(page.url()).search).toBe('?q=https%3A%2F%2Fexample.com%2Fsearched');
  expect(await dialogs(page)).toBe(0);
  await page.goto(path);
  await leave(page, () => paste(' https://example.com/?a=1&b=ü#c '));
  expect([await focused(page), await page.locator('#field-url').inputValue()]).toEqual([
    'url',
    'https://example.com/?a=1&b=ü#c',
  ]);
});

it('keyboard shortcuts are listed in a dialog, from the menu of the user too, and can be turned off', async () => {
  const page = await openWindow();
  await stopClock(page);
  await signIn(page, await seedAccount());
  await page.goto('/platform');
  await press(page, '?');
  const listed = await page.getByRole('dialog').locator('.shortcuts > div').allTextContents();
  expect(listed).toEqual(expect.arrayContaining(['cCreate a link', '/Search for links', 'goOverview', 'glLinks']));
  await inspect(page, 'shortcuts');
  await press(page, 'Escape');
  expect(await dialogs(page)).toBe(0);
  await openList(page);
  await page.getByRole('checkbox', { name: /Use keyboard shortcuts/ }).uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await press(page, '?', 'g', 'l', 'c');
  expect([await heading(page), await dialogs(page)]).toEqual(['Overview', 0]);
  await page.reload();
  await openList(page);
  await page.getByRole('checkbox', { name: /Use keyboard shortcuts/ }).check();
  await press(page, 'Escape');
  await leave(page, () => press(page, 'g', 'l'));
  expect(await heading(page)).toBe('Links');
});

it('keyboard shortcuts are not named where there is no workspace, and not without scripts', async () => {
  const page = await openWindow();
  await page.goto('/platform/sign-in');
  expect(await page.getByRole('button', { name: 'Keyboard shortcuts' }).count()).toBe(0);
  const plain = await openWindow({ scripts: false });
  await signIn(plain, await seedAccount());
  await plain.goto('/platform');
  expect(await plain.getByText('Keyboard shortcuts').count()).toBe(0);
});
