import { follow, type Page, type SignIn } from './browser.ts';

/** Signs in by the form. */
export async function signInByForm(page: Page, { userName, password }: SignIn): Promise<void> {
  await page.goto('/platform/sign-in');
  await page.getByLabel('User name').fill(userName);
  await page.getByLabel('Password').fill(password);
  await follow(page.getByRole('button', { name: 'Sign in', exact: true }));
}
