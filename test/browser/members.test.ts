import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { follow, inspect, openWindow, ORIGIN, signIn, type Page } from './support/browser.ts';
import { onDatabase, seedAccount, type Account } from './support/seed.ts';

const membersOf = ({ clientId }: Account) => `/platform/c/${clientId}/members`;

/** Makes an invite by the pages, and gives its link. */
async function invite(page: Page, account: Account): Promise<string> {
  await page.goto(membersOf(account));
  await follow(page.getByRole('link', { name: 'Invite member' }));
  await follow(page.getByRole('button', { name: 'Create invite link' }));
  return page.getByLabel('Invite link', { exact: true }).inputValue();
}

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('members, %s', (_, scripts) => {
  it('members join by an invite, as a new user and as one who signs in', async () => {
    const [account, guest] = [await seedAccount(), await seedAccount()];
    const page = await openWindow({ scripts });
    await signIn(page, account);
    const first = await invite(page, account);

    const name = `zoë-${randomBytes(4).toString('hex')}`;
    const newcomer = await openWindow({ scripts });
    await newcomer.goto(first);
    await newcomer.getByLabel('User name').fill(name);
    await newcomer.getByLabel('Password').fill('short');
    await follow(newcomer.getByRole('button', { name: 'Create account and join' }));
    expect(await newcomer.locator('#fault-password').textContent()).toBe('This must be at least 8 characters long.');
    await newcomer.getByLabel('Password').fill('correct horse');
    await follow(newcomer.getByRole('button', { name: 'Create account and join' }));
    expect(newcomer.url()).toBe(`${ORIGIN}/platform/c/${account.clientId}`);
    await newcomer.getByText('You are now a member of this workspace.').waitFor();
    await newcomer.goto(first);
    await newcomer.getByRole('heading', { name: `You are already a member of ${account.clientId}` }).waitFor();

    const second = await invite(page, account);
    const other = await openWindow({ scripts });
    await other.goto(second);
    await follow(other.getByRole('link', { name: 'Sign in to join' }));
    await other.getByLabel('User name').fill(guest.userName);
    await other.getByLabel('Password').fill(guest.password);
    await follow(other.getByRole('button', { name: 'Sign in', exact: true }));
    expect(other.url()).toBe(second);
    await follow(other.getByRole('button', { name: `Join as ${guest.userName}` }));
    expect(other.url()).toBe(`${ORIGIN}/platform/c/${account.clientId}`);

    await page.goto(membersOf(account));
    await follow(page.getByRole('link', { name }));
    await page.getByLabel('Owner').check();
    await follow(page.getByRole('button', { name: 'Change role' }));
    await page.getByText('The role has been changed.').waitFor();
    await page.getByRole('link', { name: 'Remove member' }).click();
    const question = scripts ? page.getByRole('dialog') : page.getByRole('main');
    await question.getByLabel('Take over the keys').check();
    await follow(question.getByRole('button', { name: 'Remove member' }));
    await page.getByText('The member has been removed.').waitFor();
    await newcomer.goto(`/platform/c/${account.clientId}`);
    await newcomer.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  it('members who have forgotten their password get a link to choose another', async () => {
    const [account, member] = [await seedAccount(), await seedAccount()];
    await onDatabase(async (db) => {
      await addMember(db, member.userName, account.clientId, 'member');
      await db.first({ sql: `DELETE FROM members WHERE client_id = ?1`, params: [member.clientId] });
    });
    const page = await openWindow({ scripts });
    await signIn(page, account);
    await page.goto(membersOf(account));
    await follow(page.getByRole('link', { name: member.userName }));
    await page.getByRole('link', { name: 'Create reset link' }).click();
    const question = scripts ? page.getByRole('dialog') : page.getByRole('main');
    await follow(question.getByRole('button', { name: 'Create link' }));
    const link = await page.getByLabel('Reset link', { exact: true }).inputValue();

    const theirs = await openWindow({ scripts });
    await theirs.goto(link);
    await theirs.getByLabel('New password', { exact: true }).fill('correct horse');
    await theirs.getByLabel('Confirm new password').fill('correct house');
    await follow(theirs.getByRole('button', { name: 'Set password' }));
    expect(await theirs.locator('#fault-new_password_again').count()).toBe(1);
    await theirs.getByLabel('New password', { exact: true }).fill('correct horse');
    await theirs.getByLabel('Confirm new password').fill('correct horse');
    await follow(theirs.getByRole('button', { name: 'Set password' }));
    await theirs.getByText('Sign in with the new password.').waitFor();
    await signIn(theirs, { userName: member.userName, password: 'correct horse' });
    await theirs.goto('/platform');
    expect(theirs.url()).toBe(`${ORIGIN}/platform/c/${account.clientId}`);
    await theirs.goto(link);
    await theirs.getByRole('heading', { name: 'This link no longer works' }).waitFor();

    await page.goto(`/platform/c/${account.clientId}/audit`);
    await page.getByText(`${member.userName} chose a new password with a reset link.`).waitFor();
  });
});

it('shows the pages of members, invites, resets and the audit log', async () => {
  const [account, member, elsewhere] = [await seedAccount(), await seedAccount(), await seedAccount()];
  const longName = `${'long name '.repeat(5)}${randomBytes(4).toString('hex')}${'x'.repeat(60)}`.slice(0, 128);
  await onDatabase(async (db) => {
    for (const { userName } of [member, elsewhere]) await addMember(db, userName, account.clientId, 'member');
    await db.first({ sql: `DELETE FROM members WHERE client_id = ?1`, params: [member.clientId] });
    await db.first({ sql: `UPDATE users SET name = ?2 WHERE name = ?1`, params: [member.userName, longName] });
  });
  const page = await openWindow();
  await signIn(page, account);
  await page.goto(`/platform/c/${account.clientId}/audit`);
  await inspect(page, 'audit-empty');
  const link = await invite(page, account);
  await inspect(page, 'invite-link');
  await page.goto(membersOf(account));
  await inspect(page, 'members');
  await follow(page.getByRole('link', { name: longName }));
  await inspect(page, 'member');
  const path = page.url();
  await page.goto(`${path}/remove`);
  await inspect(page, 'member-remove');
  await page.goto(`${path}/reset`);
  await inspect(page, 'member-reset');
  await follow(page.getByRole('button', { name: 'Create link' }));
  await inspect(page, 'reset-link');
  const reset = await page.getByLabel('Reset link', { exact: true }).inputValue();
  await page.goto(membersOf(account));
  await follow(page.getByRole('link', { name: account.userName }).first());
  await inspect(page, 'member-last-owner');
  await page.goto(`${membersOf(account)}/invite`);
  await inspect(page, 'invite-new');
  await page.goto(`/platform/c/${account.clientId}/audit`);
  // Sentences of the audit log are not links, so they are not underlined.
  const underline = `getComputedStyle(document.querySelector('tbody th *')).textDecorationLine`;
  expect(await page.evaluate(underline)).toBe('none');
  await inspect(page, 'audit');

  const visitor = await openWindow();
  await visitor.goto(link);
  await follow(visitor.getByRole('button', { name: 'Create account and join' }));
  await inspect(visitor, 'join-faults');
  await visitor.goto(reset);
  await inspect(visitor, 'reset');
  await visitor.goto('/platform/reset/none');
  await inspect(visitor, 'reset-none');
  await signIn(visitor, await seedAccount());
  await visitor.goto(link);
  await inspect(visitor, 'join');
  await visitor.goto('/platform/invite/none');
  await inspect(visitor, 'join-none');
  const other = await openWindow();
  await signIn(other, elsewhere);
  await other.goto(membersOf(account));
  await inspect(other, 'owners-only');
});
