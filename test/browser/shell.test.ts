import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { copyBy, follow, inspect, layoutShiftOf, menuOf, openWindow, ORIGIN, signIn } from './support/browser.ts';
import { seedAccount } from './support/seed.ts';

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('the frame, %s', (_, scripts) => {
  it('the frame leads a user of two clients from one to the other', async () => {
    const account = await seedAccount({ more: 1 });
    const page = await openWindow({ scripts });
    await signIn(page, account);
    await page.goto('/platform');
    await menuOf(page, account.clientId).click();
    await follow(page.getByRole('link', { name: account.moreClientIds[0] ?? '' }));
    expect(page.url()).toBe(`${ORIGIN}/platform/c/${account.moreClientIds[0]}`);
  });

  it('the frame says on a page that there is no such client or page', async () => {
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
  await page.goto('/platform');
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

const SECTIONS = ['Overview', 'Links', 'Campaigns', 'Domains', 'Settings', 'For developers'];
const IN_BAR = ['Overview', 'Links', 'Create a link', 'Campaigns'];

/** The links of the navigation that a screen shows whole. */
const SEEN = `[...document.querySelectorAll('nav.nav a')].flatMap((link) => {
  const { left, right, bottom, width } = link.getBoundingClientRect();
  return width > 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight ? [link.textContent.trim()] : [];
})`;

it.each([true, false])(
  'the navigation is whole on every screen: a column, or a bar with a menu (scripts: %s)',
  async (scripts) => {
    const account = await seedAccount();
    const page = await openWindow({ scripts });
    await signIn(page, account);
    const path = `/platform/c/${account.clientId}`;
    for (const width of [1280, 961, 960, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(path);
      const isWide = width > 960;
      expect([width, await page.evaluate<string[]>(SEEN)]).toEqual([width, isWide ? SECTIONS : IN_BAR]);
      await menuOf(page, account.userName).click();
      const menu = page.locator('details.user a:visible');
      expect([width, await menu.allTextContents()]).toEqual([
        width,
        [...(isWide ? [] : SECTIONS.filter((name) => !IN_BAR.includes(name))), 'Account'],
      ]);
      for (const [section, at, label] of [
        ['For developers', 'keys', 'API keys'],
        ['Settings', 'audit', 'Audit log'],
      ] as const) {
        await page.goto(`${path}/${at}`);
        const pages = page.getByRole('navigation', { name: section }).getByRole('link');
        expect([width, await pages.and(page.locator('[aria-current="page"]')).textContent()]).toEqual([width, label]);
        if (scripts) expect(await layoutShiftOf(page)).toBe(0);
      }
    }
    if (scripts) await inspect(page, 'settings-navigation');
  },
);

it('a page whose font comes late does not move', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  // Requests that are routed are not read from the cache.
  await page.route(/\.woff2$/, async (route) => {
    await setTimeout(1000);
    await route.continue();
  });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const font = page.waitForResponse(/\.woff2$/);
    await page.goto(`/platform/c/${account.clientId}/audit`);
    await font;
    await page.evaluate('document.fonts.ready');
    expect([width, await layoutShiftOf(page)]).toEqual([width, 0]);
  }
});

it('copies what is there to be taken along', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  await page.goto(`/platform/c/${account.clientId}/settings`);
  expect(await copyBy(page.getByRole('button', { name: 'Copy Workspace ID' }))).toBe(account.clientId);
});

it('shows no copy button that could not work', async () => {
  const page = await openWindow({ scripts: false });
  await signIn(page, await seedAccount());
  await page.goto('/platform');
  expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
});

it('shows the overview, and a page that is not there', async () => {
  const page = await openWindow();
  await signIn(page, await seedAccount({ more: 1 }));
  await page.goto('/platform');
  await inspect(page, 'overview');
  await page.goto('/platform/c/none');
  await inspect(page, 'not-found');
});
