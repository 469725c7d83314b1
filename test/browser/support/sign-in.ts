import { follow, type Page } from './browser.ts';
import type { Account } from './seed.ts';

/** What a user signs in with. */
export type SignIn = Pick<Account, 'userName' | 'password'>;

/** Signs in by the form. */
export async function signInByForm(page: Page, { userName, password }: SignIn): Promise<void> {
  await page.goto('/platform/sign-in');
  await page.getByLabel('User name').fill(userName);
  await page.getByLabel('Password').fill(password);
  await follow(page.getByRole('button', { name: 'Sign in' }));
}
