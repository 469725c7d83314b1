import { describe, expect, it } from 'vitest';
import { follow, type Locator, type Page } from './support/browser.ts';
import { firstOfQuestion, focusedIn } from './support/focus.ts';
import { make, openLinks } from './support/links.ts';

/** The focus in a question, and after the question is closed. */

async function openList(scripts = true): Promise<{ page: Page; path: string; client: string }> {
  const { page, account, path } = await openLinks(scripts);
  await make(account, { tags: ['print'], campaign_name: 'Spring' });
  await make(account);
  await page.goto(path);
  return { page, path, client: path.replace(/\/links$/, '') };
}

const selectFirst = (page: Page) =>
  page
    .getByRole('checkbox', { name: /^Select (?!all)/ })
    .first()
    .check();

const actionOf = (page: Page, name: string): Locator =>
  page.locator('.bulk').getByRole('button', { name, exact: true });

/** Returns once the dialog is closed, after which the browser lets the page give the focus to something. */
async function closeBy(page: Page, work: () => Promise<unknown>): Promise<void> {
  await page.getByRole('dialog').waitFor();
  await work();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Checks what the question that a button has opened begins with. A page gives the focus only as it is painted. */
async function expectFirst(page: Page, button: string, focused: string): Promise<void> {
  await page.locator('[data-confirm]').waitFor();
  await expect
    .poll(async () => [button, await focusedIn(page), await firstOfQuestion(page)])
    .toEqual([button, focused, focused]);
}

const hasFocus = async (element: Locator) => (await element.and(element.page().locator(':focus')).count()) === 1;

const cancel = (page: Page) => () => page.getByRole('dialog').getByRole('link', { name: 'Cancel' }).click();

const OF_MANY = [
  ['Set campaign', 'campaign_name'],
  ['Tag', 'tag'],
  ['Remove tag', 'tag'],
  ['Set expiry', 'expires_at'],
  ['Disable', 'Cancel'],
  ['Delete', 'Cancel'],
] as const;

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('a question, %s', (_, scripts) => {
  it('a question about many links begins in its field, or on Cancel without one', async () => {
    const { page, path } = await openList(scripts);
    for (const [button, focused] of OF_MANY) {
      await page.goto(path);
      await selectFirst(page);
      await actionOf(page, button).click();
      await expectFirst(page, button, focused);
    }
  });

  it('a question about a key begins with the choice that is selected, or on Cancel', async () => {
    const { page, client } = await openList(scripts);
    await page.goto(`${client}/keys`);
    await follow(page.getByRole('link', { name: 'seed' }));
    const address = page.url();
    for (const [button, focused] of [
      ['Roll', 'former_secret'],
      ['Revoke', 'Cancel'],
    ] as const) {
      await page.goto(address);
      await page.getByRole('link', { name: new RegExp(`^${button}`) }).click();
      await expectFirst(page, button, focused);
    }
  });
});

describe('a dialog that is closed', () => {
  it('a dialog that is closed returns the focus to the button that has opened it', async () => {
    const { page } = await openList();
    await selectFirst(page);
    const button = actionOf(page, 'Tag');
    for (const close of [() => page.keyboard.press('Escape'), cancel(page)]) {
      await button.click();
      await closeBy(page, close);
      await expect.poll(() => hasFocus(button)).toBe(true);
    }
  });

  it('a dialog that is closed returns the focus to the menu whose link has opened it, which is closed by then', async () => {
    const { page } = await openList();
    const menu = page.locator('.row-menu').first();
    const summary = menu.locator('summary');
    await summary.click();
    await menu.getByRole('link', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await focusedIn(page)).toBe('Cancel');
    await closeBy(page, cancel(page));
    await expect.poll(() => hasFocus(summary)).toBe(true);
  });

  it('the dialog of keyboard shortcuts begins in its only field, and returns the focus', async () => {
    const { page } = await openList();
    const button = page.locator('details.user > summary');
    await button.click();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    const box = page.getByRole('dialog').getByRole('checkbox');
    expect(await hasFocus(box)).toBe(true);
    await closeBy(page, () => page.keyboard.press('Escape'));
    await expect.poll(() => hasFocus(button)).toBe(true);
  });
});
