import { expect, it } from 'vitest';
import { follow, inspect, menuOf } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';

/** The views of the list of links. */

it.each([
  ['with scripts', true],
  ['with scripts off', false],
])('a view is saved, opened, replaced and deleted, %s', async (_, scripts) => {
  const { page, account, path } = await openLinks(scripts);
  for (const name of ['Spring', 'Fall', 'מבצע אביב']) await make(account, { campaign_name: name });
  await page.goto(path);
  await follow(page.locator('.filed a', { hasText: 'Spring' }));
  await follow(page.getByRole('link', { name: 'Save view' }));
  await page.getByLabel('Name').fill('Spring, a long name of a view that is cut');
  await follow(page.getByRole('button', { name: 'Save view' }));
  const views = page.getByRole('navigation', { name: 'Views' });
  expect(await views.locator('[aria-current]').textContent()).toBe('Spring, a long name of a view that is cut');
  if (scripts) await inspect(page, 'views');

  await follow(views.getByRole('link', { name: 'All links' }));
  expect(await page.locator('.count').textContent()).toBe('3 links');
  await follow(views.getByRole('link', { name: 'Spring' }));
  expect(await page.locator('.count').textContent()).toBe('1 link');

  await menuOf(page, 'Newest').click();
  await follow(page.getByRole('link', { name: 'Most visits' }));
  await follow(page.getByRole('link', { name: 'Save view' }));
  await page.getByLabel('Save as').selectOption({ index: 1 });
  if (scripts) await inspect(page, 'view-save');
  await follow(page.getByRole('button', { name: 'Save view' }));
  expect(new URL(page.url()).search).toBe('?campaign_name=Spring&sort=clicks');

  await follow(page.getByRole('link', { name: 'Edit view' }));
  if (scripts) await inspect(page, 'view');
  const remove = page.getByRole('link', { name: 'Delete view' });
  await (scripts ? remove.click() : follow(remove));
  await follow(page.getByRole('button', { name: 'Delete view' }));
  expect(await views.count()).toBe(0);
});
