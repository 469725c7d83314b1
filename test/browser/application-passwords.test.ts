import { describe, expect, it } from 'vitest';
import { copyBy, follow, inspect, openWindow, ORIGIN, signIn } from './support/browser.ts';
import { onDatabase, seedAccount } from './support/seed.ts';

/** The status of a program that asks for tokens. */
async function askWith(name: string, password: string): Promise<number> {
  const Authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  return (await fetch(`${ORIGIN}/tokens/create_token`, { headers: { Authorization } })).status;
}

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('an application password, %s', (_, scripts) => {
  it('an application password is created, used by a program, and refused once it is revoked', async () => {
    const account = await seedAccount();
    const page = await openWindow({ scripts });
    const look = async (name: string) => (scripts ? inspect(page, name) : undefined);
    await signIn(page, account);
    await page.goto('/platform/account');
    await follow(page.getByRole('link', { name: 'Manage application passwords' }));
    await look('application-passwords-none');
    await follow(page.getByRole('link', { name: 'Create application password' }));
    await follow(page.getByRole('button', { name: 'Create application password' }));
    expect(await page.locator('#fault-name').textContent()).toBe('This is required.');
    await page.getByLabel('Name').fill('nightly export of all the links of the company to a warehouse');
    await follow(page.getByRole('button', { name: 'Create application password' }));
    const secret = await page.getByRole('textbox', { name: 'Application password' }).inputValue();
    await look('application-password-new');
    if (scripts) expect(await copyBy(page.getByRole('button', { name: 'Copy Application password' }))).toBe(secret);
    expect(await askWith(account.userName, secret)).toBe(201);
    expect(await askWith(account.userName, account.password)).toBe(201);

    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Already sent');
    await follow(page.getByRole('link', { name: 'Go to application passwords' }));
    await page.getByText('Last time a program got tokens with your own password').waitFor();
    await look('application-passwords');
    await page.getByText(/^Last used/).waitFor();
    await page.locator('.row-menu summary').click();
    await page.locator('.row-menu[open]').getByRole('link', { name: 'Revoke' }).click();
    const question = scripts ? page.getByRole('dialog') : page.getByRole('main');
    await question.getByRole('button', { name: 'Revoke application password' }).waitFor();
    await look('application-password-revoke');
    await follow(question.getByRole('button', { name: 'Revoke application password' }));
    await page.getByText('has been revoked and no longer works.').waitFor();
    expect(await askWith(account.userName, secret)).toBe(401);
  });
});

it('shows the history of sign-ins, and the account that leads to it', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  await onDatabase(async (db) => {
    await db.batch([
      {
        sql: `INSERT INTO sign_ins (user_id, at, id, way, outcome, browser, os, country)
              SELECT id, 1e12, 'w', 'app', 'wrong_code', 'Samsung Internet for Android', 'Android', 'BA'
              FROM users WHERE name = ?1`,
        params: [account.userName],
      },
      { sql: `UPDATE sessions SET country = 'GS', browser = 'Samsung Internet for Android'`, params: [] },
    ]);
  });
  await page.goto('/platform/account');
  await inspect(page, 'account-places');
  await follow(page.getByRole('link', { name: 'Sign-in history' }));
  expect(await page.getByRole('row').count()).toBe(3);
  expect(await page.getByRole('row').last().textContent()).toContain('Wrong code');
  await inspect(page, 'history');
});
