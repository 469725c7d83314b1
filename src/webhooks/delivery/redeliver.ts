import * as z from 'zod';
import { authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { newEventId } from '../../events/record.ts';
import { lazy } from '../../isolate/lazy.ts';
import { instant } from '../../input/schemas.ts';
import { selectWebhook, type WebhookRow } from '../store.ts';
import { noSuchWebhook } from '../webhooks.ts';
import { foundDelivery, type Delivery } from './log.ts';
import * as store from './log-store.ts';
import { remindOf, type WebhookQueue } from './messages.ts';

/** The verbs by which owners have events sent again, and test a webhook. A redelivery keeps the id of the event. */

/** The body of `POST /v1/webhooks/{id}/redeliver`. */
export const redeliveryFields = lazy(() =>
  z.strictObject({
    since: instant().meta({ description: 'Only deliveries that were created at this instant or later' }),
  }),
);

/** The most deliveries that one request begins anew. */
const MAX_REDELIVERED = 1000;

interface EventRow {
  readonly event_id: string;
}

/** Begins the attempts of a delivery anew. Throws `not_found`, `webhook_disabled`, and what `authorize` throws. */
export async function redeliver(
  db: Database,
  queue: WebhookQueue,
  actor: Actor,
  webhookId: string,
  eventId: string,
): Promise<Delivery> {
  const now = Date.now();
  const [access, webhooks, begun, rows] = await db.batch<[AccessRow, WebhookRow, EventRow, store.DeliveryLogRow]>([
    selectAccess(actor, 'webhooks', now),
    selectWebhook(actor, now, webhookId),
    store.redeliverOne(actor, now, webhookId, eventId),
    store.selectDelivery(actor, now, webhookId, eventId),
  ]);
  authorize(access, actor);
  const delivery = foundDelivery(refuseDisabled(webhooks, rows));
  await remind(queue, webhookId, begun, now);
  return delivery;
}

/**
 * Begins deliveries anew that were created since an instant, and have failed or wait for a further attempt: at most
 * 1,000, oldest first. Throws `not_found`, `webhook_disabled`, and what `authorize` throws.
 */
export async function redeliverSince(
  db: Database,
  queue: WebhookQueue,
  actor: Actor,
  webhookId: string,
  sinceMs: number,
): Promise<{ readonly redelivered: number; readonly isComplete: boolean }> {
  const now = Date.now();
  const [access, webhooks, begun] = await db.batch<[AccessRow, WebhookRow, EventRow]>([
    selectAccess(actor, 'webhooks', now),
    selectWebhook(actor, now, webhookId),
    store.redeliverFailed(actor, now, webhookId, sinceMs, MAX_REDELIVERED),
  ]);
  authorize(access, actor);
  refuseDisabled(webhooks, begun);
  await remind(queue, webhookId, begun, now);
  return { redelivered: begun.length, isComplete: begun.length < MAX_REDELIVERED };
}

/**
 * Sends an event of the type `webhook.test` to a webhook; returns the event's id. Throws `not_found`,
 * `webhook_disabled`, and what `authorize` throws.
 */
export async function sendTestEvent(db: Database, actor: Actor, webhookId: string): Promise<string> {
  const now = Date.now();
  const eventId = newEventId();
  const [access, webhooks] = await db.batch<[AccessRow, WebhookRow, unknown]>([
    selectAccess(actor, 'webhooks', now),
    selectWebhook(actor, now, webhookId),
    store.insertTestEvent(actor, now, webhookId, eventId),
  ]);
  authorize(access, actor);
  refuseDisabled(webhooks, []);
  return eventId;
}

function refuseDisabled<Row>([webhook]: readonly WebhookRow[], rows: readonly Row[]): readonly Row[] {
  if (webhook === undefined) throw noSuchWebhook();
  if (webhook.disabled_at === null) return rows;
  throw new AppError('webhook_disabled', 'The webhook is disabled, so nothing is sent to it. Enable it first.');
}

function remind(queue: WebhookQueue, webhook: string, events: readonly EventRow[], at: number): Promise<void> {
  return remindOf(
    queue,
    events.map(({ event_id: event }) => ({ webhook, event, at })),
    at,
  );
}
