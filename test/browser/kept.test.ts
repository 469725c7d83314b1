import { describe, expect, it } from 'vitest';
import { follow, inspect, leave, ORIGIN, type Locator, type Page } from './support/browser.ts';
import { openFull, pagesFrom, patternOf } from './support/every-page.ts';
import { CREATE, DESTINATION, make, openLinks } from './support/links.ts';
import { onDatabase } from './support/seed.ts';

/** Typed text stays, where scripts run. */

const destination = (page: Page) => page.getByLabel(DESTINATION);
const notice = (page: Page) => page.locator('[data-trouble]');
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const answer = (page: Page, label: string) => question(page).getByRole('button', { name: label }).click();
const within = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });

/** Answers the requests of forms by something else than the service. */
const refuseForms = (page: Page, status: number, headers: Record<string, string> = {}) =>
  page.route('**/platform/**', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status, headers, contentType: 'text/html', body: '<main><p data-error>Not now.</p></main>' })
      : route.continue(),
  );

/** A form in a page, whose code is not typed like the code here. */
interface FormOfPage {
  readonly elements: Iterable<{ readonly name: string; readonly value: string; readonly checked: boolean }>;
  readonly requestSubmit: () => void;
}

/** A form of a page into which something can be typed, and what is typed there. */
interface Typed {
  readonly form: Locator;
  readonly controls: Locator;
  readonly values: () => Promise<string[]>;
}

const FORMS = 'form[method="post"]:has(input:not([type="hidden"]):not([readonly]), textarea)';

async function typeInto(page: Page, index: number): Promise<Typed> {
  const form = page.locator(FORMS).nth(index);
  await form.evaluate((element) => {
    for (const fold of element.querySelectorAll('details')) fold.open = true;
    const around = element.closest('details');
    if (around) around.open = true;
  });
  const controls = form.locator(
    'input:is([type="text"], [type="url"], [type="password"], :not([type])):not([readonly], [aria-hidden]), textarea',
  );
  for (const control of await controls.all()) if (await control.isVisible()) await control.fill('Typed before');
  const boxes = form.locator('input[type="checkbox"]');
  for (const box of await boxes.all()) if (await box.isVisible()) await box.setChecked(!(await box.isChecked()));
  const values = () =>
    form.evaluate((element) => {
      const named = [...(element as unknown as FormOfPage).elements].filter(({ name }) => name);
      return named.map(({ name, value, checked }) => `${name} ${value} ${checked}`);
    });
  return { form, controls, values };
}

it('every form of every page stays as it is offline, and while the service refuses it', async () => {
  const { page, start } = await openFull();
  const seen = new Set<string>();
  const forms = new Set<string>();
  const waiting = [start];
  for (const next of waiting) {
    const pattern = patternOf(next);
    if (seen.has(pattern)) continue;
    seen.add(pattern);
    const response = await page.request.get(next.href);
    if (!response.headers()['content-type']?.startsWith('text/html')) continue;
    await page.goto(next.href);
    waiting.push(...(await pagesFrom(page)));
    const count = await page.locator(FORMS).count();
    for (let index = 0; index < count; index++) {
      const { form, values } = await typeInto(page, index);
      const name = `${pattern} ${index}`;
      const typed = await values();
      const submit = () => form.evaluate((element) => (element as unknown as FormOfPage).requestSubmit());
      const said = async (work: () => Promise<unknown>) => {
        await work();
        await submit();
        const text = await notice(page).first().textContent();
        expect({ name, typed: await values() }).toEqual({ name, typed });
        return text;
      };
      const context = page.context();
      expect([name, await said(() => context.setOffline(true))]).toEqual([
        name,
        expect.stringMatching(/^The service does not respond\. Check your connection, and try again\..*Try again$/),
      ]);
      await context.setOffline(false);
      // The browser sends what creates a secret itself; the service then shows such a form again.
      const isOnce = (await form.locator('[name="nonce"]').count()) > 0;
      for (const status of isOnce ? [] : [404, 429, 503]) {
        expect([name, status, await said(() => refuseForms(page, status, { 'Retry-After': '5' }))]).toEqual([
          name,
          status,
          expect.stringMatching(
            status === 404 ? /^Not now\.( What you typed is still here\.)?$/ : /^Not now\..*Try again$/,
          ),
        ]);
        await page.unrouteAll();
      }
      forms.add(name);
      await page.goto(next.href);
    }
  }
  expect(forms.size).toBeGreaterThan(15);
});

it('a form that was not sent offline is sent by Try again, once', async () => {
  const { page, path } = await openLinks();
  await page.goto(`${path}/new`);
  await destination(page).fill('https://example.com/offline');
  await page.context().setOffline(true);
  await page.getByRole('button', CREATE).click();
  await notice(page).waitFor();
  expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
  await inspect(page, 'form-offline');
  expect(page.url()).toBe(`${ORIGIN}${path}/new`);
  await page.context().setOffline(false);
  await follow(page.getByRole('button', { name: 'Try again' }));
  expect(await page.getByRole('status').first().textContent()).toContain('The link has been created.');
  await page.goto(path);
  expect(await page.locator('.link-row').count()).toBe(1);
});

it('a link that cannot be followed offline leaves the page, and so does Back', async () => {
  const { page, path } = await openLinks();
  await page.goto(path);
  await follow(within(page, 'Campaigns'));
  await page.context().setOffline(true);
  await within(page, 'Settings').click();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  expect(page.url()).toMatch(/\/campaigns$/);
  await inspect(page, 'link-offline');
  await page.evaluate('history.back()');
  await expect.poll(() => page.getByRole('alert').count()).toBe(1);
  await expect.poll(() => page.url()).toMatch(/\/campaigns$/);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Campaigns');
  await page.context().setOffline(false);
  await follow(page.getByRole('button', { name: 'Try again' }));
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Links');
});

describe('what was typed', () => {
  it.each<[string, (page: Page) => Promise<unknown>]>([
    ['a link', (page) => within(page, 'Campaigns').click()],
    ['Cancel', (page) => page.getByRole('link', { name: 'Cancel' }).last().click()],
    ['Back', (page) => page.evaluate('history.back()')],
    ['a shortcut', (page) => page.evaluate(`location.assign('/platform/account')`)],
  ])('what was typed is left by %s only after a question', async (_, work) => {
    const { page, account, path } = await openLinks();
    const id = await make(account);
    await page.goto(`${path}/${id}`);
    await follow(page.getByRole('link', { name: 'Edit', exact: true }));
    const address = page.url();
    const title = page.getByLabel('Title').first();
    await title.fill('Half a tit');
    await work(page);
    await question(page).waitFor();
    expect(await page.locator(':focus').textContent()).toBe('Stay');
    await inspect(page, 'leave');
    await answer(page, 'Stay');
    await question(page).waitFor({ state: 'detached' });
    expect([page.url(), await title.inputValue()]).toEqual([address, 'Half a tit']);
    await title.click();
    await work(page);
    await leave(page, () => answer(page, 'Leave'));
    expect(page.url()).not.toBe(address);
  });

  it('what was typed is not asked about if nothing has changed, or once it is saved', async () => {
    const { page, account, path } = await openLinks();
    const id = await make(account);
    await page.goto(`${path}/${id}/edit`);
    const title = page.getByLabel('Title').first();
    await title.fill('Other');
    await title.fill('');
    await follow(within(page, 'Campaigns'));
    await page.goto(`${path}/${id}/edit`);
    await title.fill('Saved');
    await follow(page.getByRole('button', { name: 'Save' }).last());
    await follow(within(page, 'Campaigns'));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Campaigns');
  });

  it('what was typed is asked about when the tab is closed, also after it was refused', async () => {
    const { page, path } = await openLinks();
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.dismiss();
    });
    await page.goto(`${path}/new`);
    await destination(page).fill('nowhere');
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => dialogs).toEqual(['beforeunload']);
    await follow(page.getByRole('button', CREATE));
    await page.getByRole('heading', { name: 'There is an error in this form' }).waitFor();
    await within(page, 'Campaigns').click();
    await question(page).waitFor();
  });

  it('what was typed in a dialog is left only after a question, and stays in it if it is refused', async () => {
    const { page, account, path } = await openLinks();
    await make(account);
    await page.goto(path);
    await page
      .getByRole('checkbox', { name: /^Select / })
      .last()
      .check();
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Tag/ });
    const tag = dialog.locator('input[name="tag"]');
    const long = 'long'.repeat(40);
    await tag.fill(long);
    await page.keyboard.press('Escape');
    await question(page).waitFor();
    await answer(page, 'Stay');
    expect(await tag.inputValue()).toBe(long);
    await dialog.getByRole('button', { name: /^Tag/ }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await tag.inputValue()).toBe(long);
    await inspect(page, 'dialog-refused');
    await dialog.getByRole('alert').getByRole('link').click();
    expect(await page.locator(':focus').getAttribute('name')).toBe('tag');
    await dialog.getByRole('link', { name: 'Cancel' }).click();
    await answer(page, 'Leave');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(path);
  });
});

it('a file that was chosen stays after the session has expired', async () => {
  const { page, path } = await openLinks();
  await page.goto(`${path}/files`);
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'links.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('url\nhttps://example.com/file\n'),
  });
  await onDatabase((db) => db.batch([{ sql: 'DELETE FROM sessions', params: [] }]));
  await page.getByRole('button', { name: 'Check the file' }).click();
  expect(await notice(page).textContent()).toContain('You were signed out. Sign in in another tab, then try again.');
  expect(await page.getByLabel('File', { exact: true }).inputValue()).toMatch(/links\.csv$/);
  await inspect(page, 'import-signed-out');
});
