import { expect, it } from 'vitest';
import { follow, inspect, leave, openWindow, ORIGIN, signIn, type Page } from './support/browser.ts';
import { makeStale, seedAccount } from './support/seed.ts';

const PASSKEYS = '/platform/account/passkeys';

/** Gives a window an authenticator of its own, such as the screen lock of a phone, which is used at once when asked. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** The passkeys that it has. */
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    setVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

/**
 * Signs in, and adds a passkey.
 *
 * @param offers whether the field of the user name offers passkeys: the authenticator takes each offer at once
 */
async function openWithPasskey({ offers = false } = {}) {
  const account = await seedAccount();
  const page = await openWindow();
  if (!offers) await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
  const authenticator = await addAuthenticator(page);
  await signIn(page, account);
  await page.goto(PASSKEYS);
  await page.getByRole('link', { name: 'Add passkey' }).click();
  await page.getByLabel('Name').fill('Work laptop');
  await leave(page, () => page.getByRole('button', { name: 'Add passkey' }).click());
  await page.getByText('The passkey has been added.').waitFor();
  return { account, page, authenticator };
}

it('a passkey is added, signs in without a name by the button, and is removed', async () => {
  const { account, page, authenticator } = await openWithPasskey();
  expect(await authenticator.credentials()).toHaveLength(1);
  expect(await page.getByText('Never used').count()).toBe(1);

  await page.context().clearCookies();
  await page.goto('/platform/sign-in?next=/platform/account');
  await leave(page, () => page.getByRole('button', { name: 'Sign in with a passkey' }).click());
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  expect(page.url()).toBe(`${ORIGIN}/platform/account`);
  expect(await page.getByText(account.userName).count()).toBeGreaterThan(0);

  await page.goto(PASSKEYS);
  expect(await page.getByText('Last used').count()).toBe(1);
  await page.getByRole('listitem').filter({ hasText: 'Work laptop' }).locator('summary').click();
  await page.getByRole('link', { name: 'Remove passkey' }).click();
  const question = page.getByRole('dialog', { name: 'Remove the passkey Work laptop?' });
  await follow(question.getByRole('button', { name: 'Remove passkey' }));
  await page.getByText('No passkeys yet').waitFor();

  await page.context().clearCookies();
  await page.goto('/platform/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey is not valid here.').waitFor();
  expect(page.url()).toBe(`${ORIGIN}/platform/sign-in`);
});

it('a passkey is offered in the field of the user name, and signs in from there', async () => {
  const { account, page } = await openWithPasskey({ offers: true });
  await page.context().clearCookies();
  // The authenticator stands for a person who chooses it there.
  await leave(page, () => page.goto('/platform/sign-in').catch(() => null));
  await page.waitForURL(`${ORIGIN}/platform/c/${account.clientId}`);
});

it('the passkeys to offer are asked for once, also if the field of the user name gets its focus meanwhile', async () => {
  const page = await openWindow();
  await page.addInitScript(
    'PublicKeyCredential.isConditionalMediationAvailable = () => new Promise((resolve) => (globalThis.goOn ??= []).push(resolve))',
  );
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(`${ORIGIN}/platform/sign-in/passkey`)) asked.push(request.url());
  });
  await page.goto('/platform/sign-in');
  for (const name of ['Password', 'User name', 'Password', 'User name']) await page.getByLabel(name).focus();
  expect(asked).toEqual([]);
  await page.evaluate('globalThis.goOn.forEach((resolve) => resolve(true))');
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThan(0);
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([`${ORIGIN}/platform/sign-in/passkey`]);
});

it('the sign-in says that no passkey was used, and the password still signs in', async () => {
  const { account, page, authenticator } = await openWithPasskey();
  await page.context().clearCookies();
  await page.goto('/platform/sign-in');
  await authenticator.setVerified(false);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toBe(
    'No passkey was used. Try again, or sign in with your password.',
  );
  await page.getByLabel('User name').fill(account.userName);
  await page.getByLabel('Password').fill(account.password);
  await follow(page.getByRole('button', { name: 'Sign in', exact: true }));
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

it('the sign-in offers the passkeys of a former host where none of this one was used', async () => {
  const { page, authenticator } = await openWithPasskey();
  await page.context().clearCookies();
  const former = { rpId: 'former.example', challenge: 'Y2hhbGxlbmdl', userVerification: 'required' };
  await page.route('**/sign-in/passkey?former=1', (route) => route.fulfill({ json: [former] }));
  await page.goto('/platform/sign-in');
  await authenticator.setVerified(false);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This service was at another host before.').waitFor();
  const buttons = page.getByRole('alert').getByRole('button');
  expect(await buttons.allTextContents()).toEqual(['Use a passkey of former.example']);
});

it('a passkey confirms who its user is, where a page asks for that', async () => {
  const { account, page } = await openWithPasskey();
  await makeStale(account);
  await page.goto(`${PASSKEYS}/new`);
  expect(page.url()).toContain('/platform/confirm?next=');
  await inspect(page, 'confirm-by-passkey');
  await leave(page, () => page.getByRole('button', { name: 'Use a passkey' }).click());
  await page.getByRole('heading', { name: 'Add a passkey' }).waitFor();
  expect(page.url()).toBe(`${ORIGIN}${PASSKEYS}/new`);
});

it('the page that asks who its user is says that no passkey was used, and takes the password', async () => {
  const { account, page, authenticator } = await openWithPasskey();
  await makeStale(account);
  await page.goto(`${PASSKEYS}/new`);
  await authenticator.setVerified(false);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('No passkey was used.');
  await page.getByLabel('Current password').fill(account.password);
  await follow(page.getByRole('button', { name: 'Confirm', exact: true }));
  await page.getByRole('heading', { name: 'Add a passkey' }).waitFor();
});

it('an authenticator that has a passkey already adds no other one', async () => {
  const { page } = await openWithPasskey();
  await page.getByRole('link', { name: 'Add passkey' }).click();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByText('This passkey has been added before.').waitFor();
});

it('the form to sign in takes a password as before where no script runs, and has no button for passkeys', async () => {
  const account = await seedAccount();
  const page = await openWindow({ scripts: false });
  await page.goto('/platform/sign-in');
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  await page.getByLabel('User name').fill(account.userName);
  await page.getByLabel('Password').fill(account.password);
  await follow(page.getByRole('button', { name: 'Sign in', exact: true }));
  expect(page.url()).toBe(`${ORIGIN}/platform/c/${account.clientId}`);
});

it('shows the passkeys of an account, the form to add one, and the question about the second factor', async () => {
  const { page } = await openWithPasskey();
  await page.goto(PASSKEYS);
  await inspect(page, 'passkeys');
  await page.goto(`${PASSKEYS}/new`);
  await inspect(page, 'passkey-new');
  await page.goto(`${PASSKEYS}/factor`);
  await inspect(page, 'passkeys-factor');
});
