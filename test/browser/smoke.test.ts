import { expect, inject, it } from 'vitest';
import { printedAccount } from '../scripts/support/project.ts';
import { follow, openWindow, ORIGIN } from './support/browser.ts';
import { signInByForm } from './support/sign-in.ts';

/** The one journey in a browser that `npm test` makes, with the account that `npm start` has printed. */
it('a user signs in, creates a link and sees it in the list, and a visitor is redirected', async () => {
  const { user, password, clientId } = printedAccount(inject('serviceOutput'));
  const page = await openWindow();
  await signInByForm(page, { userName: user, password });
  await page.goto(`/platform/c/${clientId}/links`);
  await follow(page.getByRole('link', { name: 'Create link' }).first());
  const form = page.getByRole('dialog');
  await form.getByLabel('Where should it lead?').fill('https://example.com/smoke?a=1#top');
  await form.getByLabel('Slug').fill('smoke');
  await form.getByRole('button', { name: 'Create and copy' }).click();
  const host = ORIGIN.replace('http://', '');
  await page.getByText(`The link has been created. ${host}/smoke is on the clipboard.`).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('list', { name: 'Links' }).textContent()).toContain('example.com/smoke');
  const answer = await page.request.get(`${ORIGIN}/smoke`, { maxRedirects: 0 });
  expect([answer.status(), answer.headers()['location']]).toEqual([302, 'https://example.com/smoke?a=1#top']);
});
