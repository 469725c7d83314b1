import * as z from 'zod';
import { authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import { listPage } from '../../accounts/list-page.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import type { Page } from '../../input/pagination.ts';
import { selectWebhook, type WebhookRow } from '../store.ts';
import { noSuchWebhook } from '../webhooks.ts';
import * as store from './log-store.ts';

/** The log of deliveries, for owners: what was sent in the last 30 days, and how receivers answered. */

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
/** `failed` is given up: no further attempt follows by itself. */
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An event on its way to a webhook. Instants are milliseconds since the epoch. */
export interface Delivery {
  readonly eventId: string;
  readonly type: string;
  readonly happenedAt: number;
  readonly state: DeliveryState;
  /** The number of attempts. */
  readonly attempts: number;
  /** Null unless the state is `pending`. */
  readonly nextAttemptAt: number | null;
  readonly deliveredAt: number | null;
}

export interface Attempt {
  readonly number: number;
  readonly at: number;
  readonly milliseconds: number;
  /** Null if no response came. */
  readonly status: number | null;
  /**
   * Why no response came: `timeout`, `unreachable`, `refused_host`, `refused_port`, `unreadable_secret`; null if one came.
   */
  readonly reason: string | null;
  /** The first KiB of the response. */
  readonly response: string;
}

export interface DeliveryWithAttempts extends Delivery {
  readonly log: readonly Attempt[];
}

/** The filter of a list of deliveries. */
export const deliveryFilter = lazy(() => ({
  state: z
    .enum(DELIVERY_STATES, { error: `must be one of ${DELIVERY_STATES.join(', ')}` })
    .optional()
    .meta({ description: 'Only deliveries in this state: `pending`, `delivered`, or `failed` after all attempts' }),
}));

/**
 * Lists the deliveries of a webhook, newest first. Throws `not_found`, and what `authorize` throws.
 *
 * @param state `unsuccessful` are those whose last attempt failed, whether or not a further one follows
 */
export async function listDeliveries(
  db: Database,
  actor: Actor,
  webhookId: string,
  state: DeliveryState | 'unsuccessful' | null,
  page: Page,
): Promise<{ deliveries: readonly Delivery[]; cursor: string | null }> {
  const { items: deliveries, cursor } = await listPage(db, actor, page, {
    permission: 'webhooks',
    select: (now) => store.selectDeliveries(actor, now, webhookId, state, page),
    positionOf: (row: store.DeliveryLogRow) => [row.created_at, row.event_id],
    toItem: toDelivery,
    subject: { select: (now) => selectWebhook(actor, now, webhookId), notFound: noSuchWebhook },
  });
  return { deliveries, cursor };
}

/** A delivery with its attempts. Throws `not_found`, and what `authorize` throws. */
export async function getDelivery(
  db: Database,
  actor: Actor,
  webhookId: string,
  eventId: string,
): Promise<DeliveryWithAttempts> {
  const now = Date.now();
  const [access, webhooks, rows, attempts] = await db.batch<
    [AccessRow, WebhookRow, store.DeliveryLogRow, store.AttemptLogRow]
  >([
    selectAccess(actor, 'webhooks', now),
    selectWebhook(actor, now, webhookId),
    store.selectDelivery(actor, now, webhookId, eventId),
    store.selectAttempts(actor, now, webhookId, eventId),
  ]);
  authorize(access, actor);
  if (webhooks.length === 0) throw noSuchWebhook();
  return { ...foundDelivery(rows), log: attempts.map(toAttempt) };
}

/** Throws `not_found`. */
export function foundDelivery([row]: readonly store.DeliveryLogRow[]): Delivery {
  if (row) return toDelivery(row);
  throw new AppError(
    'not_found',
    'The webhook has no delivery of an event with this id. Deliveries are kept for 30 days.',
  );
}

function toDelivery(row: store.DeliveryLogRow): Delivery {
  const undelivered = row.next_try_at === null ? 'failed' : 'pending';
  return {
    eventId: row.event_id,
    type: row.type,
    happenedAt: row.happened_at,
    state: row.delivered_at === null ? undelivered : 'delivered',
    attempts: row.attempts,
    nextAttemptAt: row.next_try_at,
    deliveredAt: row.delivered_at,
  };
}

const toAttempt = ({ number, tried_at, ms, status, fault, answer: response }: store.AttemptLogRow): Attempt => ({
  number,
  at: tried_at,
  milliseconds: ms,
  status,
  reason: fault,
  response: response,
});
