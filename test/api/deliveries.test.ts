import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  addDelivery,
  addEvent,
  deliveryRow,
  holdBatches,
  seedFailedDelivery,
  type Sent,
} from '../support/deliveries.ts';
import { seedTenant } from '../support/seed.ts';
import { openOwner, refused, seedWebhookRow } from '../support/webhook-owners.ts';
import { eventRowsOf } from '../support/webhooks.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Delivery {
  readonly event_id: string;
  readonly state: string;
  readonly attempts: number;
}
interface List {
  readonly deliveries: readonly Delivery[];
  readonly cursor: string | null;
}

const NOW = Date.parse('2026-05-20T12:00:00Z');
const NO_WEBHOOK = refused('not_found: There is no webhook with this id that you can manage.');
const DISABLED = refused('webhook_disabled: The webhook is disabled, so nothing is sent to it. Enable it first.');

/** An owner, and what is sent to the queue from now on. */
async function openLog() {
  vi.setSystemTime(NOW);
  const owner = await openOwner(await seedTenant());
  const sent: Sent[] = [];
  vi.spyOn(env.WEBHOOKS, 'sendBatch').mockImplementation(holdBatches(sent).sendBatch);
  return { ...owner, clientId: owner.tenant.clientId, sent };
}

/** A webhook with one delivery in each state, the pending one newest. */
async function seedStates(clientId: string) {
  const webhook = await seedWebhookRow(clientId);
  const ids = [];
  for (const index of [0, 1, 2]) {
    const event = await addEvent(clientId, { happenedAt: NOW - 5000 + index, dispatchedAt: 1 });
    ids.push((await addDelivery(webhook, event, { at: NOW - 3000 + index })).event);
  }
  const [delivered = '', failed = '', pending = ''] = ids;
  await env.DB.batch([
    env.DB.prepare('UPDATE deliveries SET next_try_at = NULL, delivered_at = ?2 WHERE event_id = ?1').bind(
      delivered,
      NOW,
    ),
    env.DB.prepare('UPDATE deliveries SET next_try_at = NULL WHERE event_id = ?').bind(failed),
  ]);
  return { webhook, delivered, failed, pending };
}

describe('GET /v1/webhooks/{id}/deliveries', () => {
  it('lists deliveries newest first, by state, and page by page', async () => {
    const { ask, clientId } = await openLog();
    const { webhook, delivered, failed, pending } = await seedStates(clientId);
    const list = async (query: string) => (await ask<List>('GET', `/v1/webhooks/${webhook}/deliveries${query}`)).body;
    const ids = async (query: string) => (await list(query)).deliveries.map(({ event_id }) => event_id);
    expect((await list('')).deliveries[0]).toEqual({
      event_id: pending,
      type: 'key.created',
      happened_at: '2026-05-20T11:59:55.002Z',
      state: 'pending',
      attempts: 0,
      next_attempt_at: '2026-05-20T11:59:57.002Z',
      delivered_at: null,
    });
    expect(await ids('')).toEqual([pending, failed, delivered]);
    expect(await ids('?state=pending')).toEqual([pending]);
    expect(await ids('?state=failed')).toEqual([failed]);
    expect(await ids('?state=delivered')).toEqual([delivered]);
    const first = await list('?limit=2');
    expect(first.deliveries.map(({ event_id }) => event_id)).toEqual([pending, failed]);
    expect(await list(`?limit=2&cursor=${first.cursor}`)).toMatchObject({
      deliveries: [{ event_id: delivered, state: 'delivered', delivered_at: '2026-05-20T12:00:00.000Z' }],
      cursor: null,
    });
    // A cursor is bound to its list.
    const other = await ask('GET', `/v1/webhooks/${webhook}/deliveries?state=failed&cursor=${first.cursor}`);
    expect([other.status, other.body]).toMatchObject([400, { error: expect.stringMatching(/^invalid_cursor: /) }]);
    const bad = await ask('GET', `/v1/webhooks/${webhook}/deliveries?state=lost`);
    expect([bad.status, bad.body]).toEqual([
      400,
      refused('invalid_state: state must be one of pending, delivered, failed.'),
    ]);
  });
});

describe('GET /v1/webhooks/{id}/deliveries/{event_id}', () => {
  it('returns what the receiver answered to each attempt', async () => {
    const { ask, clientId } = await openLog();
    const { webhook, event } = await seedFailedDelivery(clientId);
    const { status, body } = await ask('GET', `/v1/webhooks/${webhook}/deliveries/${event}`);
    expect([status, body]).toEqual([
      200,
      {
        event_id: event,
        type: 'key.created',
        happened_at: '2026-05-20T12:00:00.000Z',
        state: 'failed',
        attempts: 1,
        next_attempt_at: null,
        delivered_at: null,
        log: [
          {
            number: 1,
            at: '2026-05-20T12:00:00.000Z',
            milliseconds: 12,
            status: 503,
            reason: null,
            response: 'down',
          },
        ],
      },
    ]);
    const unknown = await ask('GET', `/v1/webhooks/${webhook}/deliveries/evt_none`);
    expect([unknown.status, unknown.body]).toEqual([
      404,
      refused('not_found: The webhook has no delivery of an event with this id. Deliveries are kept for 30 days.'),
    ]);
  });
});

describe('POST /v1/webhooks/{id}/deliveries/{event_id}/redeliver', () => {
  it('begins the attempts anew at once, whether it failed or was delivered', async () => {
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

  it('is refused for a webhook that is disabled', async () => {
    const { ask, clientId, sent } = await openLog();
    const { webhook, event } = await seedFailedDelivery(clientId);
    await env.DB.prepare('UPDATE webhooks SET disabled_at = 1 WHERE id = ?').bind(webhook).run();
    const { status, body } = await ask('POST', `/v1/webhooks/${webhook}/deliveries/${event}/redeliver`);
    expect([status, body]).toEqual([409, DISABLED]);
    expect([sent, (await deliveryRow({ webhook, event, at: 0 }))?.next_try_at]).toEqual([[], null]);
  });
});

describe('POST /v1/webhooks/{id}/redeliver', () => {
  it('begins all failed deliveries since an instant anew', async () => {
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

  it('begins a thousand at a time, and says that there are more', async () => {
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
  it('sends an event to this webhook alone', async () => {
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

  it('is refused for a webhook that is disabled', async () => {
    const { ask, clientId } = await openLog();
    const webhook = await seedWebhookRow(clientId, { disabled_at: 1 });
    const { status, body } = await ask('POST', `/v1/webhooks/${webhook}/test`);
    expect([status, body]).toEqual([409, DISABLED]);
    expect(await eventRowsOf(clientId)).toEqual([]);
  });
});

it('an owner of another client finds none of it, and changes nothing', async () => {
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
