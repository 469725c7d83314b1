import type { Cookie } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { pngLogo } from '../support/qr.ts';
import { openWindow, ORIGIN, signIn, type Page } from './support/browser.ts';
import { COUNTED, CREATE, make } from './support/links.ts';
import { Person, readTasks } from './support/person.ts';
import { onDatabase, seedAccount, type Account } from './support/seed.ts';

/** The daily tasks of docs/design/tasks.md, done by the clicks and keys that stand there. */

const TASKS = readTasks();

const LINKS = 100;
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let account: Account;
let cookies: Cookie[] = [];

/** A workspace with a hundred links, whose owner has hidden the first steps; one link has clicks. */
beforeAll(async () => {
  account = await seedAccount();
  const ended = { sql: 'UPDATE clients SET first_steps_ended_at = 1 WHERE id = ?1', params: [account.clientId] };
  await onDatabase((db) => db.batch([ended]));
  const id = await make(account, { title: 'Spring sale', tags: ['Email'] });
  for (let first = 1; first < LINKS; first += 11) {
    const numbers = Array.from({ length: Math.min(11, LINKS - first) }, (_, index) => first + index);
    await Promise.all(numbers.map((number) => make(account, { title: `Link ${number}` })));
  }
  for (const [country, userAgent] of [
    ['DE', PHONE],
    ['DE', PHONE],
    ['DE', DESKTOP],
    ['AT', PHONE],
  ] as const) {
    const headers = { 'User-Agent': userAgent, 'CF-IPCountry': country };
    expect((await fetch(`${ORIGIN}/${id}`, { redirect: 'manual', headers })).status).toBe(302);
  }
});

async function signInOnce(page: Page): Promise<void> {
  if (cookies.length > 0) await page.context().addCookies(cookies);
  else await signIn(page, account);
  cookies = await page.context().cookies();
  const opened = async () => {
    await page.goto('/platform');
    return linkIn(page).count();
  };
  await expect.poll(opened, COUNTED).toBe(1);
}

/** The link with the most clicks, in the overview. */
const linkIn = (page: Page) => page.getByRole('table', { name: 'Links' }).getByRole('row', { name: 'Spring sale' });

function task(name: string, work: (person: Person, page: Page) => Promise<void>): void {
  it(`the task ${name} takes the clicks and keys of the table`, async () => {
    const page = await openWindow();
    await signInOnce(page);
    const person = new Person(page);
    await work(person, page);
    const { clicks, keys, texts } = person.counted;
    expect({ ...person.counted, all: clicks + keys + texts }).toEqual(TASKS.get(name));
  });
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages of the workspace' }).getByRole('link', { name, exact: true });
const option = (page: Page, name: string) => page.locator('.option > summary', { hasText: name });
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** The newest link, as the API has it. */
async function newestLink(): Promise<Record<string, unknown>> {
  const response = await fetch(`${ORIGIN}/v1/links?limit=1&client_id=${account.clientId}`, {
    headers: { 'X-API-Key': account.apiKey },
  });
  const { links } = (await response.json()) as { links: Record<string, unknown>[] };
  return links[0] ?? {};
}

task('create a link with a UTM source and a tag', async (person, page) => {
  await person.paste('https://example.com/new');
  await person.click(option(page, 'UTM'));
  await person.type('utm_source', 'newsletter');
  await person.click(option(page, 'Campaign and tags'));
  await person.click(button(page, 'Email'));
  await person.click(page.getByRole('button', CREATE));
  await page.getByText('The link has been created.').waitFor();
  expect(await newestLink()).toMatchObject({ url: 'https://example.com/new?utm_source=newsletter', tags: ['Email'] });
});

task('find a link by its title', async (person, page) => {
  await person.press('/');
  await person.type('q', 'Link 42');
  await expect.poll(() => page.locator('.link-row .row-title').allTextContents()).toEqual(['Link 42']);
});

task('change a destination', async (person, page) => {
  await linkIn(page).hover();
  await person.press('e');
  await person.in('url');
  await person.press('Control+a');
  await person.type('url', 'https://example.com/changed');
  await person.press('Enter');
  await page.locator('.link-target', { hasText: 'example.com/changed' }).waitFor();
});

task('a QR code with a logo', async (person, page) => {
  await linkIn(page).hover();
  await person.press('q');
  await person.choose(page.getByLabel('File'), 'logo.png', 'image/png', Buffer.from(pngLogo()));
  await person.click(button(page, 'Add the logo'));
  const file = page.waitForEvent('download');
  await person.click(link(page, 'Download PNG'));
  expect((await file).suggestedFilename()).toMatch(/^qr-.+\.png$/);
});

task('compare 30 days with the 30 days before', async (person, page) => {
  await person.click(link(page, 'Compare with the 30 days before'));
  await page.getByText('Compared with the 30 days before').waitFor();
});

task('filter by Germany and phones', async (person, page) => {
  await person.click(page.getByRole('table', { name: 'Countries' }).getByRole('link', { name: 'Germany' }));
  await person.click(page.getByRole('table', { name: 'Devices' }).getByRole('link', { name: 'Phone' }));
  await expect.poll(() => new URL(page.url()).search).toBe('?country=DE&device=mobile');
  expect(await page.locator('.total', { hasText: 'Visits' }).locator('dd').textContent()).toBe('2');
});

task('tag 20 links', async (person, page) => {
  await person.click(section(page, 'Links'));
  const boxes = page.locator('.link-row .pick input');
  await person.click(boxes.nth(0));
  await person.click(boxes.nth(19), ['Shift']);
  await person.click(button(page, 'Tag'));
  await person.click(page.getByRole('dialog').getByRole('button', { name: 'Email', exact: true }));
  await page.locator('.filed', { hasText: 'Email' }).nth(19).waitFor();
});

task('share the statistics of a link', async (person, page) => {
  await linkIn(page).hover();
  await person.press('s');
  await person.click(button(page, 'Create public page'));
  await page.getByText('is on the clipboard.').waitFor();
  expect(await clipboard(page)).toMatch(/\/platform\/shared\//);
});

task('import 100 rows', async (person, page) => {
  const rows = Array.from({ length: 100 }, (_, index) => `https://example.com/imported/${index}\n`);
  await person.press('i');
  await person.choose(
    page.getByLabel('File', { exact: true }),
    'a.csv',
    'text/csv',
    Buffer.from(`url\n${rows.join('')}`),
  );
  await person.click(button(page, 'Check the file'));
  await person.click(button(page, 'Import 100 links'));
  await page.getByText('The file has been imported.').waitFor();
});

task('add a domain', async (person, page) => {
  await person.click(section(page, 'Domains'));
  await person.type('host', `go.${account.clientId}.example`);
  await person.press('Enter');
  await page.getByText('The domain has been added.').waitFor();
});

task('invite a member', async (person, page) => {
  await person.click(section(page, 'Settings'));
  await person.click(link(page, 'Members'));
  await person.click(link(page, 'Invite member'));
  await person.click(button(page, 'Create invite link'));
  await page.getByLabel('Invite link', { exact: true }).waitFor();
});

task('create an API key', async (person, page) => {
  await person.click(section(page, 'For developers'));
  await person.click(link(page, 'Create API key'));
  await person.type('name', 'build server');
  await person.press('Enter');
  await page.getByLabel('API key', { exact: true }).waitFor();
});

task('see who changed a link', async (person, page) => {
  await person.click(page.getByRole('link', { name: /^Open .*Spring sale/ }));
  await person.click(link(page, 'History'));
  const entry = page.locator('.entry-head').first();
  await entry.waitFor();
  expect(await entry.textContent()).toMatch(/ (?:by .+|with an API key)$/);
});

task('delete a link, and undo it', async (person, page) => {
  await person.click(section(page, 'Links'));
  await person.click(page.locator('.row-menu > summary').first());
  await person.click(page.locator('.row-menu[open]').getByRole('link', { name: 'Delete' }));
  await person.click(page.getByRole('dialog').getByRole('button', { name: /^Delete/ }));
  await person.click(button(page, 'Undo'));
  await page.getByText('The link has been restored.').waitFor();
});

task('create a link that starts later', async (person, page) => {
  await person.paste('https://example.com/later');
  await person.click(option(page, 'Start and end'));
  await person.typeDate('starts_at', '2099-01-01T09:00');
  await person.click(page.getByRole('button', CREATE));
  await page.getByText('The link has been created.').waitFor();
  expect(await newestLink()).toMatchObject({ starts_at: '2099-01-01T09:00:00.000Z' });
});
