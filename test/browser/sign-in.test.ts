import { describe, expect, it } from 'vitest';
import { follow, inspect, menuOf, openWindow, ORIGIN } from './support/browser.ts';
import { signInByForm } from './support/sign-in.ts';
import { seedAccount } from './support/seed.ts';

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('signing in, %s', (_, scripts) => {
  it('signing in leads to the client, and signing out to where it began', async () => {
    const account = await seedAccount();
    const page = await openWindow({ scripts });
    await page.goto('/platform');
    expect(page.url()).toBe(`${ORIGIN}/platform/sign-in`);
    await signInByForm(page, account);
    expect(page.url()).toBe(`${ORIGIN}/platform/c/${account.clientId}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Overview');

    await menuOf(page, account.userName).click();
    await follow(page.getByRole('button', { name: 'Sign out' }));
    expect(page.url()).toBe(`${ORIGIN}/platform/sign-in`);
    expect(await page.getByRole('status').textContent()).toBe('You have been signed out.');
    await page.goto(`/platform/c/${account.clientId}`);
    expect(page.url()).toContain('/platform/sign-in?next=');
  });

  it('signing in with a wrong password is refused beside the field, and the right one then opens the workspace', async () => {
    const account = await seedAccount();
    const page = await openWindow({ scripts });
    await page.goto('/platform/account');
    await page.getByLabel('User name').fill(account.userName);
    await page.getByLabel('Password').fill('a wrong guess');
    await follow(page.getByRole('button', { name: 'Sign in', exact: true }));
    const password = page.getByLabel('Password');
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(`#${await password.getAttribute('aria-describedby')}`).textContent()).toBe(
      'The user name or the password is wrong.',
    );
    expect([await page.getByLabel('User name').inputValue(), await password.inputValue()]).toEqual([
      account.userName,
      '',
    ]);
    await password.fill(account.password);
    await follow(page.getByRole('button', { name: 'Sign in', exact: true }));
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    expect(page.url()).toBe(`${ORIGIN}/platform/account`);
  });
});

it('shows the sign-in page, as it is and with a wrong password', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await page.goto('/platform');
  await inspect(page, 'sign-in');
  await signInByForm(page, { ...account, password: 'a wrong guess' });
  await inspect(page, 'sign-in-wrong');
});
