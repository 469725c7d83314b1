import { expect, it } from 'vitest';
import { follow, inspect } from './support/browser.ts';
import { DESTINATION, openLinks } from './support/links.ts';

/** UTM templates, and choosing one for a destination. */

it.each([
  ['with scripts', true],
  ['with scripts off', false],
])('a template is created and put into a destination, %s', async (_, scripts) => {
  const { page, path } = await openLinks(scripts);
  const openFold = () => page.locator('summary', { hasText: 'UTM' }).click();
  await page.goto(`${path}/new`);
  await openFold();
  await follow(page.getByRole('link', { name: 'Create a UTM template' }));
  await follow(page.getByRole('link', { name: 'Create UTM template' }));
  await page.getByLabel('Name').fill('Spring sale');
  await page.getByLabel('Source').fill('newsletter');
  await page.getByLabel('Medium').fill('e-mail');
  if (scripts) await inspect(page, 'utm-template');
  await follow(page.getByRole('button', { name: 'Create UTM template' }));
  expect(await page.getByRole('listitem').filter({ hasText: 'Spring sale' }).textContent()).toContain('newsletter');
  if (scripts) await inspect(page, 'utm-templates');

  await page.goto(`${path}/new`);
  await page.getByLabel(DESTINATION).fill('https://example.com/sale?utm_medium=print');
  await page.getByLabel('Slug').fill('kept');
  await openFold();
  await page.getByLabel('UTM template').selectOption('Spring sale');
  await follow(page.getByRole('button', { name: 'Apply' }));
  expect(await page.getByLabel(DESTINATION).inputValue()).toBe(
    'https://example.com/sale?utm_source=newsletter&utm_medium=e-mail',
  );
  expect(await page.getByLabel('Slug').inputValue()).toBe('kept');
  if (scripts) await inspect(page, 'new-link-template');
});
