import { sendInCalls } from '../../bounds/queue-calls.ts';
import { logProblem } from '../../isolate/log.ts';
import type { EventQueue } from '../../events/notify.ts';
import { sendMailMessages } from '../../mail/messages.ts';

/** The messages of the queue of webhooks: reminders of rows, which say what is due. A lost one costs only time. */

/** An event whose deliveries are to be created. */
export interface EventMessage {
  readonly event: string;
  /** The origin of the request that caused it, for short links while `PUBLIC_URL` is not set. */
  readonly origin?: string;
}

/** A delivery that is to be attempted. */
export interface DeliveryMessage {
  readonly webhook: string;
  readonly event: string;
  /** Its `next_try_at` when the message was sent. If that has changed since, another message was sent, too. */
  readonly at: number;
}

export type WebhookMessage = EventMessage | DeliveryMessage;

/** The queue, as far as messages are sent to it. */
export type WebhookQueue = Pick<Queue, 'sendBatch'>;

// The limit was 12 hours before it was 24: a message that comes early is sent again for the rest.
const MAX_DELAY_SECONDS = 12 * 3600;

/** Sends deliveries, each for the moment when it is due. Throws what the queue throws. */
export function sendDeliveries(queue: WebhookQueue, deliveries: readonly DeliveryMessage[], now: number) {
  return sendInCalls(
    queue,
    deliveries.map((body) => ({ body, delaySeconds: delayUntil(body.at, now) })),
  );
}

/** Sends events. Throws what the queue throws. */
export function sendEvents(queue: WebhookQueue, events: readonly EventMessage[]): Promise<void> {
  return sendInCalls(
    queue,
    events.map((body) => ({ body })),
  );
}

/** Sends deliveries like `sendDeliveries`. What the queue does not take waits for the sweep. */
export async function remindOf(
  queue: WebhookQueue,
  deliveries: readonly DeliveryMessage[],
  now: number,
): Promise<void> {
  await sendDeliveries(queue, deliveries, now).catch((cause: unknown) =>
    logProblem('webhook_queue_failed', cause, { messages: deliveries.length }),
  );
}

/**
 * The queue for events that were recorded.
 *
 * @param origin that of the request that caused them, or null
 */
export function openEventQueue(queue: WebhookQueue, origin: string | null): EventQueue {
  return {
    send: async ({ events, deliveries, mails }) => {
      await sendEvents(
        queue,
        events.map((event) => (origin === null ? { event } : { event, origin })),
      );
      const due = deliveries.map((row) => ({ webhook: row.webhook_id, event: row.event_id, at: row.next_try_at }));
      await sendDeliveries(queue, due, Date.now());
      await sendMailMessages(queue, mails);
    },
  };
}

/** The seconds to wait, at most as long as the queue lets a message wait. */
function delayUntil(at: number, now: number): number {
  return Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil((at - now) / 1000)));
}

/** Reads a message; null if it is none of these. */
export function readMessage(body: unknown): WebhookMessage | null {
  if (typeof body !== 'object' || body === null) return null;
  const { event, webhook, at, origin } = body as Readonly<Record<string, unknown>>;
  if (typeof event !== 'string') return null;
  if (webhook === undefined) return typeof origin === 'string' ? { event, origin } : { event };
  return typeof webhook === 'string' && typeof at === 'number' ? { event, webhook, at } : null;
}

export const isDelivery = (message: WebhookMessage): message is DeliveryMessage => 'webhook' in message;
