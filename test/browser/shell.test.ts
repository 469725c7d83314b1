import { describe, expect, it } from 'vitest';
import { follow, inspect, menuOf, openWindow, ORIGIN, signIn } from './support/browser.ts';
import { seedAccount } from './support/seed.ts';

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('the frame, %s', (_, scripts) => {
  it('leads a user of two clients from one to the other', async () => {
    const account = await seedAccount({ more: 1 });
    const page = await openWindow({ scripts });
    await signIn(page, account);
    await menuOf(page, account.clientId).click();
    await follow(page.getByRole('link', { name: account.moreClientIds[0] ?? '' }));
    expect(page.url()).toBe(`${ORIGIN}/platform/c/${account.moreClientIds[0]}`);
  });

  it('says on a page that there is no such client or page', async () => {
    const page = await openWindow({ scripts });
    await signIn(page, await seedAccount());
    for (const path of ['/platform/c/none', '/platform/none']) {
      expect((await page.goto(path))?.status()).toBe(404);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Page not found');
    }
  });
});

it('lets a keyboard skip to the content, and close an open menu', async () => {
  const account = await seedAccount({ more: 1 });
  const page = await openWindow();
  await signIn(page, account);
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.locator('main:focus').count()).toBe(1);

  await menuOf(page, account.userName).click();
  await page.getByRole('link', { name: 'Account' }).waitFor();
  await inspect(page, 'overview-menu');
  await page.keyboard.press('Escape');
  expect(await page.locator('details[open]').count()).toBe(0);
});

it('shows the whole navigation on a phone', async () => {
  const page = await openWindow({ scripts: false });
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, await seedAccount());
  const hidden = `[...document.querySelectorAll('nav a')].filter((link) => link.getBoundingClientRect().right > innerWidth)`;
  expect(await page.evaluate(`${hidden}.map((link) => link.textContent)`)).toEqual([]);
});

it('copies what is there to be taken along', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  await page.getByRole('button', { name: 'Copy Workspace ID' }).click();
  await page.locator('[data-copy]', { hasText: 'Copied' }).waitFor();
  // What screen readers say of it.
  expect(await page.locator('[aria-live=polite]').textContent()).toBe('Copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(account.clientId);
});

it('shows no copy button that could not work', async () => {
  const page = await openWindow({ scripts: false });
  await signIn(page, await seedAccount());
  expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
});

it('shows the overview, and a page that is not there', async () => {
  const page = await openWindow();
  await signIn(page, await seedAccount({ more: 1 }));
  await inspect(page, 'overview');
  await page.goto('/platform/c/none');
  await inspect(page, 'not-found');
});
