import { expect, inject, it } from 'vitest';
import { printedAccount } from '../scripts/support/project.ts';
import { follow, openWindow, ORIGIN, signIn } from './support/browser.ts';

/** The one journey in a browser that `npm test` makes, with the account that `npm start` has printed. */
it('a user signs in, creates a link and sees it in the list, and a visitor is redirected', async () => {
  const { user, password, clientId } = printedAccount(inject('serviceOutput'));
  const page = await openWindow();
  await signIn(page, { userName: user, password });
  await page.goto(`/platform/c/${clientId}/links`);
  await follow(page.getByRole('link', { name: 'Create link' }).first());
  await page.getByLabel('Destination').fill('https://example.com/smoke?a=1#top');
  await page.getByLabel('Slug').fill('smoke');
  await follow(page.getByRole('button', { name: 'Create link' }));
  expect(await page.getByRole('status').textContent()).toBe('The link has been created.');
  await page.goto(`/platform/c/${clientId}/links`);
  expect(await page.getByRole('list', { name: 'Links' }).textContent()).toContain('example.com/smoke');
  const answer = await page.request.get(`${ORIGIN}/smoke`, { maxRedirects: 0 });
  expect([answer.status(), answer.headers()['location']]).toEqual([302, 'https://example.com/smoke?a=1#top']);
});
