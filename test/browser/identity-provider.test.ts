import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { REAL_SECRET } from '../support/provider-settings.ts';
import { openRealProvider } from '../support/real-provider.ts';
import { openWindow, ORIGIN, signIn, type Page } from './support/browser.ts';
import { seedAccount } from './support/seed.ts';

/** The pages of a provider load a font of another host, which no window of tests may ask. */
function leaveOutFonts(response: ServerResponse): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
  response.end = (body?: unknown) => {
    if (typeof body !== 'string' || response.headersSent) return end(body);
    const page = body.replaceAll(/@import url\([^)]*\);/g, '');
    response.setHeader('Content-Length', Buffer.byteLength(page));
    return end(page);
  };
}

/** Starts a real provider, on another origin than the service, with an application for a workspace. */
async function startProvider(workspace: string): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const applications = [{ application: 'terse', workspace }];
  const listen = await openRealProvider(issuer, { origin: ORIGIN, applications });
  server.on('request', (request, response: ServerResponse) => {
    leaveOutFonts(response);
    listen(request, response);
  });
  return issuer;
}

/** Signs in at the provider, where a browser that was there before only consents, and comes back. */
async function signInThere(page: Page, issuer: string, login: string): Promise<void> {
  await page.waitForURL(`${issuer}/**`);
  while (page.url().startsWith(issuer)) {
    const name = page.locator('[name=login]');
    if ((await name.count()) > 0) {
      await name.fill(login);
      await page.locator('[name=password]').fill('any');
    }
    await Promise.all([page.waitForEvent('load'), page.locator('[type=submit]').click()]);
  }
}

async function openWorkspace() {
  const account = await seedAccount();
  const issuer = await startProvider(account.clientId);
  const page = await openWindow({ elsewhere: issuer });
  await signIn(page, account);
  await page.goto(`/platform/c/${account.clientId}/settings/sign-in`);
  const fields = { Name: 'Acme', Issuer: issuer, 'Application ID': 'terse', 'Secret of the application': REAL_SECRET };
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Test sign-in' }).waitFor();
  return { account, issuer, page };
}

it('an owner tests a provider on another origin and turns it on; a person joins, then signs in from two tabs', async () => {
  const { account, issuer, page } = await openWorkspace();
  await page.getByRole('link', { name: 'Test sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await signInThere(page, issuer, 'ann');
  await page.getByRole('heading', { name: 'The sign-in works' }).waitFor();
  expect(await page.getByText('ann of the real provider').count()).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Turn on' }).click();
  const address = await page.getByLabel('Sign-in address for members', { exact: true }).inputValue();

  const first = await openWindow({ elsewhere: issuer });
  await first.goto(address);
  await first.getByRole('button', { name: 'Continue' }).click();
  await signInThere(first, issuer, 'bob');
  await first.getByText('Acme confirms that you are bob of the real provider.').waitFor();
  await first.getByRole('button', { name: `Join ${account.clientId}` }).click();
  await first.getByRole('heading', { name: 'Overview' }).waitFor();

  await first.context().clearCookies();
  const second = await first.context().newPage();
  for (const tab of [first, second]) {
    await tab.goto(address);
    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.waitForURL(`${issuer}/**`);
  }
  for (const tab of [first, second]) {
    await signInThere(tab, issuer, 'bob');
    expect(tab.url()).toBe(`${ORIGIN}/platform/c/${account.clientId}`);
  }

  await page.goto(`/platform/c/${account.clientId}/members`);
  await page.getByRole('link', { name: 'bob of the real provider' }).waitFor();
});

it('an address of an unknown domain stays in its field, and a sign-in that was stopped can begin again', async () => {
  const { issuer, page } = await openWorkspace();
  await page.getByRole('button', { name: 'Turn on' }).click();
  const address = await page.getByLabel('Sign-in address for members', { exact: true }).inputValue();
  const person = await openWindow({ elsewhere: issuer });
  await person.goto('/platform/sso');
  // The browser gives the focus after the page has loaded.
  await person.locator('input:focus').waitFor();
  await person.keyboard.type('bob@nowhere.example');
  await person.keyboard.press('Enter');
  await person.getByRole('link', { name: /No identity provider is turned on for this domain/ }).waitFor();
  expect(await person.getByLabel('Company e-mail address').inputValue()).toBe('bob@nowhere.example');

  await person.goto(address);
  await person.getByRole('button', { name: 'Continue' }).click();
  await person.waitForURL(`${issuer}/**`);
  await person.getByRole('link', { name: /Cancel/ }).click();
  await person.getByRole('heading', { name: 'The identity provider did not let you in' }).waitFor();
  await person.getByRole('link', { name: 'Start again' }).click();
  await person.getByRole('button', { name: 'Continue' }).click();
  await signInThere(person, issuer, 'bob');
  await person.getByRole('heading', { name: 'Your first sign-in' }).waitFor();
});
