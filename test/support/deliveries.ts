import { createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, vi } from 'vitest';
import { DeliveryPace } from '../../src/events/delivery-pace.ts';
import { newEventId } from '../../src/events/record.ts';
import { consumeWebhooks, type ConsumerStores } from '../../src/webhooks/delivery/consume.ts';
import type { DeliveryMessage, WebhookMessage } from '../../src/webhooks/delivery/messages.ts';
import { Receivers } from '../../src/webhooks/delivery/receivers.ts';
import { SCHEDULE_SECONDS } from '../../src/webhooks/delivery/schedule.ts';
import { db } from './seed.ts';
import { openReceiver, type Behaviour } from './receivers.ts';
import { seedWebhookRow } from './webhook-owners.ts';
import { addWebhook } from './webhooks.ts';

/** Deliveries of webhooks, with a queue that the test empties itself. */

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Begins each test of a file at one moment, in milliseconds, and without a log. */
export function beginTestsAt(now: number): void {
  beforeEach(() => {
    vi.setSystemTime(now);
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
}

export interface Sent {
  readonly body: WebhookMessage;
  readonly delaySeconds: number;
}

/** A consumer in an isolate of its own, without the rules for hosts and with one secret for all webhooks. */
export function openConsumer(changes: Partial<ConsumerStores> = {}) {
  const sent: Sent[] = [];
  const stores: ConsumerStores = {
    db,
    queue: holdBatches(sent),
    receivers: new Receivers(),
    pace: new DeliveryPace(),
    schedule: SCHEDULE_SECONDS,
    openSecrets: async () => [SECRET],
    checkHost: async () => {},
    publicUrl: new URL('https://terse.test'),
    ...changes,
  };
  return {
    /** Returns what was sent to the queue since the last call. */
    take: () => sent.splice(0),
    /** Consumes a batch, waits until its attempts are over, and returns the ids of the messages that come again. */
    consume: async (...messages: readonly unknown[]): Promise<readonly number[]> => {
      const retried: number[] = [];
      const batch = createMessageBatch(
        'terse-webhooks',
        messages.map((body, index) => ({ id: String(index), timestamp: new Date(), attempts: 1, body })),
      );
      for (const message of batch.messages) {
        const retry = message.retry.bind(message);
        Object.assign(message, { retry: () => (retried.push(Number(message.id)), retry()) });
      }
      const deferred: Promise<unknown>[] = [];
      await consumeWebhooks(stores, batch.messages, (work) => void deferred.push(work));
      await Promise.all(deferred);
      return retried;
    },
  };
}

/** A queue that keeps here what is sent to it. */
export function holdBatches(sent: Sent[]): ConsumerStores['queue'] {
  return {
    sendBatch: async (messages) => {
      for (const { body, delaySeconds = 0 } of messages) sent.push({ body: body as WebhookMessage, delaySeconds });
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    },
  };
}

interface EventOptions {
  readonly type?: string;
  readonly data?: unknown;
  readonly happenedAt?: number;
  readonly linkTags?: readonly string[];
  readonly linkCampaign?: string | null;
  readonly webhookId?: string | null;
  readonly dispatchedAt?: number | null;
}

/** Adds an event, by default one that is not dispatched; returns its id. */
export async function addEvent(clientId: string, options: EventOptions = {}): Promise<string> {
  const { type = 'key.created', data = { id: 'k1' }, happenedAt = Date.now(), linkTags = null } = options;
  const { linkCampaign = null, webhookId = null, dispatchedAt = null } = options;
  const id = newEventId();
  await env.DB.prepare(
    `INSERT INTO events (id, client_id, type, happened_at, data, link_tags, link_campaign, webhook_id, dispatched_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
  )
    .bind(
      id,
      clientId,
      type,
      happenedAt,
      JSON.stringify(data),
      linkTags && JSON.stringify(linkTags),
      linkCampaign,
      webhookId,
      dispatchedAt,
    )
    .run();
  return id;
}

interface DeliveryRow {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly created_at: number;
  readonly tries: number;
  readonly next_try_at: number | null;
  readonly delivered_at: number | null;
}

/** Adds a delivery that is due since a moment; returns its message. */
export async function addDelivery(
  webhookId: string,
  eventId: string,
  { at = Date.now(), tries = 0 }: { readonly at?: number; readonly tries?: number } = {},
): Promise<DeliveryMessage> {
  await env.DB.prepare(
    'INSERT INTO deliveries (webhook_id, event_id, created_at, tries, next_try_at) VALUES (?1, ?2, ?3, ?4, ?3)',
  )
    .bind(webhookId, eventId, at, tries)
    .run();
  return { webhook: webhookId, event: eventId, at };
}

/** A webhook of a new client whose receiver behaves like this; `deliver` adds a delivery to it. */
export async function seedReceiver(...behaviours: readonly Behaviour[]) {
  const clientId = `client-${crypto.randomUUID()}`;
  await env.DB.prepare('INSERT INTO clients (id, created_at) VALUES (?1, 1)').bind(clientId).run();
  const receiver = await openReceiver(...behaviours);
  const webhook = await addWebhook(clientId, { url: receiver.url });
  const deliver = async (options: Parameters<typeof addDelivery>[2] = {}) =>
    addDelivery(webhook, await addEvent(clientId), options);
  return { ...receiver, clientId, webhook, deliver };
}

/** A webhook with a delivery that was given up after one attempt. */
export async function seedFailedDelivery(clientId: string): Promise<{ webhook: string; event: string }> {
  const webhook = await seedWebhookRow(clientId);
  const event = await addEvent(clientId, { dispatchedAt: 1 });
  await addDelivery(webhook, event, { tries: 1 });
  await env.DB.batch([
    env.DB.prepare('UPDATE deliveries SET next_try_at = NULL WHERE event_id = ?').bind(event),
    env.DB.prepare(
      `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms, status, answer)
        VALUES (?1, ?2, 1, ?3, 12, 503, 'down')`,
    ).bind(webhook, event, Date.now()),
  ]);
  return { webhook, event };
}

export async function deliveryRow({ webhook, event }: DeliveryMessage): Promise<DeliveryRow | null> {
  return env.DB.prepare('SELECT * FROM deliveries WHERE webhook_id = ?1 AND event_id = ?2')
    .bind(webhook, event)
    .first();
}

/** The attempts of a delivery as the log has them. */
export async function attemptRows({ webhook, event }: DeliveryMessage) {
  const { results } = await env.DB.prepare(
    `SELECT number, status, fault, answer FROM delivery_tries WHERE webhook_id = ?1 AND event_id = ?2 ORDER BY number`,
  )
    .bind(webhook, event)
    .all<{ number: number; status: number | null; fault: string | null; answer: string }>();
  return results;
}

export async function webhookRow(id: string) {
  const row = await env.DB.prepare('SELECT disabled_at, disabled_by, failing_since FROM webhooks WHERE id = ?1')
    .bind(id)
    .first<{ disabled_at: number | null; disabled_by: string | null; failing_since: number | null }>();
  return row!;
}
