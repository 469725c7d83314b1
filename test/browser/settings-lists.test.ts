import { describe, expect, it } from 'vitest';
import { fitsEverywhere, fitsLargeText, follow, inspect, openWindow, signIn, type Page } from './support/browser.ts';
import { seedDifficult } from './support/difficult.ts';
import { focusedIn } from './support/focus.ts';
import { expectLayout } from './support/layout.ts';
import { onDatabase, seedAccount, type Account } from './support/seed.ts';
import { smallTargetsOf } from './support/targets.ts';

/** The lists of members, API keys, webhooks, domains, tags and UTM templates, which follow one pattern. */

const ROOMS = ['members', 'keys', 'webhooks', 'domains', 'tags', 'links/utm-templates'] as const;

const pathOf = ({ clientId }: Account, room: string) => `/platform/c/${clientId}/${room}`;

/** It is stored as it is, since nothing is sent to it. */
const seedWebhook = ({ clientId }: Account) =>
  onDatabase((db) =>
    db.first({
      sql: `INSERT INTO webhooks (id, client_id, url, events, secret, disabled_at, disabled_by, created_at, updated_at)
            VALUES (?1 || '-off', ?1, 'https://hooks.example/', '["link.created"]', 'x', 1, 'owner', 1, 1)`,
      params: [clientId],
    }),
  );

const seedTemplate = ({ clientId }: Account) =>
  onDatabase((db) =>
    db.first({
      sql: `INSERT INTO presets (client_id, kind, name, folded, content, created_at)
            VALUES (?1, 'utm', 'Spring', 'spring', 'utm_source=news', 1)`,
      params: [clientId],
    }),
  );

async function openFull(): Promise<{ page: Page; account: Account }> {
  const account = await seedAccount();
  await seedDifficult(account);
  await seedWebhook(account);
  await seedTemplate(account);
  const page = await openWindow();
  await signIn(page, account);
  return { page, account };
}

const menusOf = (page: Page) => page.locator('.row-menu');
const heightsOf = (page: Page) =>
  page.evaluate<number[]>(`[...document.querySelectorAll('.setting')].map((row) => row.offsetHeight)`);

describe('a list of settings', () => {
  it.each(ROOMS)('a list of settings with long names fits every screen, in rows of one height: %s', async (room) => {
    const { page, account } = await openFull();
    if (room === 'members') {
      await page.goto(pathOf(account, 'members/invite'));
      await follow(page.getByRole('button', { name: 'Create invite link' }));
    }
    await page.goto(pathOf(account, room));
    await inspect(page, `settings-${room}`);
    await fitsEverywhere(page, `settings-${room}`);
    await fitsLargeText(page, `settings-${room}`);
    for (const width of [1440, 720, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const heights = await heightsOf(page);
      expect([width, new Set(heights).size, heights.length > 1]).toEqual([width, 1, true]);
    }
  });

  it('a list of settings has menus that fit a phone, and that fingers can use', async () => {
    const { page, account } = await openFull();
    for (const room of ROOMS) {
      for (const width of [1440, 720, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(pathOf(account, room));
        await menusOf(page).last().locator('summary').click();
        await expectLayout(page, { room, width });
        if (width === 320) expect({ room, small: await smallTargetsOf(page) }).toEqual({ room, small: [] });
      }
    }
  });

  it('a list of settings is used by keys alone', async () => {
    const { page, account } = await openFull();
    await page.goto(pathOf(account, 'keys'));
    const summary = menusOf(page).first().locator('summary');
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focusedIn(page)).toBe('Rename');
    await page.keyboard.press('Escape');
    expect(await menusOf(page).first().getAttribute('open')).toBe(null);
    await page.keyboard.press('Enter');
    for (let step = 0; step < 3; step++) await page.keyboard.press('Tab');
    expect(await focusedIn(page)).toBe('Revoke');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await focusedIn(page)).toBe('Cancel');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate<string>('document.activeElement.localName')).toBe('summary');
  });
});

it.each([true, false])('a long list of settings is filtered by name on every screen (scripts: %s)', async (scripts) => {
  const account = await seedAccount();
  await onDatabase((db) =>
    db.first({
      sql: `INSERT INTO api_keys (id, client_id, user_id, name, secret_hash, created_at)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
            SELECT m.client_id || '-' || i, m.client_id, m.user_id, 'program ' || i, 'x', i FROM n
            JOIN members m ON m.client_id = ?1`,
      params: [account.clientId],
    }),
  );
  const page = await openWindow({ scripts });
  await signIn(page, account);
  await page.goto(pathOf(account, 'keys'));
  if (scripts) await inspect(page, 'settings-many');
  await page.getByRole('searchbox', { name: 'Filter API keys by name' }).fill('Program 6');
  await follow(page.getByRole('button', { name: 'Filter', exact: true }));
  expect(await page.locator('.setting-name > a').allTextContents()).toEqual(['program 60', 'program 6']);
  if (scripts) await fitsEverywhere(page, 'settings-filtered');
  await follow(page.getByRole('link', { name: 'Show all' }));
  await follow(page.getByRole('link', { name: 'Next page' }));
  expect(await page.locator('.setting').count()).toBe(11);
});

it.each([true, false])('what a menu of a list ends asks before, and is then over (scripts: %s)', async (scripts) => {
  const account = await seedAccount();
  const page = await openWindow({ scripts });
  await signIn(page, account);
  await page.goto(pathOf(account, 'keys'));
  await menusOf(page).first().locator('summary').click();
  const revoke = page.locator('.row-menu[open]').getByRole('link', { name: 'Revoke' });
  if (scripts) await revoke.click();
  else await follow(revoke);
  const question = scripts ? page.getByRole('dialog') : page.getByRole('main');
  await follow(question.getByRole('button', { name: 'Revoke key' }));
  await page.getByText('no longer works.').waitFor();
  await page.goto(pathOf(account, 'keys'));
  expect(await page.locator('.setting .badge').allTextContents()).toEqual(['Revoked']);
});

it('a menu of a list leads to the part of the page that it names', async () => {
  const account = await seedAccount();
  const page = await openWindow();
  await signIn(page, account);
  await page.goto(pathOf(account, 'keys'));
  await menusOf(page).first().locator('summary').click();
  await follow(page.locator('.row-menu[open]').getByRole('link', { name: 'Rename' }));
  expect(new URL(page.url()).hash).toBe('#name');
  const top = () => page.evaluate<number>(`document.querySelector('#name').getBoundingClientRect().top`);
  await expect.poll(top).toBeLessThan(800);
});
