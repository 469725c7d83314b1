import { expect, it } from 'vitest';
import { LANGUAGE_TAGS } from '../../src/languages/list.ts';
import { expectLayout } from './support/layout.ts';
import { faultsOf } from './support/axe.ts';
import { fitsFingers, keepScreenshot, openWindow, type Page } from './support/browser.ts';
import { make } from './support/links.ts';
import { stretch } from './support/stretch.ts';
import { onDatabase, seedAccount } from './support/seed.ts';

/** The pages for visitors in other languages, in a browser. */

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const NARROWEST = { width: 320, height: 640 };

/** Opens each page for visitors in a language, and gives it to a function. */
async function eachPage(
  language: string,
  check: (page: Page, name: string) => Promise<void>,
): Promise<readonly string[]> {
  const account = await seedAccount();
  const url = `https://www.a-rather-long-name.example/${'a-path'.repeat(20)}`;
  const fallback = 'https://example.com/without-the-app';
  const [locked, asking, app, shown, disabled, limited] = [
    await make(account, { language, password: 'open sesame' }),
    await make(account, { language, url, ask_first: true, password: 'open sesame' }),
    await make(account, { language, url: 'tel:+15550100', fallback }),
    await make(account, { language, url }),
    await make(account, { language }),
    await make(account, { language, max_clicks: 5 }),
  ];
  await onDatabase((db) => db.batch([{ sql: 'UPDATE links SET disabled_at = 1 WHERE id = ?1', params: [disabled] }]));
  const [page, program] = [await openWindow(), await openWindow({ userAgent: BOT })];
  for (const window of [page, program]) await window.setExtraHTTPHeaders({ 'Accept-Language': language });
  const names: string[] = [];
  for (const [name, path, window] of [
    ['locked', `/${locked}`, page],
    ['asking', `/${asking}`, page],
    ['app', `/${app}`, page],
    ['inspected', `/${shown}+`, page],
    ['disabled', `/${disabled}`, page],
    ['limited', `/${limited}`, program],
    ['unknown', '/there-is-no-such-link', page],
  ] as const) {
    await window.goto(path);
    expect(await window.locator('html').getAttribute('lang')).toBe(language);
    await check(window, `${name}-${language}`);
    names.push(name);
  }
  await page.goto(`/${locked}`);
  await page.locator('input[type=password]').fill('wrong');
  await page.locator('button').click();
  await page.getByRole('alert').waitFor();
  await check(page, `wrong-${language}`);
  return names;
}

it.each([
  ['twice as long', false],
  ['twice as long and mirrored', true],
] as const)('the pages for visitors fit the narrowest phone in a language that is %s', async (what, isMirrored) => {
  const names = await eachPage('de', async (page, name) => {
    await stretch(page, 'main', isMirrored);
    for (const size of [NARROWEST, { width: 1280, height: 800 }]) {
      await page.setViewportSize(size);
      await expectLayout(page, { name, what, width: size.width });
    }
  });
  expect(names).toHaveLength(7);
});

it.each(LANGUAGE_TAGS)(
  'the pages for visitors fit every phone in %s, without an error of accessibility',
  async (language) => {
    await eachPage(language, async (page, name) => {
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await expectLayout(page, { name, width });
      }
      expect({ name, faults: await faultsOf(page) }).toEqual({ name, faults: [] });
      // The destination that is inspected is a text of many lines, and not a button.
      if (!name.startsWith('inspected')) await fitsFingers(page, name);
      for (const [look, colorScheme, width] of [
        ['light', 'light', 1350],
        ['dark', 'dark', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await keepScreenshot(page, `visitor-${name}-${look}`);
      }
      await page.emulateMedia({ colorScheme: 'light' });
    });
  },
);

it('the pages for visitors are mirrored in Arabic: the tape begins at the right, and a host reads from the left', async () => {
  const page = await openWindow();
  const account = await seedAccount();
  const id = await make(account, { language: 'ar', password: 'open sesame' });
  await page.setViewportSize(NARROWEST);
  await page.goto(`/${id}`);
  const [tape, main] = await Promise.all(['.tape', 'main'].map(async (part) => page.locator(part).boundingBox()));
  expect(Math.round((main?.x ?? 0) + (main?.width ?? 0) - (tape?.x ?? 0) - (tape?.width ?? 0))).toBe(25);
  expect(await page.evaluate(`getComputedStyle(document.querySelector('.tape bdi')).direction`)).toBe('ltr');
  expect(await page.evaluate(`getComputedStyle(document.querySelector('label')).textAlign`)).toBe('start');
});

it('a printed page for visitors is white, without shadows, with a tape that has an edge', async () => {
  const page = await openWindow();
  const id = await make(await seedAccount());
  await page.goto(`/${id}+`);
  await page.emulateMedia({ media: 'print' });
  const styles = (part: string, name: string) =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(part)})).${name}`);
  expect(await styles('main', 'boxShadow')).toBe('none');
  expect(await styles('.tape', 'clipPath')).toBe('none');
  expect(await styles('.tape', 'borderTopColor')).toBe('rgb(51, 39, 10)');
});
