import { describe, expect, it } from 'vitest';
import { follow, inspect, menuOf, openWindow, ORIGIN, signIn } from './support/browser.ts';
import { onDatabase, seedAccount } from './support/seed.ts';

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('a workspace, %s', (_, scripts) => {
  it('a workspace is renamed, deleted by its name, and restored', async () => {
    const account = await seedAccount({ more: 1 });
    const page = await openWindow({ scripts });
    await signIn(page, account);
    await page.goto('/platform');
    const show = (name: string) => (scripts ? inspect(page, name) : undefined);
    await follow(page.getByRole('link', { name: 'Settings' }));
    await follow(page.getByRole('link', { name: 'Workspace', exact: true }));
    await page.getByRole('textbox', { name: 'Name' }).fill('Söhne & Co');
    await follow(page.getByRole('button', { name: 'Save name' }));
    expect(await menuOf(page, 'Söhne & Co').count()).toBe(1);
    await show('workspace');

    await follow(page.getByRole('link', { name: 'Delete workspace' }));
    await page.getByLabel('Name of the workspace').fill('Sohne');
    await follow(page.getByRole('button', { name: 'Delete workspace' }));
    // The list of errors has the focus, and leads to the field.
    expect(await page.locator(':focus').textContent()).toContain('Type the name of the workspace: Söhne & Co.');
    await page.locator(':focus').getByRole('link').click();
    expect(page.url()).toContain('#field-name');
    await show('workspace-delete');
    await page.getByLabel('Name of the workspace').fill('Söhne & Co');
    await follow(page.getByRole('button', { name: 'Delete workspace' }));

    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Söhne & Co');
    await show('workspace-deleted');
    await page.goto('/platform');
    expect(page.url()).toBe(`${ORIGIN}/platform/c/${account.moreClientIds[0]}`);
    await menuOf(page, account.moreClientIds[0] ?? '').click();
    await follow(page.getByRole('link', { name: 'Söhne & Co deleted' }));
    await follow(page.getByRole('button', { name: 'Undo the deletion' }));
    expect(await page.getByRole('status').textContent()).toContain('The workspace has been restored.');
    expect(await page.getByRole('link', { name: 'Links', exact: true }).count()).toBe(1);
  });

  it('a workspace leads its owner through the first steps, until the list is hidden', async () => {
    const account = await seedAccount();
    const page = await openWindow({ scripts });
    await signIn(page, account);
    await page.goto('/platform');
    const steps = page.getByRole('region', { name: 'First steps' });
    expect(await steps.getByRole('listitem').count()).toBe(4);
    if (scripts) await inspect(page, 'first-steps');
    await follow(steps.getByRole('link', { name: 'Invite a member' }));
    expect(page.url()).toBe(`${ORIGIN}/platform/c/${account.clientId}/members/invite`);
    await page.goto(`/platform/c/${account.clientId}`);
    await follow(steps.getByRole('button', { name: 'Hide this list' }));
    expect(await steps.count()).toBe(0);
  });

  it('a workspace keeps its last owner’s account until it is deleted, and then lets it go', async () => {
    const account = await seedAccount();
    const page = await openWindow({ scripts });
    await signIn(page, account);
    await page.goto('/platform/account');
    if (scripts) await inspect(page, 'account-data');
    await follow(page.getByRole('link', { name: 'Delete account' }));
    if (scripts) await inspect(page, 'account-last-owner');
    await follow(page.getByRole('link', { name: 'delete the workspace' }));
    await follow(page.getByRole('link', { name: 'Delete workspace' }));
    await page.getByLabel('Name of the workspace').fill(account.clientId);
    await follow(page.getByRole('button', { name: 'Delete workspace' }));
    await page.goto('/platform/account/delete');
    if (scripts) await inspect(page, 'account-delete');
    await page.getByLabel('User name').fill(account.userName);
    await page.getByLabel('Current password').fill(account.password);
    await follow(page.getByRole('button', { name: 'Delete account' }));
    expect(await page.getByRole('status').textContent()).toContain('Your account has been deleted.');
    const find = { sql: 'SELECT id FROM users WHERE name = ?1', params: [account.userName] };
    expect(await onDatabase((db) => db.first(find))).toBeNull();
  });
});
