import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FREQUENT_CRON } from '../../src/app/crons.ts';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { expectClicksOfAll } from '../../src/webhooks/click-webhooks.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../support/objects.ts';
import { db, seedTenant, statistics } from '../support/seed.ts';
import { openOwner, seedWebhook, seedWebhookRow, sendWebhook } from '../support/webhook-owners.ts';

afterEach(() => void vi.restoreAllMocks());

/** An owner whose object takes clicks without the queue, as far as it knows. */
async function open() {
  const tenant = await seedTenant();
  const owner = await openOwner(tenant);
  const object = env.STATISTICS.getByName(tenant.clientId);
  await object.excludeClickWebhooks(Date.now());
  const delivery = { packs: [], links: [], profiles: [], groups: [] };
  return { owner, clientId: tenant.clientId, takesClicks: async () => (await object.offer(delivery)).isStored };
}

describe('a cron', () => {
  const run = (cron: string) =>
    createApp(parseConfig({ ...env })).scheduled({ cron, scheduledTime: Date.now(), noRetry: () => {} }, env);

  it('a cron of five minutes lets objects know of webhooks for clicks that a former version has just written', async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    const columns = { created_at: Date.now() - 60_000 };
    await seedWebhookRow(one.clientId, { events: '["link.clicked"]', ...columns });
    await seedWebhookRow(two.clientId, { events: '["link.created"]', ...columns });
    await seedWebhookRow(three.clientId, { events: '["link.clicked"]' });
    await run(FREQUENT_CRON);
    expect([await one.takesClicks(), await two.takesClicks(), await three.takesClicks()]).toEqual([false, true, true]);
  });

  it('a cron of each day lets objects know of all webhooks for clicks', async () => {
    const { clientId, takesClicks } = await open();
    await seedWebhookRow(clientId, { events: '["link.clicked"]' });
    await expectClicksOfAll({ db, statistics }, 0);
    expect(await takesClicks()).toBe(false);
  });
});

describe('a client whose clicks go straight to its object', () => {
  it('a client whose clicks go straight to its object keeps that with a webhook that is not for clicks', async () => {
    const { owner, takesClicks } = await open();
    const { id } = await seedWebhook(owner, { events: ['link.created'] });
    await owner.ask('PATCH', `/v1/webhooks/${id}`, { description: 'x', disabled: true });
    expect(await takesClicks()).toBe(true);
  });

  it('a client whose clicks go straight to its object takes the queue once a webhook for clicks is created', async () => {
    const { owner, takesClicks } = await open();
    await seedWebhook(owner, { events: ['link.created', 'link.clicked'] });
    expect(await takesClicks()).toBe(false);
  });

  it.each([{ events: ['link.clicked'] }, { disabled: false }])(
    'a client whose clicks go straight to its object takes the queue after the change %j',
    async (change) => {
      const { owner, takesClicks } = await open();
      const { id } = await seedWebhook(owner, { events: ['link.created'] });
      await owner.ask('PATCH', `/v1/webhooks/${id}`, change);
      expect(await takesClicks()).toBe(false);
    },
  );

  it('a client whose clicks go straight to its object gets no webhook for clicks while its object does not respond', async () => {
    const { owner, takesClicks } = await open();
    const { id } = await seedWebhook(owner, { events: ['link.created'] });
    const broken = replaceInObjects('expectClickWebhook', () => () => Promise.reject(OBJECT_FAILURE));
    const events = ['link.clicked'];
    for (const answer of [
      await sendWebhook(owner, { events }),
      await owner.ask('PATCH', `/v1/webhooks/${id}`, { events }),
    ]) {
      expect(answer).toMatchObject({ status: 503, body: { error: expect.stringMatching(/^store_unavailable: /) } });
    }
    broken.mockRestore();
    const { body } = await owner.ask<{ webhooks: { id: string; events: string[] }[] }>('GET', '/v1/webhooks');
    expect(body.webhooks.map((webhook) => [webhook.id, webhook.events])).toEqual([[id, ['link.created']]]);
    expect(await takesClicks()).toBe(true);
  });

  it('a client whose clicks go straight to its object stays so if another client creates a webhook for clicks', async () => {
    const [one, two] = [await open(), await open()];
    await seedWebhook(two.owner, { events: ['link.clicked'] });
    expect([await one.takesClicks(), await two.takesClicks()]).toEqual([true, false]);
  });
});
