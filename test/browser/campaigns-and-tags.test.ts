import { expect, it } from 'vitest';
import { follow, inspect, keepScreenshot, openWindow } from './support/browser.ts';
import { make, openLinks, seedClicks } from './support/links.ts';

it('a campaign is renamed, and that is undone', async () => {
  const { page, account } = await openLinks();
  const name = 'מבצע אביב / 50 % 🏖️ of everything that is left in the warehouse';
  seedClicks(account, [await make(account, { campaign_name: name }), await make(account, { campaign_name: name })]);
  await make(account, { campaign_name: 'Autumn' });
  await page.goto(`/platform/c/${account.clientId}/campaigns`);
  await inspect(page, 'campaigns');
  await follow(page.getByRole('link', { name, exact: true }));
  await inspect(page, 'campaign');
  await follow(page.getByRole('link', { name: 'Rename' }));
  expect(await page.getByLabel('New name').inputValue()).toBe(name);
  await page.getByLabel('New name').fill('');
  await follow(page.getByRole('button', { name: 'Continue' }));
  await inspect(page, 'campaign-rename-refused');
  await page.getByLabel('New name').fill('Autumn');
  await follow(page.getByRole('button', { name: 'Continue' }));
  expect(await page.locator('h1').textContent()).toBe('Merge these campaigns?');
  await inspect(page, 'campaign-merge');
  await follow(page.getByRole('button', { name: 'Merge 2 links' }));
  expect(await page.locator('h1').textContent()).toBe('Autumn');
  expect(await page.getByRole('link', { name: '3 links' }).count()).toBe(2);
  await follow(page.getByRole('button', { name: 'Undo' }));
  await page.goto(`/platform/c/${account.clientId}/campaigns`);
  await follow(page.getByRole('link', { name, exact: true }));
  expect(await page.getByRole('link', { name: '2 links' }).count()).toBe(2);
});

it('tags are created, shown in their colours, given to many links, and lead to their clicks', async () => {
  const { page, account, path } = await openLinks();
  const colours = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'];
  await page.goto(`/platform/c/${account.clientId}/tags`);
  await inspect(page, 'tags-none');
  for (const colour of colours) {
    await follow(page.getByRole('link', { name: 'Create tag' }));
    await page.getByLabel('Name').fill(`${colour} tag`);
    await page.getByLabel('Colour').selectOption(colour);
    await follow(page.getByRole('button', { name: 'Create tag' }));
  }
  await inspect(page, 'tags');
  const ids = [await make(account, { tags: colours.map((colour) => `${colour} tag`) }), await make(account)];
  seedClicks(account, ids);
  await page.goto(path);
  await inspect(page, 'links-tagged');
  await page
    .getByRole('checkbox', { name: /^Select / })
    .last()
    .check();
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .check();
  await page.getByRole('button', { name: 'Tag', exact: true }).click();
  await page.getByLabel('Tag', { exact: true }).last().fill('לקיץ');
  await page.getByRole('button', { name: /^Tag 2 links/ }).click();
  await page.getByText('The links have the tag now.').waitFor();
  expect(await page.locator('.link-row:has(.filed [title*="לקיץ"])').count()).toBe(2);
  await page.goto(`/platform/c/${account.clientId}/tags`);
  await follow(page.getByRole('link', { name: 'red tag', exact: true }));
  await inspect(page, 'tag');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(path);
  await keepScreenshot(page, 'links-tagged-forced');
});

it('public statistics are created, opened by a visitor with a password, and revoked', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account, { title: 'Everything must go' });
  seedClicks(account, [id]);
  await page.goto(`${path}/${id}`);
  await follow(page.getByRole('link', { name: 'Share', exact: true }));
  await inspect(page, 'share-none');
  await page.getByLabel('Password').fill('open sesame');
  await follow(page.getByRole('button', { name: 'Create public page' }));
  await inspect(page, 'share');
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue();
  const visitor = await openWindow();
  await visitor.goto(address);
  await inspect(visitor, 'shared-locked');
  await visitor.getByLabel('Password').fill('wrong');
  await follow(visitor.getByRole('button', { name: 'Continue' }));
  await inspect(visitor, 'shared-locked-refused');
  await visitor.getByLabel('Password').fill('open sesame');
  await follow(visitor.getByRole('button', { name: 'Continue' }));
  await follow(visitor.getByRole('link', { name: '7 days' }));
  expect(await visitor.getByRole('table', { name: 'Countries' }).count()).toBe(1);
  await inspect(visitor, 'shared');
  await page.getByRole('link', { name: 'Revoke page' }).click();
  await follow(page.getByRole('button', { name: 'Revoke page' }));
  expect((await visitor.goto(address))?.status()).toBe(404);
});

it('public statistics of the whole workspace are created from its overview, on a phone too', async () => {
  const { page, account } = await openLinks();
  seedClicks(account, [await make(account), await make(account)]);
  await page.goto(`/platform/c/${account.clientId}`);
  await inspect(page, 'overview-shared');
  await page.setViewportSize({ width: 390, height: 844 });
  await follow(page.getByRole('link', { name: 'Share', exact: true }));
  await follow(page.getByRole('button', { name: 'Create public page' }));
  await inspect(page, 'share-of-workspace');
  const visitor = await openWindow();
  await visitor.goto(await page.getByRole('textbox', { name: 'Address' }).inputValue());
  expect(await visitor.locator('h1').textContent()).toBe('Clicks on all links');
  await inspect(visitor, 'shared-of-workspace');
});

it('a visitor whose password has changed in between enters the new one', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  seedClicks(account, [id]);
  await page.goto(`${path}/${id}/share`);
  await page.getByLabel('Password').fill('open sesame');
  await follow(page.getByRole('button', { name: 'Create public page' }));
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue();
  const visitor = await openWindow();
  const enter = async (password: string) => {
    await visitor.getByLabel('Password').fill(password);
    await visitor.getByRole('button', { name: 'Continue' }).click();
    await visitor.getByRole('link', { name: '7 days' }).waitFor();
  };
  await visitor.goto(address);
  await enter('open sesame');
  await page.getByRole('textbox', { name: 'Password' }).fill('another one');
  await follow(page.getByRole('button', { name: 'Change password' }));
  await visitor.getByRole('link', { name: '7 days' }).click();
  await enter('another one');
  expect(await visitor.getByRole('region', { name: 'Click statistics' }).count()).toBe(1);
});
