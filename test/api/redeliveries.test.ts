import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addDelivery, addEvent, deliveryRow, seedFailedDelivery } from '../support/deliveries.ts';
import { DISABLED, NO_WEBHOOK, NOW, openLog, seedStates } from '../support/delivery-log.ts';
import { seedWebhookRow } from '../support/webhook-owners.ts';
import { eventRowsOf } from '../support/webhooks.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('POST /v1/webhooks/{id}/deliveries/{event_id}/redeliver', () => {
  it('POST /v1/webhooks/{id}/deliveries/{event_id}/redeliver begins the attempts anew at once, whether it failed or was delivered', async () => {
    const { ask, clientId, sent } = await openLog();
    const { webhook, delivered, failed } = await seedStates(clientId);
    for (const event of [failed, delivered]) {
      const { status, body } = await ask('POST', `/v1/webhooks/${webhook}/deliveries/${event}/redeliver`);
      expect([status, body]).toMatchObject([
        200,
        { event_id: event, state: 'pending', next_attempt_at: '2026-05-20T12:00:00.000Z', delivered_at: null },
      ]);
      expect(sent.splice(0)).toEqual([{ body: { webhook, event, at: NOW }, delaySeconds: 0 }]);
      expect(await deliveryRow({ webhook, event, at: 0 })).toMatchObject({ tries: 0, next_try_at: NOW });
    }
  });

  it('POST /v1/webhooks/{id}/deliveries/{event_id}/redeliver is refused for a webhook that is disabled', async () => {
    const { ask, clientId, sent } = await openLog();
    const { webhook, event } = await seedFailedDelivery(clientId);
    await env.DB.prepare('UPDATE webhooks SET disabled_at = 1 WHERE id = ?').bind(webhook).run();
    const { status, body } = await ask('POST', `/v1/webhooks/${webhook}/deliveries/${event}/redeliver`);
    expect([status, body]).toEqual([409, DISABLED]);
    expect([sent, (await deliveryRow({ webhook, event, at: 0 }))?.next_try_at]).toEqual([[], null]);
  });
});

describe('POST /v1/webhooks/{id}/redeliver', () => {
  it('POST /v1/webhooks/{id}/redeliver begins all failed deliveries since an instant anew', async () => {
    const { ask, clientId, sent } = await openLog();
    const { webhook, failed } = await seedStates(clientId);
    const send = (since: string) => ask('POST', `/v1/webhooks/${webhook}/redeliver`, { since });
    expect(await send('2026-05-20T11:59:57.002Z')).toMatchObject({
      status: 200,
      body: { redelivered: 0, complete: true },
    });
    expect(await send('2026-05-20T13:59:57.001+02:00')).toMatchObject({
      status: 200,
      body: { redelivered: 1, complete: true },
    });
    expect(sent).toEqual([{ body: { webhook, event: failed, at: NOW }, delaySeconds: 0 }]);
    const { status, body } = await send('yesterday');
    expect([status, body]).toMatchObject([
      400,
      { error: expect.stringMatching(/^invalid_since: since must be an ISO/) },
    ]);
  });

  it('POST /v1/webhooks/{id}/redeliver begins deliveries anew that wait for a further attempt, and not one that is under way', async () => {
    const { ask, clientId, sent } = await openLog();
    const webhook = await seedWebhookRow(clientId);
    const seed = async (tries: number, next: number) => {
      const { event } = await addDelivery(webhook, await addEvent(clientId, { dispatchedAt: 1 }), { tries });
      await env.DB.prepare('UPDATE deliveries SET next_try_at = ?2 WHERE event_id = ?1').bind(event, next).run();
      return event;
    };
    const waiting = await seed(6, NOW + 5 * 3_600_000);
    const others = [await seed(1, NOW + 90_000), await seed(0, NOW + 5000)];
    const { status, body } = await ask('POST', `/v1/webhooks/${webhook}/redeliver`, { since: '2026-05-19T12:00:00Z' });
    expect([status, body]).toEqual([200, { redelivered: 1, complete: true }]);
    expect(sent).toEqual([{ body: { webhook, event: waiting, at: NOW }, delaySeconds: 0 }]);
    expect(await deliveryRow({ webhook, event: waiting, at: 0 })).toMatchObject({ tries: 0, next_try_at: NOW });
    const rows = await Promise.all(others.map((event) => deliveryRow({ webhook, event, at: 0 })));
    expect(rows.map((row) => row?.next_try_at)).toEqual([NOW + 90_000, NOW + 5000]);
  });

  it('POST /v1/webhooks/{id}/redeliver begins a thousand at a time, and says that there are more', async () => {
    const { ask, clientId, sent } = await openLog();
    const webhook = await seedWebhookRow(clientId);
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
        INSERT INTO events (id, client_id, type, happened_at, data, dispatched_at)
        SELECT ?1 || i, ?1, 'key.created', 1, '{}', 1 FROM n`,
    )
      .bind(clientId)
      .run();
    await env.DB.prepare(
      'INSERT INTO deliveries (webhook_id, event_id, created_at) SELECT ?1, id, 1 FROM events WHERE client_id = ?2',
    )
      .bind(webhook, clientId)
      .run();
    const send = async () =>
      (await ask('POST', `/v1/webhooks/${webhook}/redeliver`, { since: '1970-01-01T00:00:00Z' })).body;
    expect(await send()).toEqual({ redelivered: 1000, complete: false });
    expect(sent).toHaveLength(1000);
    expect(await send()).toEqual({ redelivered: 1, complete: true });
  });
});

describe('POST /v1/webhooks/{id}/test', () => {
  it('POST /v1/webhooks/{id}/test sends an event to one webhook alone', async () => {
    const { ask, clientId, sent } = await openLog();
    const webhook = await seedWebhookRow(clientId);
    await seedWebhookRow(clientId, { events: '["link.created","key.created"]' });
    const { status, body } = await ask<{ event_id: string }>('POST', `/v1/webhooks/${webhook}/test`);
    expect([status, body]).toEqual([202, { event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) }]);
    expect(sent).toEqual([{ body: { event: body.event_id, origin: 'https://terse.test' }, delaySeconds: 0 }]);
    expect(await eventRowsOf(clientId)).toMatchObject([
      { id: body.event_id, type: 'webhook.test', webhook_id: webhook, data: JSON.stringify({ webhook_id: webhook }) },
    ]);
  });

  it('POST /v1/webhooks/{id}/test is refused for a webhook that is disabled', async () => {
    const { ask, clientId } = await openLog();
    const webhook = await seedWebhookRow(clientId, { disabled_at: 1 });
    const { status, body } = await ask('POST', `/v1/webhooks/${webhook}/test`);
    expect([status, body]).toEqual([409, DISABLED]);
    expect(await eventRowsOf(clientId)).toEqual([]);
  });
});

it('an owner of another client finds no delivery, and changes nothing', async () => {
  const { clientId } = await openLog();
  const { webhook, event } = await seedFailedDelivery(clientId);
  const { ask } = await openLog();
  const before = await deliveryRow({ webhook, event, at: 0 });
  for (const [method, path, sent] of [
    ['GET', '/deliveries', undefined],
    ['GET', `/deliveries/${event}`, undefined],
    ['POST', `/deliveries/${event}/redeliver`, undefined],
    ['POST', '/redeliver', { since: '2020-01-01T00:00:00Z' }],
    ['POST', '/test', undefined],
  ] as const) {
    const { status, body } = await ask(method, `/v1/webhooks/${webhook}${path}`, sent);
    expect([path, status, body]).toEqual([path, 404, NO_WEBHOOK]);
  }
  expect(await deliveryRow({ webhook, event, at: 0 })).toEqual(before);
  expect((await eventRowsOf(clientId)).map(({ type }) => type)).toEqual(['key.created']);
});
