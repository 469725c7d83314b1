import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { selectOverdue, selectUndispatched } from '../../../src/webhooks/delivery/sweep-store.ts';
import { sweepDeliveries } from '../../../src/webhooks/delivery/sweep.ts';
import { addDelivery, addEvent, holdBatches, type Sent } from '../../support/deliveries.ts';
import { db } from '../../support/seed.ts';
import { addWebhook } from '../../support/webhooks.ts';

const NOW = Date.parse('2026-05-20T12:00:00Z');

async function seedWebhook() {
  const clientId = `client-${crypto.randomUUID()}`;
  await env.DB.prepare('INSERT INTO clients (id, created_at) VALUES (?1, 1)').bind(clientId).run();
  return { clientId, webhook: await addWebhook(clientId) };
}

async function sweep(): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  await sweepDeliveries({ db, queue: holdBatches(sent) }, NOW);
  return sent;
}

beforeEach(async () => {
  await env.DB.batch(['deliveries', 'events'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the sweep', () => {
  it('the sweep of webhooks sends events again that were not dispatched for a minute, oldest first', async () => {
    const { clientId } = await seedWebhook();
    const old = await addEvent(clientId, { happenedAt: NOW - 60_001 });
    await addEvent(clientId, { happenedAt: NOW - 60_000 });
    await addEvent(clientId, { happenedAt: NOW - 90_000, dispatchedAt: NOW - 80_000 });
    const older = await addEvent(clientId, { happenedAt: NOW - 3_600_000 });
    expect(await sweep()).toEqual([older, old].map((event) => ({ body: { event }, delaySeconds: 0 })));
  });

  it('the sweep of webhooks sends deliveries again whose attempt is two minutes overdue', async () => {
    const { clientId, webhook } = await seedWebhook();
    const event = () => addEvent(clientId, { dispatchedAt: 1 });
    const overdue = await addDelivery(webhook, await event(), { at: NOW - 120_001 });
    await addDelivery(webhook, await event(), { at: NOW - 120_000 });
    await addDelivery(webhook, await event(), { at: NOW + 60_000 });
    const done = await addDelivery(webhook, await event(), { at: NOW - 500_000 });
    await env.DB.prepare('UPDATE deliveries SET next_try_at = NULL WHERE event_id = ?').bind(done.event).run();
    expect(await sweep()).toEqual([{ body: overdue, delaySeconds: 0 }]);
  });

  it('the sweep of webhooks continues page by page, and sends each once', async () => {
    const { clientId, webhook } = await seedWebhook();
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1203)
        INSERT INTO events (id, client_id, type, happened_at, data, dispatched_at)
        SELECT 'evt_' || i, ?1, 'key.created', ?2, '{}', CASE WHEN i % 2 = 1 THEN 1 END FROM n`,
    )
      .bind(clientId, NOW - 600_000)
      .run();
    await env.DB.prepare(
      `INSERT INTO deliveries (webhook_id, event_id, created_at, next_try_at) SELECT ?1, id, 1, ?2 FROM events`,
    )
      .bind(webhook, NOW - 300_000)
      .run();
    const sent = await sweep();
    const keys = new Set(sent.map(({ body }) => JSON.stringify(body)));
    expect([sent.length, keys.size]).toEqual([601 + 1203, 601 + 1203]);
  });

  it('the sweep of webhooks is part of the cron every five minutes, and not of the daily one', async () => {
    const { clientId, webhook } = await seedWebhook();
    const event = await addEvent(clientId, { happenedAt: Date.now() - 100_000 });
    const other = await addEvent(clientId, { happenedAt: Date.now() - 100_000, dispatchedAt: 1 });
    const delivery = await addDelivery(webhook, other, { at: Date.now() - 200_000 });
    const send = vi.spyOn(env.WEBHOOKS, 'sendBatch');
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    expect(send).not.toHaveBeenCalled();
    await worker.scheduled(createScheduledController({ cron: '*/5 * * * *' }), env);
    const bodies = send.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body));
    expect(bodies).toEqual([{ event }, delivery]);
  });

  it('the sweep of webhooks reads along the indexes of what waits, however many events there are', async () => {
    const plans = await Promise.all(
      [selectUndispatched(NOW, null, 5), selectOverdue(NOW, null, 5)].map(({ sql, params }) =>
        env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .bind(...params)
          .all<{ detail: string }>(),
      ),
    );
    const details = plans.map(({ results }) => results.map(({ detail }) => detail).join('; '));
    expect(details[0]).toMatch(/USING (?:COVERING )?INDEX events_waiting/);
    expect(details[1]).toMatch(/USING COVERING INDEX deliveries_due/);
    expect(details.join(' ')).not.toMatch(/SCAN|TEMP B-TREE/);
  });
});
