import { describe, expect, it } from 'vitest';
import { copyBy, follow, leave, openWindow, ORIGIN, signIn, titlesOf, type Page, menuOf } from './support/browser.ts';
import { make, openLinks, seedClicks } from './support/links.ts';
import { onDatabase, seedAccount } from './support/seed.ts';

/** Pages and filters without a reload, where scripts run. */

const mark = (page: Page) => page.evaluate('globalThis.isSameDocument = true');
const isSame = (page: Page) => page.evaluate<boolean>('globalThis.isSameDocument === true');
const said = (page: Page) => page.locator('[aria-live=polite]').textContent();
const scrolled = (page: Page) => page.evaluate<number>('Math.round(scrollY)');
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
const within = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });

/** A list with so many links that the page can be scrolled. */
async function openLongList(scripts = true) {
  const opened = await openLinks(scripts);
  for (let i = 0; i < 30; i++)
    await make(opened.account, { campaign_name: i % 2 ? 'Spring' : 'Fall', title: `Link ${i}` });
  await opened.page.goto(opened.path);
  await mark(opened.page);
  return opened;
}

/** Lets requests for pages wait until `go` is called. */
async function hold(page: Page, pattern: string) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route(pattern, async (route) => {
    await promise;
    await route.continue().catch(() => undefined);
  });
  return () => resolve(undefined);
}

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('%s', (_, scripts) => {
  it('a page leads from page to page, back and forth', async () => {
    const { page, account, path } = await openLongList(scripts);
    await follow(within(page, 'Campaigns'));
    expect([page.url(), await page.title(), await heading(page)]).toEqual([
      `${ORIGIN}/platform/c/${account.clientId}/campaigns`,
      'Campaigns · Terse',
      'Campaigns',
    ]);
    expect(await page.locator('.nav [aria-current]').textContent()).toBe('Campaigns');
    await leave(page, () => page.goBack());
    expect([page.url(), await heading(page)]).toEqual([`${ORIGIN}${path}`, 'Links']);
    await leave(page, () => page.goForward());
    expect(await heading(page)).toBe('Campaigns');
    expect(await isSame(page)).toBe(scripts);
  });

  it('a page searches, filters and sorts', async () => {
    const { page } = await openLongList(scripts);
    await page.getByLabel('Search').fill('Link 2');
    await leave(page, () => page.getByLabel('Search').press('Enter'));
    expect(await page.locator('.count').textContent()).toBe('11 links');
    await follow(page.locator('.filed a', { hasText: 'Fall' }).first());
    expect(new URL(page.url()).searchParams.get('campaign_name')).toBe('Fall');
    await follow(page.getByRole('link', { name: /Remove the filter Campaign/ }));
    await menuOf(page, 'Newest').click();
    await follow(page.getByRole('link', { name: 'Most visits' }));
    expect(new URL(page.url()).searchParams.get('sort')).toBe('clicks');
    expect(await page.getByLabel('Search').inputValue()).toBe('Link 2');
    expect(await isSame(page)).toBe(scripts);
  });
});

it('Back returns to where a list was scrolled', async () => {
  const { page } = await openLongList();
  const link = page.locator('.row-title a').nth(25);
  await link.scrollIntoViewIfNeeded();
  const before = await scrolled(page);
  expect(before).toBeGreaterThan(300);
  await follow(link);
  expect(await scrolled(page)).toBe(0);
  await leave(page, () => page.goBack());
  await expect.poll(() => scrolled(page)).toBe(before);
  expect(await isSame(page)).toBe(true);
});

it('a page that is opened says its title, and begins at its top', async () => {
  const { page, account } = await openLongList();
  await follow(within(page, 'Settings'));
  expect(await said(page)).toBe('Workspace · Terse');
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
  // Scripts keep working in it.
  await follow(within(page, 'Overview'));
  await follow(within(page, 'Settings'));
  expect(await copyBy(page.getByRole('button', { name: 'Copy Workspace ID' }))).toBe(account.clientId);
});

it('keeps scroll, focus and what is open where a list is filtered, and says the count', async () => {
  const { page } = await openLongList();
  await menuOf(page, 'Newest').click();
  const newest = page.getByRole('link', { name: 'Most visits' });
  await page.evaluate('scrollTo(0, 120)');
  await follow(newest);
  expect([await scrolled(page), await said(page)]).toEqual([120, '30 links']);
  expect(await page.locator(':focus').textContent()).toBe('Order: Most visits');
  await menuOf(page, 'More filters').click();
  await leave(page, () => page.getByLabel('Status').selectOption('expired'));
  expect([await said(page), await page.locator('.filters details[open]').count()]).toEqual(['0 links', 0]);
  await follow(page.getByRole('link', { name: /Remove the filter Status/ }));
  expect(await page.locator('main:focus').count()).toBe(1);
  expect(await isSame(page)).toBe(true);
});

it('filters click statistics where they are', async () => {
  const { page, account } = await openLinks();
  seedClicks(account, [await make(account)]);
  await page.goto(`/platform/c/${account.clientId}`);
  await mark(page);
  await follow(page.getByRole('link', { name: '7 days' }));
  const country = page.locator('.breakdown').getByRole('link', { name: 'Germany' });
  await follow(country);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ country: 'DE' });
  expect(await page.locator('.pill', { hasText: 'Germany' }).count()).toBe(1);
  expect(await isSame(page)).toBe(true);
});

it('changes the words of the link that has the focus, and of the filters', async () => {
  const { page, account, path } = await openLinks();
  seedClicks(account, [await make(account)]);
  await page.goto(`/platform/c/${account.clientId}`);
  await mark(page);
  await follow(page.getByRole('link', { name: /^Compare/ }));
  expect(await page.locator(':focus').textContent()).toMatch(/^Do not compare: /);
  await follow(page.getByRole('link', { name: /^Do not compare/ }));
  expect(await page.locator(':focus').textContent()).toMatch(/^Compare/);
  await page.goto(`${path}?q=example`);
  await mark(page);
  await page.getByLabel('Search').fill('page');
  await page.getByLabel('Search').press('Tab');
  await page.waitForURL((url) => url.searchParams.get('q') === 'page');
  await menuOf(page, 'Newest').click();
  await follow(page.getByRole('link', { name: 'Most visits' }));
  expect(await page.getByLabel('Search').inputValue()).toBe('page');
  expect(await isSame(page)).toBe(true);
});

it('a page shows that it is busy, and a newer click overtakes a slow one', async () => {
  const { page, path } = await openLongList();
  const go = await hold(page, '**/campaigns');
  await within(page, 'Campaigns').click();
  await page.locator('main[aria-busy=true]').waitFor();
  expect(page.url()).toBe(`${ORIGIN}${path}`);
  await follow(within(page, 'For developers'));
  go();
  expect([await heading(page), await page.locator('main[aria-busy]').count()]).toEqual(['API keys 1', 0]);
  await leave(page, () => page.goBack());
  expect([page.url(), await heading(page)]).toEqual([`${ORIGIN}${path}`, 'Links']);
  expect(await isSame(page)).toBe(true);
});

it('loads what is no page of the same kind as ever', async () => {
  const { page, account, path } = await openLongList();
  // Another tab.
  await within(page, 'For developers').click({ modifiers: ['Control'] });
  await expect.poll(() => titlesOf(`/platform/c/${account.clientId}/keys`)).toEqual(['API keys · Terse']);
  expect([await heading(page), await isSame(page)]).toEqual(['Links', true]);
  // A file.
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.evaluate(`location.assign('/platform/c/${account.clientId}/links/export.csv')`),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  expect([page.url(), await isSame(page)]).toEqual([`${ORIGIN}${path}`, true]);
  // A page that says what is wrong.
  await leave(page, () => page.evaluate(`location.assign('${path}?state=none')`));
  expect([await page.locator('.fault').count(), await isSame(page)]).toEqual([1, false]);
});

it('leads to the sign-in once the session has expired, and back', async () => {
  const { page, account } = await openLongList();
  await onDatabase((db) => db.batch([{ sql: 'DELETE FROM sessions', params: [] }]));
  await follow(within(page, 'For developers'));
  await page.getByLabel('Password').fill(account.password);
  await page.getByLabel('User name').fill(account.userName);
  await follow(page.getByRole('button', { name: 'Sign in', exact: true }));
  expect([await heading(page), await isSame(page)]).toEqual(['API keys 1', false]);
});

it('a page of a newer version of the service is loaded with its files', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  await page.goto('/platform');
  await mark(page);
  await page.route('**/keys', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/platform\.\w+\.css/, 'platform.0123456789.css');
    await route.fulfill({ response: answer, body });
  });
  await follow(within(page, 'For developers'));
  expect([await heading(page), await isSame(page)]).toEqual(['API keys 1', false]);
});
