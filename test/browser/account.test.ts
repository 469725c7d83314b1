import { describe, expect, it } from 'vitest';
import { follow, inspect, openWindow, ORIGIN, signIn } from './support/browser.ts';
import { seedAccount } from './support/seed.ts';

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('the account, %s', (_, scripts) => {
  it('the account has its password changed, which signs the other browser out', async () => {
    const account = await seedAccount();
    const [here, there] = [await openWindow({ scripts }), await openWindow({ scripts })];
    await signIn(here, account);
    await signIn(there, account);
    await here.goto('/platform/account');
    await here.getByLabel('Current password').fill(account.password);
    await here.getByLabel('New password', { exact: true }).fill('correct horse');
    await here.getByLabel('Confirm new password').fill('correct horse');
    await follow(here.getByRole('button', { name: 'Change password' }));
    expect(await here.getByRole('status').textContent()).toContain('Your password has been changed.');
    await here.reload();
    expect(await here.getByRole('status').count()).toBe(0);

    await there.goto('/platform/account');
    expect(there.url()).toContain('/platform/sign-in');
    await signIn(there, { ...account, password: 'correct horse' });
    await there.goto('/platform');
    expect(there.url()).toBe(`${ORIGIN}/platform/c/${account.clientId}`);
  });

  it('the account ends a session after a confirmation', async () => {
    const account = await seedAccount();
    const [here, there] = [await openWindow({ scripts }), await openWindow({ scripts })];
    await signIn(there, account);
    await signIn(here, account);
    await here.goto('/platform/account');
    const end = here.getByRole('link', { name: 'End the session of Firefox on Linux' });
    const question = scripts ? here.getByRole('dialog', { name: 'End this session?' }) : here.getByRole('main');
    await end.click();
    await question.getByRole('link', { name: 'Cancel' }).click();
    await end.click();
    await follow(question.getByRole('button', { name: 'End session' }));
    await here.getByText('The session has been signed out.').waitFor();
    expect(await here.getByRole('row').count()).toBe(2);
    await there.goto('/platform/account');
    expect(there.url()).toContain('/platform/sign-in');
  });

  it('the account has its time zone set, and times are shown in it', async () => {
    const page = await openWindow({ scripts });
    await signIn(page, await seedAccount());
    await page.goto('/platform/account');
    expect(await page.locator('time').first().textContent()).toMatch(/ UTC$/);
    await page.getByLabel('Zone', { exact: true }).selectOption('Asia/Kathmandu');
    await follow(page.getByRole('button', { name: 'Save time zone' }));
    await page.getByText('Your time zone has been saved.').waitFor();
    expect(await page.locator('time').first().textContent()).toMatch(/ GMT\+5:45$/);
  });
});

it('shows the account, with faults, and the question before a session is ended', async () => {
  const account = await seedAccount();
  await signIn(await openWindow(), account);
  const page = await openWindow();
  await signIn(page, account);
  await page.goto('/platform/account');
  await inspect(page, 'account');
  await page.getByRole('link', { name: /^End the session/ }).click();
  await page.getByRole('dialog').waitFor();
  await inspect(page, 'account-dialog');
  await page.keyboard.press('Escape');
  await follow(page.getByRole('button', { name: 'Change password' }));
  await page.getByText('This is required.').first().waitFor();
  await inspect(page, 'account-faults');
  await page.goto('/platform/account/sessions/others/end');
  await inspect(page, 'account-confirm');
});
