import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { follow, inspect } from './support/browser.ts';
import { CREATE, DESTINATION, openLinks } from './support/links.ts';

/** Filling in the form of a link from its destination. */

const server = createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.statusCode = request.url === '/sale' ? 200 : 404;
  response.end('<head><title>Spring sale – Shop</title><meta name="description" content="All of it must go."></head>');
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

const GET = { name: 'Get title and preview' };
/** A destination that a link may have, and that the service itself does not request. */
const PRIVATE = 'http://10.0.0.1/';
const REFUSED = 'must lead to a host of the public internet';

it.each([
  ['with scripts', true],
  ['without scripts', false],
])('a new link gets the title and the preview of its destination, %s', async (_, scripts) => {
  const { page, path } = await openLinks(scripts);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sale`;
  await page.goto(`${path}/new`);
  const destination = page.getByLabel(DESTINATION);
  await destination.fill(url);
  await page.getByLabel('Slug').fill('kept');
  await page.locator('summary', { hasText: 'Preview' }).click();
  await page.getByLabel('Title of the preview').fill('Mine');
  await follow(page.getByRole('button', GET));
  expect(await page.getByRole('status').first().textContent()).toBe(
    'Filled in from the destination: Title, Description. Nothing is saved yet.',
  );
  expect(await destination.inputValue()).toBe(url);
  expect(await page.getByLabel('Slug').inputValue()).toBe('kept');
  expect(await page.locator('[name="title"]').inputValue()).toBe('Spring sale – Shop');
  expect(await page.getByLabel('Title of the preview').inputValue()).toBe('Mine');
  expect(await page.getByLabel('Description', { exact: false }).last().inputValue()).toBe('All of it must go.');
  if (scripts) await inspect(page, 'link-new-filled-in');
  await page.getByLabel('Slug').fill('');
  await follow(page.getByRole('button', CREATE));
  expect(await page.getByRole('status').first().textContent()).toContain('The link has been created.');

  await follow(page.getByRole('link', { name: 'Edit', exact: true }).first());
  await destination.fill(url.replace('sale', 'none'));
  await follow(page.getByRole('button', GET));
  expect(await page.getByRole('status').first().textContent()).toBe(
    'The destination has responded with the status 404, without a title and a preview.',
  );
  expect(await page.locator('[name="title"]').inputValue()).toBe('Spring sale – Shop');
  if (scripts) await inspect(page, 'link-edit-nothing-found');
  await destination.fill(PRIVATE);
  await follow(page.getByRole('button', GET));
  expect(await page.locator('#fault-url').textContent()).toContain(REFUSED);
});

it('what is wrong with a look-up stays, though the destination itself is none that a link refuses', async () => {
  const { page, path } = await openLinks(true);
  await page.goto(`${path}/new`);
  const destination = page.getByLabel(DESTINATION);
  const fault = page.locator('#fault-url');
  const checks: Route[] = [];
  await page.route('**/check', (route) => void checks.push(route));
  const finishCheck = async (count: number) => {
    await expect.poll(() => checks.length).toBe(count);
    const checked = page.waitForResponse('**/check');
    await checks.at(-1)?.continue();
    await checked;
  };

  // It is sent before the form is checked.
  await destination.fill(PRIVATE);
  await follow(page.getByRole('button', GET));
  expect(await fault.textContent()).toContain(REFUSED);

  // And while it is checked.
  await destination.fill(`${PRIVATE}a`);
  await expect.poll(() => checks.length).toBe(1);
  await follow(page.getByRole('button', GET));
  await finishCheck(1);

  // The response to a later check comes after that.
  await page.getByLabel('Slug').fill('platform');
  await finishCheck(2);
  await page.locator('#fault-slug').waitFor();
  expect(await fault.textContent()).toContain(REFUSED);

  await destination.fill('https://example.com/');
  await finishCheck(3);
  await fault.waitFor({ state: 'detached' });
});
