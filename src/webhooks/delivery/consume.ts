import { logProblem } from '../../isolate/log.ts';
import { beginAttempts, type DeliveryStores } from './deliver.ts';
import { dispatch, type DispatchStores } from './dispatch.ts';
import { isDelivery, readMessage, type DeliveryMessage, type EventMessage, type WebhookMessage } from './messages.ts';

export type ConsumerStores = DeliveryStores & DispatchStores;

// A batch that is over makes room for the next one. A receiver that answers at once is waited for, so that the queue does
// not bring messages faster than they are worked off.
const PATIENCE_MS = 1000;
const RETRY_SECONDS = 5;

/**
 * Dispatches the events and attempts the deliveries of a batch. The messages are acknowledged once D1 has what follows from
 * them; attempts that take longer than a second continue after the batch.
 *
 * @param defer keeps the invocation alive
 */
export async function consumeWebhooks(
  stores: ConsumerStores,
  messages: readonly Message[],
  defer: (work: Promise<unknown>) => void,
): Promise<void> {
  const received = messages.flatMap(readReceived);
  const events = received.filter((one): one is Received<EventMessage> => !isDelivery(one.read));
  const deliveries = received.filter((one): one is Received<DeliveryMessage> => isDelivery(one.read));
  await Promise.all([
    settle(events, 'webhook_dispatch_failed', (messages) => dispatch(stores, messages)),
    settle(deliveries, 'webhook_attempts_failed', async (messages) => {
      const attempts = Promise.all(await beginAttempts(stores, messages));
      defer(attempts);
      await Promise.race([attempts, scheduler.wait(PATIENCE_MS)]);
    }),
  ]);
}

interface Received<Read = WebhookMessage> {
  readonly message: Message;
  readonly read: Read;
}

async function settle<Read>(
  received: readonly Received<Read>[],
  problem: string,
  work: (messages: readonly Read[]) => Promise<void>,
): Promise<void> {
  if (received.length === 0) return;
  try {
    await work(received.map(({ read }) => read));
    for (const { message } of received) message.ack();
  } catch (cause) {
    logProblem(problem, cause, { messages: received.length });
    // 5, 10 and 20 s; then the message is dropped, and the sweep sends another one.
    for (const { message } of received) {
      message.retry({ delaySeconds: RETRY_SECONDS * 2 ** (Math.max(1, message.attempts) - 1) });
    }
  }
}

// A message that cannot be read will not be readable later either, so it is not tried again.
function readReceived(message: Message): Received[] {
  const read = readMessage(message.body);
  if (read !== null) return [{ message, read }];
  logProblem('webhook_message_unreadable', 'not a message of webhooks', { message_id: message.id });
  message.ack();
  return [];
}
