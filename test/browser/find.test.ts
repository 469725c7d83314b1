import { expect, it } from 'vitest';
import { inspect, leave, openWindow, ORIGIN, signIn, type Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';
import { seedAccount } from './support/seed.ts';

/** What Ctrl+K opens: pages, actions and links by what is typed. */

const options = (page: Page) => page.getByRole('dialog').getByRole('option');

it('the finder leads to a page, to an action and to a link by what is typed, with keys alone', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account, { title: 'Alpine Lite 2', url: 'https://example.com/tent' });
  await make(account, { title: 'Winter boots' });
  await page.goto(`/platform/c/${account.clientId}`);
  await page.keyboard.press('Control+k');
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Find or do');
  await inspect(page, 'find');
  await page.keyboard.type('api');
  expect((await options(page).allTextContents()).slice(0, 2)).toEqual(['Create API key', 'API keysFor developers']);
  await page.keyboard.press('ArrowDown');
  await leave(page, () => page.keyboard.press('Enter'));
  expect(page.url()).toBe(`${ORIGIN}/platform/c/${account.clientId}/keys`);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('alpine');
  await options(page).getByText('Alpine Lite 2').waitFor();
  expect(await options(page).count()).toBe(1);
  await leave(page, () => page.keyboard.press('Enter'));
  expect(page.url()).toBe(`${ORIGIN}${path}/${id}`);
});

it('the finder does what can be done with the link that is shown, and signs out', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account, { title: 'Alpine Lite 2' });
  await page.goto(`${path}/${id}`);
  const find = async (typed: string, option: string) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(typed);
    await options(page).getByText(option, { exact: true }).waitFor();
    expect(await page.getByRole('dialog').locator('[aria-selected="true"] bdi').textContent()).toBe(option);
  };
  await page.keyboard.press('Control+k');
  expect(await options(page).last().textContent()).toBe('Sign out');
  await page.keyboard.press('Escape');
  await find('copy', `Copy ${ORIGIN.replace('http://', '')}/${id}`);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(`${ORIGIN}/${id}`);
  await find('disable', 'Disable');
  await leave(page, () => page.keyboard.press('Enter'));
  await page.locator('.badge', { hasText: 'Disabled' }).waitFor();
  await find('delete', 'Delete');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('heading', { name: 'Delete this link?' }).waitFor();
  await page.keyboard.press('Escape');
  await find('edit alpine', 'Edit');
  await leave(page, () => page.keyboard.press('Enter'));
  expect(page.url()).toBe(`${ORIGIN}${path}/${id}/edit`);
  await find('sign out', 'Sign out');
  await leave(page, () => page.keyboard.press('Enter'));
  await page.getByLabel('User name').waitFor();
});

it('the finder leads to the links of a campaign and of a tag', async () => {
  const { page, account, path } = await openLinks();
  await make(account, { title: 'Tent', campaign_name: 'Spring & more', tags: ['Springtime'] });
  await page.goto(`/platform/c/${account.clientId}`);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('spring');
  await expect
    .poll(() => options(page).allTextContents())
    .toEqual(['Spring & moreCampaigns', 'SpringtimeTags', expect.stringMatching(/^Tent/)]);
  await leave(page, () => page.keyboard.press('Enter'));
  expect(page.url()).toBe(`${ORIGIN}${path}?campaign_name=Spring+%26+more`);
});

it('the finder keeps what was chosen when links are found later', async () => {
  const { page, account } = await openLinks();
  await make(account, { title: 'A link about the api' });
  await page.goto(`/platform/c/${account.clientId}`);
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/links?q=api*', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('api');
  await page.keyboard.press('ArrowDown');
  release();
  await options(page).getByText('A link about the api').waitFor();
  expect(await page.locator('[role="option"][aria-selected="true"]').textContent()).toBe('API keysFor developers');
  await page.keyboard.type(' keys');
  expect(await page.locator('[role="option"][aria-selected="true"]').textContent()).toBe('API keysFor developers');
});

it('the finder says where nothing is found, and closes by Escape', async () => {
  const { page } = await openLinks();
  await page.goto('/platform');
  await page.getByRole('button', { name: 'Find or do' }).click();
  await page.keyboard.type('nothing has this name');
  await page.getByRole('dialog').getByText('Nothing found.').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

it('the finder is no button where scripts are off', async () => {
  const page = await openWindow({ scripts: false });
  await signIn(page, await seedAccount());
  await page.goto('/platform');
  expect(await page.getByRole('button', { name: 'Find or do' }).count()).toBe(0);
});
