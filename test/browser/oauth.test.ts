import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkPage } from './support/crawl.ts';
import { follow, inspect, keepScreenshot, menuOf, openWindow, ORIGIN, signIn } from './support/browser.ts';
import { makeStale, onDatabase, seedAccount } from './support/seed.ts';
import { startSite } from './support/site.ts';

const VERIFIER = 'v'.repeat(43);

/** Registers a program of the user's own machine, and returns the path of its request. */
async function requestOf(
  redirect: string,
  name: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await fetch(`${ORIGIN}/oauth/register`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'CF-Connecting-IP': `198.51.100.${Math.floor(Math.random() * 250)}`,
    },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirect] }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirect,
    state: 'here',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  });
  return `/oauth/authorize?${query.toString()}`;
}

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('giving an application access, %s', (_, scripts) => {
  it('a user signs in, chooses, and is sent back to the program with a code', async () => {
    const { arrived, origin } = await startSite();
    const account = await seedAccount({ more: 1 });
    const page = await openWindow({ scripts, elsewhere: origin });
    await page.goto(await requestOf(`${origin}/callback`, 'An assistant'));
    await page.getByLabel('User name').fill(account.userName);
    await page.getByLabel('Password').fill(account.password);
    await follow(page.getByRole('button', { name: 'Sign in', exact: true }));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('An assistant (127.0.0.1)');
    await page.getByLabel('Workspace').selectOption(account.clientId);
    await page.getByLabel('links:write').uncheck();
    await follow(page.getByRole('button', { name: 'Give access' }));
    await page.getByRole('heading', { name: 'Arrived' }).waitFor();
    expect(arrived).toEqual([
      expect.stringMatching(/^GET \/callback\?code=[\w-]{43}&state=here&iss=http%3A%2F%2F\S+ from nowhere$/),
    ]);
  });

  it('a user refuses, and is sent back without a code', async () => {
    const { arrived, origin } = await startSite();
    const page = await openWindow({ scripts, elsewhere: origin });
    await signIn(page, await seedAccount());
    await page.goto(await requestOf(`${origin}/callback`, 'An assistant'));
    await follow(page.getByRole('button', { name: 'Refuse' }));
    await page.getByRole('heading', { name: 'Arrived' }).waitFor();
    expect(arrived).toEqual([expect.stringMatching(/^GET \/callback\?error=access_denied&state=here&iss=http/)]);
  });
});

it.each([
  ['with scripts', true],
  ['with scripts off', false],
])('a user who confirms first who they are is sent back with a code for what they chose, %s', async (_, scripts) => {
  const { arrived, origin } = await startSite();
  const account = await seedAccount();
  const page = await openWindow({ scripts, elsewhere: origin });
  await signIn(page, account);
  await page.goto(await requestOf(`${origin}/callback`, 'An assistant'));
  await page.getByLabel('links:write').uncheck();
  await makeStale(account);
  await follow(page.getByRole('button', { name: 'Give access' }));
  await page.getByLabel('Current password').fill('a wrong one');
  await follow(page.getByRole('button', { name: 'Confirm' }));
  await page.getByText('This is not your current password.').first().waitFor();
  await page.getByLabel('Current password').fill(account.password);
  await follow(page.getByRole('button', { name: 'Confirm' }));
  await page.getByRole('heading', { name: 'Arrived' }).waitFor();
  expect(arrived).toEqual([expect.stringMatching(/^GET \/callback\?code=[\w-]{43}&state=here&iss=/)]);
  const sql = 'SELECT scopes FROM oauth_codes WHERE user_id = (SELECT id FROM users WHERE name = ?1)';
  const [rows] = await onDatabase((db) => db.batch([{ sql, params: [account.userName] }]));
  expect(rows).toEqual([{ scopes: 'links:read stats:read' }]);
});

it('a popup that a program opens stays its own, from the sign-in to the code', async () => {
  const { origin } = await startSite();
  const account = await seedAccount();
  const page = await openWindow({ elsewhere: origin });
  const path = await requestOf(`${origin}/callback`, 'An assistant');
  await page.goto(`${origin}/start`);
  const opening = page.context().waitForEvent('page');
  await page.evaluate(`void open(${JSON.stringify(`${ORIGIN}${path}`)})`);
  const popup = await opening;
  await popup.getByLabel('User name').fill(account.userName);
  await popup.getByLabel('Password').fill(account.password);
  await popup.getByRole('button', { name: 'Sign in', exact: true }).click();
  await popup.getByRole('button', { name: 'Give access' }).click();
  await popup.getByRole('heading', { name: 'Arrived' }).waitFor();
  expect(await popup.evaluate('opener !== null')).toBe(true);
});

it('the pages for applications are laid out at every width', async () => {
  const page = await openWindow();
  await signIn(page, await seedAccount());
  await page.goto(await requestOf('http://127.0.0.1:1/callback', 'An assistant with a long name that names a bank'));
  await inspect(page, 'oauth-consent');
  await checkPage(page, 'oauth-consent');
  await page.getByLabel('links:write').uncheck();
  await page.getByLabel('links:read').uncheck();
  await page.getByLabel('stats:read').uncheck();
  await follow(page.getByRole('button', { name: 'Give access' }));
  await inspect(page, 'oauth-consent-error');
  await page.goto(await requestOf('http://127.0.0.1:1/callback', 'An assistant', { response_type: 'token' }));
  await inspect(page, 'oauth-invalid');
  await page.goto('/oauth/authorize?client_id=none');
  await inspect(page, 'oauth-unknown');
  await page.goto('/platform/account/applications');
  await inspect(page, 'applications-none');
});

it('a user sees a connected application with its host, and disconnects it in a dialog', async () => {
  const { arrived, origin } = await startSite();
  const page = await openWindow({ elsewhere: origin });
  await signIn(page, await seedAccount());
  const request = await requestOf(`${origin}/callback`, 'An assistant');
  await page.goto(request);
  await follow(page.getByRole('button', { name: 'Give access' }));
  await page.getByRole('heading', { name: 'Arrived' }).waitFor();
  const code = /code=([\w-]+)/.exec(arrived[0] ?? '')?.[1] ?? '';
  const client_id = new URL(request, ORIGIN).searchParams.get('client_id') ?? '';
  const sent = { grant_type: 'authorization_code', client_id, code, code_verifier: VERIFIER };
  const granted = await fetch(`${ORIGIN}/oauth/token`, { method: 'POST', body: new URLSearchParams(sent) });
  expect(granted.status).toBe(200);

  await page.goto('/platform/account');
  await follow(page.getByRole('link', { name: 'Show connected applications' }));
  expect(await page.getByRole('listitem').filter({ hasText: 'An assistant (127.0.0.1)' }).count()).toBe(1);
  await inspect(page, 'applications');
  await menuOf(page, 'Actions for').click();
  await page.getByRole('link', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('loses access to the workspace').waitFor();
  await keepScreenshot(page, 'applications-end');
  await follow(dialog.getByRole('button', { name: 'Disconnect' }));
  await page.getByText('The application has been disconnected.').waitFor();
  expect(await page.getByText('No connected applications').count()).toBe(1);
});
