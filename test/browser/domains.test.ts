import { randomBytes } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import type { ZoneEntry } from '../support/zone.ts';
import { follow, inspect, openWindow, signIn, type Page } from './support/browser.ts';
import { onDatabase, seedAccount } from './support/seed.ts';

const newHost = () => `go-${randomBytes(6).toString('hex')}.example`;

async function setTxt(name: string, value: string): Promise<void> {
  const entry: ZoneEntry = { name, answer: { txt: [value] } };
  await fetch(inject('resolverUrl'), { method: 'PUT', body: JSON.stringify(entry) });
}

/** The name and the value of a DNS record that a page shows. */
async function recordOf(page: Page, type: string): Promise<readonly string[]> {
  const record = page.locator('.dns').filter({ has: page.getByText(type, { exact: true }) });
  return record.locator('dd > span').allTextContents();
}

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('a domain, %s', (_, scripts) => {
  it('a domain is added, changed, verified, and removed with its links after a second tick', async () => {
    const account = await seedAccount();
    const host = newHost();
    const page = await openWindow({ scripts });
    await signIn(page, account);
    await page.goto('/platform');
    await follow(page.getByRole('link', { name: 'Domains' }));
    await follow(page.getByRole('link', { name: 'More options' }));
    await page.getByLabel('Host').fill('not a host');
    await follow(page.getByRole('button', { name: 'Add domain' }));
    expect(await page.locator('#fault-host').textContent()).toContain('This must be a host name');
    expect(await page.getByLabel('Host').inputValue()).toBe('not a host');
    await page.getByLabel('Host').fill(host);
    await follow(page.getByRole('button', { name: 'Add domain' }));
    expect(await recordOf(page, 'TXT')).toEqual([`_terse.${host}`, expect.stringMatching(/^terse-domain=/)]);
    await page.getByLabel('Root URL').fill('https://example.com/root');
    await follow(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('The domain has been saved.').waitFor();

    // On wide screens buttons are as wide as their words.
    for (const name of ['Turn on case sensitivity', 'Do not ignore punctuation', 'Save length'])
      expect((await page.getByRole('button', { name }).boundingBox())?.width).toBeLessThan(300);

    await follow(page.getByRole('button', { name: 'Check now' }));
    await page.getByText(`There is no TXT record _terse.${host}.`).waitFor();
    await page.getByText('The host points to this service.').waitFor();
    const [, value = ''] = await recordOf(page, 'TXT');
    await setTxt(`_terse.${host}`, value);
    await follow(page.getByRole('button', { name: 'Check now' }));
    await page.getByText('The domain has been verified. You can create links on it now.').waitFor();
    const form = new FormData();
    for (const [name, value] of Object.entries({
      url: 'https://example.com/',
      client_id: account.clientId,
      custom_domain: host,
    }))
      form.set(name, value);
    const made = await fetch(new URL('/v1/links', page.url()), {
      method: 'POST',
      headers: { 'X-API-Key': account.apiKey },
      body: form,
    });
    expect(made.status).toBe(200);
    await page.getByRole('link', { name: 'Remove domain' }).click();
    const question = scripts ? page.getByRole('dialog') : page.getByRole('main');
    await follow(question.getByRole('button', { name: 'Remove domain' }));
    await page.getByText('Select the checkbox to delete them too.').waitFor();
    await page.getByLabel('Delete its one link too').check();
    await follow(page.getByRole('button', { name: 'Remove domain' }));
    await page.getByRole('heading', { name: 'No domains yet' }).waitFor();
  });
});

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('the app links of a domain, %s', (_, scripts) => {
  it('the app links of a domain are folded, refused with the error in sight and all texts kept, and saved', async () => {
    const page = await openWindow({ scripts });
    const account = await seedAccount();
    await signIn(page, account);
    await page.goto(`/platform/c/${account.clientId}/domains/new`);
    await page.getByLabel('Host').fill(newHost());
    await follow(page.getByRole('button', { name: 'Add domain' }));
    const apple = page.getByLabel('apple-app-site-association for Apple');
    const assets = page.getByLabel('assetlinks.json for Android');
    const save = page.getByRole('button', { name: 'Save app links' });
    expect([await apple.isVisible(), await save.isVisible()]).toEqual([false, false]);
    await page.getByText('Files', { exact: true }).click();
    const text = '{\n  "applinks": { "details": [] }\n}\n';
    await apple.fill(text);
    await assets.fill('{"relation": []}');
    await follow(save);
    const fault = page.locator('#fault-asset_links');
    expect(await fault.textContent()).toBe('This must be an array of at least one statement.');
    expect([await fault.isVisible(), await assets.isVisible()]).toEqual([true, true]);
    expect([await apple.inputValue(), await assets.inputValue()]).toEqual([text, '{"relation": []}']);
    // The inspection runs scripts in the page.
    if (scripts) await inspect(page, 'domain-app-links-fault');
    await assets.fill('[{"include": "https://example.com/statements.json"}]');
    await follow(save);
    await page.getByText('The domain has been saved.').waitFor();
    expect(await apple.isVisible()).toBe(true);
    expect([await apple.inputValue(), await assets.inputValue()]).toEqual([
      text,
      '[{"include": "https://example.com/statements.json"}]',
    ]);
    await apple.fill('');
    await follow(save);
    expect([await apple.inputValue(), await assets.isVisible()]).toEqual(['', true]);
  });
});

it('shows the pages of domains: empty, new, in every state', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  const domains = `/platform/c/${account.clientId}/domains`;
  await page.goto(domains);
  await inspect(page, 'domains-empty');
  await page.goto(`${domains}/new`);
  const long = `${'x'.repeat(60)}.${'y'.repeat(60)}.${randomBytes(20).toString('hex')}.example`;
  await page.getByLabel('Host').fill('x');
  await page.getByLabel('Root URL').fill(`https://example.com/${'long'.repeat(500)}`);
  await follow(page.getByRole('button', { name: 'Add domain' }));
  await inspect(page, 'domains-new-faults');
  for (const host of [newHost(), newHost(), long]) {
    await page.goto(`${domains}/new`);
    await page.getByLabel('Host').fill(host);
    await follow(page.getByRole('button', { name: 'Add domain' }));
  }
  await inspect(page, 'domain-pending');
  await follow(page.getByRole('button', { name: 'Check now' }));
  await inspect(page, 'domain-not-verified');
  await page.goto(page.url().replace(/\/verify$/, ''));
  await page.goto(`${page.url()}/remove`);
  await inspect(page, 'domain-remove');
  await onDatabase((db) =>
    db.batch(
      ['active', 'lost'].map((status, offset) => ({
        sql: `UPDATE domains SET status = ?1, verified_at = 1700000000000, checked_at = 1700000000000
              WHERE id = (SELECT id FROM domains WHERE client_id = ?2 AND host <> ?3 ORDER BY host LIMIT 1 OFFSET ?4)`,
        params: [status, account.clientId, long, offset],
      })),
    ),
  );
  await page.goto(domains);
  await inspect(page, 'domains');
  await follow(page.locator('.setting-name > a').nth(1));
  await inspect(page, 'domain-lost');
});
