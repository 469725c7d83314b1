import { describe, expect, it } from 'vitest';
import { inspect, leave, ORIGIN, type Page } from './support/browser.ts';
import { CREATE, DESTINATION, make, openLinks } from './support/links.ts';

/** The dialog of a new link, over the page from which it is opened. */

const HOST = ORIGIN.replace('http://', '');
const dialog = (page: Page) => page.locator('dialog.over');
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

async function openOver(page: Page, work: () => Promise<unknown>): Promise<void> {
  await work();
  await dialog(page).waitFor();
  await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('url');
}

const isClosed = (page: Page) => dialog(page).waitFor({ state: 'detached' });

describe('the dialog of a new link', () => {
  it('the dialog of a new link opens by a key, a button and the bar of a phone, and closes by each way', async () => {
    const { page, account, path } = await openLinks();
    await make(account, { title: 'Below' });
    await page.goto(path);
    await openOver(page, () => page.keyboard.press('c'));
    expect(page.url()).toBe(`${ORIGIN}${path}/new`);
    expect(await page.title()).toContain('A new short link');
    expect(await page.locator('.link-row').count()).toBe(1);
    await page.keyboard.press('Escape');
    await isClosed(page);
    await page.waitForURL(path);
    expect(await page.title()).toContain('Links');
    await openOver(page, () => page.getByRole('link', { name: 'Create link' }).click());
    await dialog(page).getByRole('link', { name: 'Cancel' }).click();
    await isClosed(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await openOver(page, () => page.getByRole('link', { name: 'Create a link' }).click());
    await page.evaluate('history.back()');
    await isClosed(page);
    await page.evaluate('history.forward()');
    await dialog(page).waitFor();
    await dialog(page).getByRole('link', { name: 'Close' }).click();
    await isClosed(page);
    await page.waitForURL(path);
  });

  it('the dialog of a new link creates it, copies it and shows it in the page below', async () => {
    const { page, account, path } = await openLinks();
    await make(account);
    await page.goto(path);
    const slug = `tent-${account.clientId.slice(-8)}`;
    await openOver(page, () => page.keyboard.press('c'));
    await page.keyboard.type('https://example.com/shop/tents/ultralight?colour=moss');
    await page.getByLabel('Slug').fill(slug);
    await page.locator('.link-tee-stem', { hasText: 'characters instead of 45' }).waitFor();
    expect(await page.getByAltText(`QR code of ${HOST}/${slug}`).count()).toBe(1);
    await inspect(page, 'link-dialog');
    await page.getByLabel('Slug').press('Enter');
    await page.getByText(`The link has been created. ${HOST}/${slug} is on the clipboard.`).waitFor();
    expect(await clipboard(page)).toBe(`${ORIGIN}/${slug}`);
    expect([page.url(), await dialog(page).count()]).toEqual([`${ORIGIN}${path}`, 0]);
    expect(await page.locator('.link-row').first().textContent()).toContain(slug);
  });

  it('the dialog of a new link stays open for another one, and then shows all of them below', async () => {
    const { page, account, path } = await openLinks();
    await make(account);
    await page.goto(path);
    await openOver(page, () => page.keyboard.press('c'));
    await page.keyboard.type('https://example.com/first');
    await page.getByRole('checkbox', { name: 'Then another' }).check();
    await page.getByRole('button', CREATE).click();
    await dialog(page).getByText('is on the clipboard.').waitFor();
    expect([
      await page.getByLabel(DESTINATION).inputValue(),
      await page.locator(':focus').getAttribute('name'),
    ]).toEqual(['', 'url']);
    await page.keyboard.press('Escape');
    await isClosed(page);
    await expect.poll(() => page.locator('.link-row').count()).toBe(2);
  });

  it('the dialog of a new link is left only after a question, and keeps what was typed through a refusal', async () => {
    const { page, path } = await openLinks();
    await page.goto(path.replace(/\/links$/, ''));
    await openOver(page, () => page.keyboard.press('c'));
    await page.keyboard.type('nowhere');
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Stay' }).click();
    await page.evaluate('history.back()');
    await question(page).getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', CREATE).click();
    await dialog(page).getByRole('heading', { name: 'There is an error in this form' }).waitFor();
    expect(await page.getByLabel(DESTINATION).inputValue()).toBe('nowhere');
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await isClosed(page);
    await page.waitForURL(path.replace(/\/links$/, ''));
  });

  it('a question whether to leave is asked again at once, if the first one is answered', async () => {
    const { page, path } = await openLinks();
    await page.goto(path);
    await openOver(page, () => page.keyboard.press('c'));
    await page.keyboard.type('nowhere');
    await page.keyboard.press('Escape');
    await question(page).waitFor();
    await page.evaluate(`{
      document.querySelector('button[value="stay"]').click();
      for (const promise of Object.values(navigation.navigate('/platform/'))) promise.catch(() => undefined);
    }`);
    await question(page).waitFor({ timeout: 10_000 });
  });

  it('a fold that is opened takes the focus from no field that has it meanwhile', async () => {
    const { page, path } = await openLinks();
    await page.goto(`${path}/new`);
    await page.evaluate(`{
      const fold = [...document.querySelectorAll('.option')].find((each) => each.querySelector('#field-tags'));
      fold.querySelector('summary').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
      fold.open = true;
      fold.querySelector('#field-tags').focus();
      new Promise((resolve) => setTimeout(resolve, 50));
    }`);
    expect(await page.locator(':focus').getAttribute('id')).toBe('field-tags');
  });

  it('the dialog of a new link leaves alone what is typed in the page below', async () => {
    const { page, account, path } = await openLinks();
    const id = await make(account);
    await page.goto(`${path}/${id}/edit`);
    await page.getByLabel('Title', { exact: false }).first().fill('half');
    await page.locator('h1').first().click();
    await openOver(page, () => page.keyboard.press('c'));
    await page.keyboard.type('https://example.com/above');
    await page.keyboard.press('Enter');
    await isClosed(page);
    // The address follows a moment later.
    await page.waitForURL(`${path}/${id}/edit`);
    expect(await page.getByLabel('Title', { exact: false }).first().inputValue()).toBe('half');
  });

  it('the dialog of a new link says in words what its options are set to, as they change', async () => {
    const { page, path } = await openLinks();
    await page.goto(path);
    await openOver(page, () => page.keyboard.press('c'));
    const words = (label: string) => page.locator('summary', { hasText: label }).locator('.option-state');
    expect(await words('Rules').textContent()).toBe('None');
    await page.locator('summary', { hasText: 'Rules' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await expect.poll(() => words('Rules').textContent()).toBe('1 rule');
    await page.locator('summary', { hasText: 'Start and end' }).click();
    await page.getByLabel('Expires').fill('2099-03-01T12:00');
    await expect.poll(() => words('Start and end').textContent()).toBe('expires 1 Mar 2099');
  });

  it('the dialog of a new link says what is wrong with each field until it is right', async () => {
    const { page, path } = await openLinks();
    await page.goto(path);
    await openOver(page, () => page.keyboard.press('c'));
    await page.keyboard.type('nowhere');
    await page.getByLabel('Slug').fill('a b');
    await page.locator('#fault-slug').waitFor();
    await page.locator('#fault-url').waitFor();
    await page.getByLabel('Slug').fill('a-b-c');
    await page.locator('#fault-slug').waitFor({ state: 'detached' });
    expect(await page.locator('#fault-url').count()).toBe(1);
  });

  it('the dialog of a new link lists what is wrong until it is right', async () => {
    const { page, path } = await openLinks();
    await page.goto(path.replace(/\/links$/, ''));
    await openOver(page, () => page.keyboard.press('c'));
    await page.keyboard.type('nowhere');
    await page.getByLabel('Slug').fill('a b');
    await page.getByRole('button', CREATE).click();
    const errors = dialog(page).getByRole('alert');
    await errors.getByRole('heading', { name: 'There are 2 errors in this form' }).waitFor();
    await page.getByLabel('Slug').fill('a-b-c');
    await errors.getByRole('heading', { name: 'There is an error in this form' }).waitFor();
    expect(await errors.getByRole('link').allTextContents()).toEqual([expect.stringMatching(/^Destination: /)]);
    await page.getByLabel(DESTINATION).fill('https://example.com/');
    await errors.waitFor({ state: 'detached' });
  });
});

describe('a field with several values', () => {
  it('a field with several values shows each, adds by Enter and comma, and removes by Backspace', async () => {
    const { page, account, path } = await openLinks();
    await make(account, { tags: ['Paid', 'Print'] });
    await page.goto(`${path}/new`);
    await page.getByLabel(DESTINATION).fill('https://example.com/tagged');
    await page.locator('summary', { hasText: 'Campaign and tags' }).click();
    const tags = page.locator('#field-tags');
    await tags.pressSequentially('Paid');
    await tags.press('Enter');
    await tags.pressSequentially('New one,Wrong,');
    const chips = page.locator('.several li');
    expect(await chips.allTextContents()).toEqual(['Paid×', 'New one×', 'Wrong×']);
    await tags.press('Backspace');
    await page.getByText('Paid, New one').waitFor();
    await tags.pressSequentially('Last');
    await inspect(page, 'link-tags');
    await leave(page, () => page.getByRole('button', CREATE).click());
    await page.getByText('The link has been created.').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const response = await fetch(`${ORIGIN}/v1/links/${id}`, { headers: { 'X-API-Key': account.apiKey } });
    expect(await response.json()).toMatchObject({ tags: ['Last', 'New one', 'Paid'] });
  });
});
