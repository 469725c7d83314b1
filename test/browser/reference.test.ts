import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/changelog/entries.ts';
import { writeFeed } from '../../src/reference/feed.tsx';
import { seriousFaultsOf } from './support/axe.ts';
import { follow, inspect, keepScreenshot, openWindow, ORIGIN } from './support/browser.ts';
import { seedAccount } from './support/seed.ts';

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('the pages for everyone, %s', (_, scripts) => {
  it('the pages for everyone lead from the first to the others', async () => {
    const page = await openWindow({ scripts });
    await page.goto('/');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await follow(page.getByRole('contentinfo').getByRole('link', { name: 'Changelog' }));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Changelog');
    await follow(pages.getByRole('link', { name: 'Docs' }));
    expect(page.url()).toBe(`${ORIGIN}/docs`);
    await follow(pages.getByRole('link', { name: 'Sign in' }));
    expect(page.url()).toBe(`${ORIGIN}/platform/sign-in`);
  });
});

it('shows the changelog and the codes of errors', async () => {
  const page = await openWindow();
  await page.goto('/changelog');
  await inspect(page, 'changelog');
  await page.goto('/docs/errors');
  await inspect(page, 'errors');
});

// The viewer gives the buttons that copy its code no name, and its fields and the buttons that explain them roles of other
// elements. It offers no way to give them others.
const OF_THE_VIEWER = '.scalar-code-copy, .code-input-lite__editor, [aria-label="More Information"]';

describe('the docs', () => {
  it.each(['/docs', '/docs/links', '/docs/api', '/docs/api/webhooks'])(
    'the docs fit every screen, in light and dark: %s',
    async (path) => {
      const page = await openWindow();
      await page.goto(path);
      await inspect(page, `docs${path.replaceAll('/', '-')}`);
    },
  );

  it('the docs lead from the first page to a guide, to the reference and to an operation, without scripts', async () => {
    const page = await openWindow({ scripts: false });
    await page.goto('/docs');
    await follow(page.getByRole('main').getByRole('link', { name: 'Webhooks' }));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Webhooks');
    await follow(page.getByRole('link', { name: 'POST /v1/webhooks', exact: true }).first());
    expect(page.url()).toBe(`${ORIGIN}/docs/api/webhooks#create-webhook`);
    const section = page.locator('#create-webhook');
    const python = section.getByText('import requests');
    expect([await section.getByText('curl http').isVisible(), await python.isVisible()]).toEqual([true, false]);
    await section.getByText('Python', { exact: true }).click();
    expect([await section.getByText('curl http').isVisible(), await python.isVisible()]).toEqual([false, true]);
  });

  it('the docs find a section by its words, with keys alone', async () => {
    const page = await openWindow();
    await page.goto('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('ask first');
    await page.locator('#found a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${ORIGIN}/docs/links#ask-first`);
    await page.keyboard.press('/');
    await page.keyboard.type('zxqvbnm');
    await page.getByText('No page has all of these words.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#found').isVisible()).toBe(false);
  });

  it('the docs lead from the addresses of the former viewer to the reference', async () => {
    const page = await openWindow();
    await page.goto('/docs#tag/managing-links/PATCH/v1/links/{id}');
    await page.waitForURL(/\/docs\/api\/managing-links#PATCH/);
    expect(await page.locator('#edit-link h2').isVisible()).toBe(true);
    await page.goto('/docs#tag/managing-links/GET/v1/campaigns');
    await page.waitForURL(`${ORIGIN}/docs/api/campaigns#GET/v1/campaigns`);
  });

  it('the docs copy a command that names their own origin, and show all examples in the language chosen', async () => {
    const page = await openWindow();
    await page.goto('/docs/api/tags');
    const section = page.locator('#list-tags');
    await section.getByRole('button', { name: 'Copy' }).first().click();
    await section.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(
      `curl '${ORIGIN}/v1/tags?limit=20'`,
    );
    await section.getByRole('radio', { name: 'TypeScript' }).check({ force: true });
    expect(await page.locator('#delete-tag').getByText('await fetch').isVisible()).toBe(true);
    await page.goto('/docs/api/keys');
    expect(await page.locator('#list-keys').getByText('await fetch').isVisible()).toBe(true);
  });

  it('the docs load the client of requests only when "Try it" is pressed, and nothing of or from another host', async () => {
    const { userName, password } = await seedAccount();
    const page = await openWindow();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto('/docs/api/tokens');
    await page.waitForLoadState('networkidle');
    expect(loaded.filter((url) => url.includes('scalar'))).toEqual([]);
    await follow(page.locator('#create-token').getByRole('link', { name: /^Try it/ }));
    expect(page.url()).toBe(`${ORIGIN}/docs/try#tag/tokens/GET/tokens/create_token`);
    const client = page.getByRole('dialog');
    await client.waitFor();
    await keepScreenshot(page, 'docs-request');
    expect(await page.locator('a[href*="scalar.com"]:visible').count()).toBe(0);
    expect(await seriousFaultsOf(page, OF_THE_VIEWER)).toEqual([]);
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
