import { expect, it } from 'vitest';
import { PLATFORM_LANGUAGES } from '../../src/languages/list.ts';
import { openWindow, signIn } from './support/browser.ts';
import { seedDifficult } from './support/difficult.ts';
import { expectLayout } from './support/layout.ts';
import { seedAccount } from './support/seed.ts';

/** The pages of the platform in each of its languages. */

const PAGES = ['', '/links', '/links/new', '/links/import', '/campaigns', '/domains', '/domains/new', '/settings'];
const MORE = ['/members', '/members/invite', '/tags', '/links/utm-templates', '/audit', '/keys', '/keys/new', '/live'];
const TABS = ['', '/details', '/edit', '/try', '/qr', '/history', '/api'];

it.each(PLATFORM_LANGUAGES)(
  'the pages in %s fit the narrowest phone and a desk, and name their language',
  async (language) => {
    const account = await seedAccount({ more: 1 });
    const { full } = await seedDifficult(account);
    const page = await openWindow({ locale: language });
    const client = `/platform/c/${account.clientId}`;
    const check = async (path: string) => {
      await page.goto(path);
      expect([path, await page.locator('html').getAttribute('lang')]).toEqual([path, language]);
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await expectLayout(page, { path, width });
      }
    };
    await check('/platform/sign-in');
    await signIn(page, account);
    const webhooks = ['/webhooks', '/webhooks/new'];
    for (const path of [...PAGES, ...MORE, ...webhooks]) await check(client + path);
    for (const tab of TABS) await check(`${client}/links/${full}${tab}`);
    await check('/platform/account');
    // The finder keeps its place on one line.
    await page.goto(`${client}/links`);
    expect((await page.locator('.find-button').boundingBox())?.height).toBeLessThan(42);
  },
);

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
