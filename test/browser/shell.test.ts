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

/** The links of the navigation that a screen shows, part by part, those that it does not show, and their lines. */
const LINES = `[...document.querySelectorAll('nav.nav')].map((nav) => {
  const [links, { left, right }] = [[...nav.querySelectorAll('a')], nav.getBoundingClientRect()];
  const isSeen = (link) => link.getBoundingClientRect().left >= left && link.getBoundingClientRect().right <= right;
  return {
    hidden: links.filter((link) => !isSeen(link)).map((link) => link.textContent),
    current: links.filter((link) => link.matches('[aria-current]') && isSeen(link)).map((link) => link.textContent),
    tops: new Set(links.map((link) => link.offsetTop)).size,
  };
})`;

it.each([true, false])('shows all of the navigation on a phone, without scrolling (scripts: %s)', async (scripts) => {
  const account = await seedAccount();
  const page = await openWindow({ scripts });
  await signIn(page, account);
  const parts = () => page.evaluate<{ hidden: string[]; current: string[]; tops: number }[]>(LINES);
  for (const width of [1280, 720, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/platform/c/${account.clientId}`);
    expect([width, await parts()]).toEqual([width, [{ hidden: [], current: ['Overview'], tops: 1 }]]);
    for (const [path, label] of [
      ['keys', 'API keys'],
      ['audit', 'Audit log'],
    ]) {
      await page.goto(`/platform/c/${account.clientId}/${path}`);
      const [sections, pages] = await parts();
      expect([width, sections]).toEqual([width, { hidden: [], current: ['Settings'], tops: 1 }]);
      expect([width, pages]).toMatchObject([width, { hidden: [], current: [label] }]);
      expect([width, (pages?.tops ?? 9) <= (width < 390 ? 3 : width < 1280 ? 2 : 1)]).toEqual([width, true]);
      if (scripts) expect(await layoutShiftOf(page)).toBe(0);
    }
  }
  if (scripts) await inspect(page, 'settings-navigation');
});

it('copies what is there to be taken along', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  expect(await copyBy(page.getByRole('button', { name: 'Copy Workspace ID' }))).toBe(account.clientId);
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
