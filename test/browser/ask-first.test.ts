import { describe, expect, it } from 'vitest';
import { fitsDark, fitsEverywhere, fitsFingers, inspect, openWindow, ORIGIN } from './support/browser.ts';
import { make } from './support/links.ts';
import { seedAccount, type Account } from './support/seed.ts';
import { startSite } from './support/site.ts';

/** Links that ask first, in a browser. */

async function edit({ apiKey }: Account, id: string, fields: object): Promise<void> {
  const response = await fetch(`${ORIGIN}/v1/links/${id}`, {
    method: 'PATCH',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
  expect(response.status).toBe(200);
}

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('a link that asks first, %s', (_, scripts) => {
  it('a link that asks first redirects by its button, with GET, though its status is 307', async () => {
    const { origin, arrived } = await startSite();
    const page = await openWindow({ scripts, elsewhere: origin });
    const id = await make(await seedAccount(), { url: `${origin}/goal`, ask_first: true, redirect_status: 307 });
    await page.goto(`/${id}?ref=a`);
    if (scripts) {
      await inspect(page, 'ask-first');
      await fitsEverywhere(page, 'ask-first');
      await fitsFingers(page, 'ask-first');
      await fitsDark(page, 'ask-first');
    }
    expect(await page.locator('main').innerText()).toContain(`This link leads to ${new URL(origin).host}`);
    expect(arrived).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/goal`);
    expect(arrived).toEqual(['GET /goal from nowhere']);
  });

  it('a link that asks first takes a password on the same page, and asks without it later', async () => {
    const { origin, arrived } = await startSite();
    const page = await openWindow({ scripts, elsewhere: origin });
    const id = await make(await seedAccount(), { url: `${origin}/goal`, ask_first: true, password: 'open sesame' });
    await page.goto(`/${id}`);
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${origin}/goal`);
    await page.goto(`/${id}`);
    expect(await page.getByLabel('Password').count()).toBe(0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${origin}/goal`);
    expect(arrived).toHaveLength(2);
  });

  it('a link that asks first asks again if its host has changed between the page and the button', async () => {
    const { origin, arrived } = await startSite();
    const page = await openWindow({ scripts, elsewhere: origin });
    const account = await seedAccount();
    const id = await make(account, { url: 'https://before.example/', ask_first: true });
    await page.goto(`/${id}`);
    await edit(account, id, { rules: [{ if: [{ type: 'device', in: ['desktop'] }], url: `${origin}/goal` }] });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(new URL(origin).host).waitFor();
    expect(arrived).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${origin}/goal`);
  });

  it('a link that asks first is not followed by the form of another site', async () => {
    const { origin, arrived } = await startSite();
    const page = await openWindow({ scripts, elsewhere: origin });
    const id = await make(await seedAccount(), { url: `${origin}/goal`, ask_first: true });
    await page.goto(`/${id}`);
    const asked = await page.locator('input[name=asked]').inputValue();
    await page.goto(`${origin}/?${new URLSearchParams({ to: `/${id}`, asked })}`);
    await page.getByRole('button', { name: 'Win' }).click();
    await page.getByRole('heading', { name: 'Continue to another website?' }).waitFor();
    expect(arrived).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${origin}/goal`);
  });
});
