import { describe, expect, it } from 'vitest';
import { copyBy, follow, inspect, openWindow, ORIGIN, signIn } from './support/browser.ts';
import { onDatabase, seedAccount } from './support/seed.ts';

const make = (key: string, clientId: string) =>
  fetch(`${ORIGIN}/v1/links`, {
    method: 'POST',
    headers: { 'X-API-Key': key },
    body: formOf({ url: 'https://example.com/from-a-program', client_id: clientId }),
  });

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('an API key, %s', (_, scripts) => {
  it('an API key is created, used by a program, shows its link, and is refused once it is revoked', async () => {
    const account = await seedAccount();
    const page = await openWindow({ scripts });
    await signIn(page, account);
    await page.goto('/platform');
    await follow(page.getByRole('link', { name: 'For developers' }));
    await follow(page.getByRole('link', { name: 'Create API key' }));
    await follow(page.getByRole('button', { name: 'Create key' }));
    expect(await page.locator('#fault-name').textContent()).toBe('This is required.');
    await page.getByLabel('Name').fill('build server');
    await page.getByLabel('links:read').check();
    await follow(page.getByRole('button', { name: 'Create key' }));
    const key = await page.getByLabel('API key', { exact: true }).inputValue();
    expect(await page.locator('#curl').textContent()).toContain(`X-API-Key: ${key}`);
    expect((await make(key, account.clientId)).status).toBe(200);

    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Already sent');

    await follow(page.getByRole('link', { name: 'Go to the key' }));
    expect(await page.getByRole('row').last().textContent()).toContain('example.com/from-a-program');
    const question = scripts ? page.getByRole('dialog') : page.getByRole('main');
    await page.getByRole('link', { name: 'Roll key' }).click();
    await follow(question.getByRole('button', { name: 'Roll key' }));
    const rolled = await page.getByLabel('API key', { exact: true }).inputValue();
    expect([(await make(rolled, account.clientId)).status, (await make(key, account.clientId)).status]).toEqual([
      200, 200,
    ]);

    await follow(page.getByRole('link', { name: 'Done' }));
    await follow(page.getByRole('link', { name: 'build server' }));
    await page.getByRole('link', { name: 'Revoke key' }).click();
    await follow(question.getByRole('button', { name: 'Revoke key' }));
    await page.getByText('no longer works.').waitFor();
    expect((await make(rolled, account.clientId)).status).toBe(401);
  });
});

it('copies the secret of a new key', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  await page.goto(`/platform/c/${account.clientId}/keys/new`);
  await page.getByLabel('Name').fill('to copy');
  await follow(page.getByRole('button', { name: 'Create key' }));
  expect(await copyBy(page.getByRole('button', { name: 'Copy API key' }))).toBe(
    await page.getByLabel('API key', { exact: true }).inputValue(),
  );
});

it('shows on the pages of a client which users’ programs still call the old endpoint', async () => {
  const account = await seedAccount();
  await onDatabase((db) =>
    db.first({
      sql: `INSERT INTO encode_days (client_id, day, user_id, made, refused)
            SELECT m.client_id, date('now'), m.user_id, 1234, 56 FROM members m WHERE m.client_id = ?1`,
      params: [account.clientId],
    }),
  );
  const page = await openWindow();
  await signIn(page, account);
  await page.goto('/platform');
  await page.getByRole('heading', { name: 'Programs still call POST /shortener/encode' }).waitFor();
  await inspect(page, 'overview-encode');
  await follow(page.getByRole('link', { name: 'Create API key' }));
  await page.getByRole('heading', { name: 'New API key' }).waitFor();
});

it('shows the pages of keys: empty, with faults, the secret, full, long', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  const keys = `/platform/c/${account.clientId}/keys`;
  await page.goto(`${keys}/new`);
  await inspect(page, 'keys-new');
  await page.getByLabel('links:write').uncheck();
  await page.getByLabel('Expires').fill('2001-01-01T00:00');
  await follow(page.getByRole('button', { name: 'Create key' }));
  await inspect(page, 'keys-new-faults');
  await page.getByLabel('Name').fill('W'.repeat(64));
  await page.getByLabel('links:write').check();
  await page.getByLabel('Expires').fill('2099-01-01T00:00');
  await follow(page.getByRole('button', { name: 'Create key' }));
  const key = await page.getByLabel('API key', { exact: true }).inputValue();
  await inspect(page, 'keys-secret');
  await fetch(`${ORIGIN}/v1/links`, {
    method: 'POST',
    headers: { 'X-API-Key': key },
    body: formOf({ url: `https://example.com/${'long'.repeat(490)}`, client_id: account.clientId }),
  });
  await page.goto(keys);
  await inspect(page, 'keys');
  await follow(page.getByRole('link', { name: /^W+$/ }));
  await inspect(page, 'key');
  await page.goto(`${page.url()}/roll`);
  await inspect(page, 'key-roll');
});
