import { expect, it } from 'vitest';
import { PLATFORM_LANGUAGES } from '../../src/languages/list.ts';
import { openWindow, signIn, type Page } from './support/browser.ts';
import { seedDifficult } from './support/difficult.ts';
import { expectLayout } from './support/layout.ts';
import { stretch } from './support/stretch.ts';
import { seedAccount } from './support/seed.ts';

/** The pages of the platform in each of its languages. */

const PAGES = ['', '/links', '/links/new', '/links/import', '/campaigns', '/domains', '/domains/new', '/settings'];
const MORE = ['/members', '/members/invite', '/tags', '/links/utm-templates', '/audit', '/keys', '/keys/new', '/live'];
const TABS = ['', '/details', '/edit', '/try', '/qr', '/history', '/api'];

/** Opens each page of a workspace that is difficult to show, and gives it to a function. */
async function eachPage(language: string, check: (page: Page, path: string) => Promise<void>): Promise<Page> {
  const account = await seedAccount({ more: 1 });
  const { full } = await seedDifficult(account);
  const page = await openWindow({ locale: language });
  const client = `/platform/c/${account.clientId}`;
  const open = async (path: string) => {
    await page.goto(path);
    expect([path, await page.locator('html').getAttribute('lang')]).toEqual([path, language]);
    await check(page, path);
  };
  await open('/platform/sign-in');
  await signIn(page, account);
  const webhooks = ['/webhooks', '/webhooks/new'];
  for (const path of [...PAGES, ...MORE, ...webhooks]) await open(client + path);
  for (const tab of TABS) await open(`${client}/links/${full}${tab}`);
  await open('/platform/account');
  await page.goto(`${client}/links`);
  return page;
}

async function expectBothWidths(page: Page, path: string, what: string): Promise<void> {
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectLayout(page, { path, what, width });
  }
}

it.each(PLATFORM_LANGUAGES)(
  'the pages in %s fit the narrowest phone and a desk, and name their language',
  async (language) => {
    const page = await eachPage(language, (opened, path) => expectBothWidths(opened, path, language));
    // The finder keeps its place on one line.
    expect((await page.locator('.find-button').boundingBox())?.height).toBeLessThan(42);
  },
);

it.each([
  ['twice as long', false],
  ['twice as long and mirrored', true],
])('the pages fit the narrowest phone and a desk in a language that is %s', async (what, isMirrored) => {
  await eachPage('en', async (page, path) => {
    await stretch(page, 'body', isMirrored);
    await expectBothWidths(page, path, what);
  });
});

it('the shortcuts and the finder speak the language of the page', async () => {
  const account = await seedAccount();
  const page = await openWindow({ locale: 'de-AT' });
  await signIn(page, account);
  await page.goto(`/platform/c/${account.clientId}/links`);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Schnellzugriff' }).waitFor();
  await page.reload();
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Tastaturkürzel' }).waitFor();
});
