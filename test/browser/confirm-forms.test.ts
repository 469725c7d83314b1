import { expect, it } from 'vitest';
import { follow, openWindow, signIn, type Page } from './support/browser.ts';
import { makeStale, seedAccount, type Account } from './support/seed.ts';

/** Forms that are sent in a session that was confirmed longer than ten minutes ago. */

const confirm = async (page: Page, { password }: Account) => {
  await page.getByLabel('Current password').fill(password);
  await follow(page.getByRole('button', { name: 'Confirm', exact: true }));
};

it('a file that adds a domain stays chosen while its user confirms in another tab', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  await page.goto(`/platform/c/${account.clientId}/links/files`);
  const buffer = Buffer.from(`url,custom_domain\nhttps://example.com/,${account.clientId}.example\n`);
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer });
  await makeStale(account);
  await page.getByRole('button', { name: 'Check the file' }).click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.textContent()).toContain(
    'You signed in a while ago. Confirm in another tab that it is you, then try again.',
  );
  const opening = page.context().waitForEvent('page');
  await alert.getByRole('link', { name: 'Confirm in another tab that it is you' }).click();
  const other = await opening;
  await confirm(other, account);
  await alert.getByRole('button').click();
  await page.getByRole('heading', { name: 'Links that wait for a domain' }).waitFor();
});

it.each([
  ['with scripts', true],
  ['with scripts off', false],
])('an app that was scanned a while ago is added after a confirmation, with the same key, %s', async (_, scripts) => {
  const account = await seedAccount();
  const page = await openWindow({ scripts });
  await signIn(page, account);
  await page.goto('/platform/account/factors/app');
  const seed = await page.getByLabel('Key', { exact: true }).inputValue();
  await makeStale(account);
  await page.locator('input[name="code"]').fill('000000');
  await follow(page.getByRole('button', { name: 'Turn on' }));
  await confirm(page, account);
  await page.getByText('This is not the code that your app shows now.').first().waitFor();
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe(seed);
});

it('the page that asks says that what was pressed is not done yet', async () => {
  const account = await seedAccount();
  const page = await openWindow({ scripts: false });
  await signIn(page, account);
  await page.goto(`/platform/c/${account.clientId}/keys/${account.apiKey.split('_')[1]}/revoke`);
  await makeStale(account);
  await page.getByRole('button', { name: /Revoke/ }).click();
  await page.getByText('Nothing has been done yet.').waitFor();
  await confirm(page, account);
  await page.getByRole('heading', { name: /Revoke/ }).waitFor();
});
