import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/changelog/entries.ts';
import { writeFeed } from '../../src/reference/feed.tsx';
import { seriousFaultsOf } from './support/axe.ts';
import { copyBy, follow, inspect, keepScreenshot, openWindow, ORIGIN } from './support/browser.ts';
import { layoutErrorsOf } from './support/layout.ts';
import { seedAccount } from './support/seed.ts';

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('the pages for everyone, %s', (_, scripts) => {
  it('the pages for everyone lead from the first to the others', async () => {
    const page = await openWindow({ scripts });
    await page.goto('/');
    expect(await page.locator('pre').allTextContents()).toEqual([
      `curl -u 'USER:PASSWORD' ${ORIGIN}/tokens/create_token`,
      expect.stringContaining(`curl ${ORIGIN}/v1/links -H 'X-API-Key: API_KEY'`),
      expect.stringContaining(`curl ${ORIGIN}/info/ID/CLIENT_ID/SEC_ID`),
    ]);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await follow(pages.getByRole('link', { name: 'Changelog' }));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Changelog');
    await follow(pages.getByRole('link', { name: 'Docs' }));
    expect(page.url()).toBe(`${ORIGIN}/docs`);
    await follow(pages.getByRole('link', { name: 'Platform' }));
    expect(page.url()).toBe(`${ORIGIN}/platform/sign-in`);
  });
});

it('shows the first page, the changelog and the codes of errors', async () => {
  const page = await openWindow();
  await page.goto('/');
  await inspect(page, 'home');
  await page.goto('/changelog');
  await inspect(page, 'changelog');
  await page.goto('/docs/errors');
  await inspect(page, 'errors');
});

it('copies a curl', async () => {
  const page = await openWindow();
  await page.goto('/');
  expect(await copyBy(page.getByRole('button', { name: 'Copy: Get a token' }))).toBe(
    `curl -u 'USER:PASSWORD' ${ORIGIN}/tokens/create_token`,
  );
});

// The viewer gives the buttons that copy its code no name, and offers no way to give them one.
const NAMELESS = '.scalar-code-copy';

describe('the docs', () => {
  it('the docs show the API document, with nothing of or from another host', async () => {
    const page = await openWindow();
    await page.goto('/docs');
    await page.getByRole('heading', { name: 'Terse', exact: true }).waitFor();
    for (const [look, colorScheme, width] of [
      ['light', 'light', 1280],
      ['dark', 'dark', 1280],
      ['phone', 'light', 390],
      ['narrowest', 'dark', 320],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto('/docs');
      await page.getByRole('heading', { name: 'Terse', exact: true }).waitFor();
      // The viewer shows the operations later than the heading.
      await page.waitForLoadState('networkidle');
      const isDark = () => page.evaluate<boolean>(`document.body.classList.contains('dark-mode')`);
      await expect.poll(isDark).toBe(colorScheme === 'dark');
      await keepScreenshot(page, `docs-${look}`);
      const overhang = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([look, overhang]).toEqual([look, 0]);
      // Below it is the viewer.
      expect([look, await layoutErrorsOf(page, 'header')]).toEqual([look, []]);
      const links = page.locator('a[href*="scalar.com"]:visible');
      expect([look, await links.count()]).toEqual([look, 0]);
      expect({ look, faults: await seriousFaultsOf(page, NAMELESS) }).toEqual({ look, faults: [] });
    }
  });

  it('the docs try a request, and show its response', async () => {
    const { userName, password } = await seedAccount();
    const page = await openWindow();
    await page.goto('/docs#tag/tokens/GET/tokens/create_token');
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    const client = page.getByRole('dialog');
    await client.waitFor();
    await keepScreenshot(page, 'docs-request');
    // The first of them is no input, and neither has a label.
    await client.locator('[data-placeholder="janedoe"]').click();
    await page.keyboard.insertText(userName);
    await client.getByText(userName).first().waitFor();
    await client.getByPlaceholder('********').fill(password);
    const answered = page.waitForResponse(`${ORIGIN}/tokens/create_token`);
    await client.getByRole('button', { name: /^Send/ }).first().click();
    expect((await answered).status()).toBe(201);
    await client.getByText('Token Created').waitFor();
    await keepScreenshot(page, 'docs-answer');
  });
});

it('the feed is accepted by an XML parser, with any text in an entry', async () => {
  const hostile = ']]> & <a b="c"> \u0000\u{b}\uFFFF\uD800 &#0; ]]> <!--';
  const entry: Entry = {
    kind: 'changed',
    method: 'GET',
    path: `/${hostile}`,
    breaking: true,
    note: hostile,
    changes: [{ what: hostile, breaking: true, reason: hostile }],
  };
  const feed = await writeFeed({ releases: [{ version: '1.0.0', date: '2024-04-04', entries: [entry] }] }, ORIGIN);
  const page = await openWindow();
  await page.goto('/');
  for (const text of [feed, await (await fetch(`${ORIGIN}/changelog.rss`)).text()]) {
    const [faults, items] = await page.evaluate<[number, number]>(
      `(() => {
        const feed = new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xml');
        return [feed.querySelectorAll('parsererror').length, feed.querySelectorAll('item').length];
      })()`,
    );
    expect([faults, items > 0]).toEqual([0, true]);
  }
});
