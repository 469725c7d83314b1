import { expect, it } from 'vitest';
import type { Request } from 'playwright-core';
import { leave, menuOf, type Page } from './support/browser.ts';
import { CREATE, DESTINATION, make, openLinks } from './support/links.ts';

/** Typed text stays or is sent once, where a response comes late, or the person does not wait for it. */

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const within = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
const title = (page: Page) => page.getByLabel('Title').first();

/** Holds the responses to forms, and counts the forms; once they are released, they come or fail. */
async function holdForms(page: Page): Promise<{ count: () => number; release: (fails?: boolean) => void }> {
  const held = Promise.withResolvers<boolean | undefined>();
  let count = 0;
  await page.route('**/platform/**', async (route) => {
    // What is checked while it is typed is not sent.
    if (route.request().method() === 'POST' && !route.request().url().endsWith('/check')) {
      count += 1;
      if (await held.promise) return route.abort();
    }
    return route.fallback();
  });
  return { count: () => count, release: held.resolve };
}

it('a form that is submitted again and again is sent once, also while the next page loads', async () => {
  const { page, path } = await openLinks();
  await page.goto(path);
  const forms = await holdForms(page);
  const next = Promise.withResolvers<void>();
  // Its address names the link that was created.
  await page.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      if (route.request().method() === 'GET') await next.promise;
      await route.fallback();
    },
  );
  const field = page.locator('form.link-tee input[name="url"]');
  await field.fill('https://example.com/once');
  const asked = page.waitForRequest((request) => request.method() === 'GET' && request.isNavigationRequest());
  for (let press = 0; press < 3; press++) await field.press('Enter');
  forms.release();
  await asked;
  for (let press = 0; press < 3; press++) await page.keyboard.press('Enter');
  await leave(page, async () => next.resolve());
  expect([forms.count(), await page.locator('.link-row').count()]).toEqual([1, 1]);
});

it('a form can be sent again after Back has returned to it', async () => {
  const { page, path } = await openLinks();
  await page.goto(`${path}/new`);
  const create = page.getByRole('button', CREATE);
  const destination = page.getByLabel(DESTINATION);
  for (const url of ['https://example.com/1', 'https://example.com/2']) {
    await destination.fill(url);
    await leave(page, () => create.click());
    await page.getByRole('status').waitFor();
    await leave(page, () => page.evaluate('history.back()'));
    await destination.waitFor();
  }
  await page.goto(path);
  expect(await page.locator('.count').textContent()).toBe('2 links');
});

it.each([
  ['comes', false],
  ['fails', true],
] as const)('a response that %s after the person has left changes nothing on the next page', async (_, fails) => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  await page.goto(`${path}/${id}/edit`);
  const forms = await holdForms(page);
  await title(page).fill('Late');
  const isPost = (request: Request) => request.method() === 'POST';
  const ended = fails ? page.waitForEvent('requestfailed', isPost) : page.waitForEvent('requestfinished', isPost);
  await page.getByRole('button', { name: 'Save' }).last().click();
  await expect.poll(forms.count).toBe(1);
  await within(page, 'Campaigns').click();
  await leave(page, () => question(page).getByRole('button', { name: 'Leave' }).click());
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
  forms.release(fails);
  await ended;
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  expect(new URL(page.url()).pathname).toMatch(/\/campaigns$/);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Campaigns');
  expect(await page.locator('[role="alert"], main[aria-busy]').count()).toBe(0);
});

it('a form that may have been saved is not offered to be sent again', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  await page.goto(`${path}/${id}/edit`);
  const sentence = 'The database did not confirm whether this was saved.';
  await page.route('**/edit', (route) =>
    route.fulfill({
      status: 503,
      headers: { 'Terse-Form': 'unconfirmed' },
      contentType: 'text/html',
      body: `<main><p data-error>${sentence}</p></main>`,
    }),
  );
  await title(page).fill('Perhaps');
  await page.getByRole('button', { name: 'Save' }).last().click();
  const notice = page.locator('[data-trouble]');
  expect(await notice.textContent()).toBe(`${sentence} What you typed is still here.`);
  expect(await notice.getByRole('button').count()).toBe(0);
});

it('Back over a dialog with a text asks first', async () => {
  const { page, account, path } = await openLinks();
  await make(account);
  await page.goto(path.replace(/links$/, 'campaigns'));
  await page.goto(path);
  await menuOf(page, 'Newest').click();
  await leave(page, () => page.getByRole('link', { name: 'Most visits' }).click());
  const { href } = new URL(page.url());
  await page
    .getByRole('checkbox', { name: /^Select / })
    .last()
    .check();
  await page.getByRole('button', { name: 'Tag', exact: true }).click();
  const tag = page.getByRole('dialog').locator('input[name="tag"]');
  await tag.fill('Half a tag');
  await page.evaluate('history.back()');
  await question(page).waitFor();
  await question(page).getByRole('button', { name: 'Stay' }).click();
  await expect.poll(() => question(page).count()).toBe(0);
  expect([page.url(), await tag.inputValue()]).toEqual([href, 'Half a tag']);
});
