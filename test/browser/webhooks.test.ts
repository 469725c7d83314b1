import { describe, expect, it } from 'vitest';
import { startReceiver } from '../system/support/webhook-receiver.ts';
import { follow, inspect, ORIGIN, openWindow, signIn, type Page } from './support/browser.ts';
import { seedAccount } from './support/seed.ts';

/** The time that an event may take: what could not be sent at once is sent a minute later. */
const DELIVERED = { timeout: 300_000 };

/** Reloads the page until it shows a text. */
async function reloadUntil(page: Page, text: string): Promise<void> {
  const shown = async () => {
    await page.reload();
    return page.getByText(text, { exact: true }).count();
  };
  await expect.poll(shown, DELIVERED).toBeGreaterThan(0);
}

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('a webhook, %s', (_, scripts) => {
  it('a webhook is created, is sent events that its receiver verifies, and is disabled, rolled and deleted', async () => {
    const account = await seedAccount();
    const page = await openWindow({ scripts });
    const receiver = await startReceiver((response) => response.writeHead(200).end('thanks'));
    const question = scripts ? page.getByRole('dialog') : page.getByRole('main');
    await signIn(page, account);
    await page.goto('/platform');
    await follow(page.getByRole('link', { name: 'For developers' }));
    await follow(page.getByRole('link', { name: 'Webhooks' }));
    await follow(page.getByRole('link', { name: 'Create webhook' }));
    await page.getByLabel('URL').fill('https://192.168.1.1/hook');
    await page.getByLabel('link.created').check();
    await follow(page.getByRole('button', { name: 'Create webhook' }));
    expect(await page.locator('#fault-url').textContent()).toContain('a host of the public internet');
    expect(await page.getByLabel('link.created').isChecked()).toBe(true);
    if (scripts) await inspect(page, 'webhook-new');
    await page.getByLabel('URL').fill(receiver.url);
    await follow(page.getByRole('button', { name: 'Create webhook' }));
    receiver.secret = await page.getByLabel('Signing secret', { exact: true }).inputValue();
    if (scripts) await inspect(page, 'webhook-secret');

    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Already sent');
    await follow(page.getByRole('link', { name: 'Go to the webhook' }));
    await follow(page.getByRole('button', { name: 'Send test event' }));
    await expect.poll(() => receiver.delivered.length + receiver.faults.length, DELIVERED).toBeGreaterThan(0);
    expect([receiver.faults, receiver.delivered[0]?.event.type]).toEqual([[], 'webhook.test']);
    await reloadUntil(page, 'Delivered');
    if (scripts) await inspect(page, 'webhook');
    await follow(page.getByRole('link', { name: 'webhook.test' }));
    await page.getByText('Status 200').waitFor();
    await page.getByText('thanks').waitFor();
    if (scripts) await inspect(page, 'webhook-delivery');
    await follow(page.getByRole('button', { name: 'Redeliver' }));
    await expect.poll(() => receiver.delivered.length, DELIVERED).toBeGreaterThan(1);
    expect(receiver.delivered[1]?.id).toBe(receiver.delivered[0]?.id);

    await page.goto(page.url().replace(/\/deliveries\/.*/, ''));
    await page.getByRole('link', { name: 'Roll secret' }).click();
    await follow(question.getByRole('button', { name: 'Roll secret' }));
    receiver.secret = await page.getByLabel('Signing secret', { exact: true }).inputValue();
    const made = await fetch(`${ORIGIN}/v1/links`, {
      method: 'POST',
      headers: { 'X-API-Key': account.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.com/told', client_id: account.clientId }),
    });
    expect(made.status).toBe(200);
    await expect.poll(() => receiver.delivered.length, DELIVERED).toBeGreaterThan(2);
    expect(receiver.delivered[2]?.event).toMatchObject({
      type: 'link.created',
      data: { url: 'https://example.com/told' },
    });

    await follow(page.getByRole('link', { name: 'Done' }));
    await follow(page.getByRole('button', { name: 'Disable' }));
    await page.getByText('What happens meanwhile is not sent later.').waitFor();
    await follow(page.getByRole('button', { name: 'Enable' }));
    await page.getByText('Events are sent.').waitFor();
    await page.getByRole('link', { name: 'Delete webhook' }).click();
    if (scripts) await page.locator(':focus', { hasText: 'Cancel' }).waitFor();
    await follow(question.getByRole('button', { name: 'Delete webhook' }));
    await page.getByText('No webhooks yet').waitFor();
  });
});
