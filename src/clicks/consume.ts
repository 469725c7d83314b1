import { logProblem } from '../isolate/log.ts';
import { countPacks, EventsNotRecorded, type CountStores } from './count.ts';
import { countClicks, groupsOf } from './pack.ts';
import { readPack, type Pack } from './read-pack.ts';
import { settleClients } from './settle.ts';

const RETRY_SECONDS = 5;
const DEAD_RETRY_SECONDS = 3600;
/** `max_retries` of the dead letters' queue in wrangler.toml. */
export const DEAD_RETRIES = 100;

/** A message of the queue that holds a pack. */
interface Received {
  readonly message: Message;
  readonly pack: Pack;
}

/**
 * Counts the clicks of a batch of queue messages. A message is acknowledged when every client has its clicks; otherwise
 * it is delivered again, and those that have them do not count them twice. Dead letters, which have failed often
 * already, are tried again every hour. Source: https://developers.cloudflare.com/queues/configuration/batching-retries/
 *
 * @param deadLetterQueue the name of the queue of dead letters
 */
export async function consumeClicks(stores: CountStores, batch: MessageBatch, deadLetterQueue: string): Promise<void> {
  const received = batch.messages.flatMap(readMessage);
  const isDead = batch.queue === deadLetterQueue;
  const { failures, assuming } = await countPacks(
    stores,
    received.map(({ pack }) => pack),
  );
  logFailures(failures);
  for (const { message, pack } of received) {
    const failure = failureOf(pack, failures);
    if (failure === null) message.ack();
    else retry(message, failure, isDead);
  }
  await settleClients(stores, assuming);
}

/** Why some clicks of a pack have to be delivered again. */
interface Failure {
  readonly cause: unknown;
  readonly clicks: number;
}

function failureOf(pack: Pack, failures: ReadonlyMap<string, unknown>): Failure | null {
  const failed = groupsOf(pack, failures);
  const [first] = failed;
  return first ? { cause: failures.get(pack.links[first[0]]![1]), clicks: countClicks(failed) } : null;
}

function logFailures(failures: ReadonlyMap<string, unknown>): void {
  const unrecorded = [...failures.values()].find((cause) => cause instanceof EventsNotRecorded);
  // One statement was for all of them.
  if (unrecorded) logProblem('click_events_not_recorded', unrecorded.cause);
  for (const [clientId, cause] of failures) {
    if (!(cause instanceof EventsNotRecorded)) logProblem('clicks_not_counted', cause, { client_id: clientId });
  }
}

function retry(message: Message, { cause, clicks }: Failure, isDead: boolean): void {
  // After its last try the queue drops a message silently, so the loss is logged here.
  if (isDead && message.attempts > DEAD_RETRIES) {
    logProblem(cause instanceof EventsNotRecorded ? 'click_events_lost' : 'clicks_lost', cause, { clicks });
  }
  // 5, 10, 20, 40 and 80 s, so that an outage of a minute or two makes no dead letters.
  message.retry({
    delaySeconds: isDead ? DEAD_RETRY_SECONDS : RETRY_SECONDS * 2 ** (Math.max(1, message.attempts) - 1),
  });
}

// A message that cannot be read will not be readable later either, so it is not tried again.
function readMessage(message: Message): Received[] {
  const pack = readPack(message.body);
  if (pack !== null) return [{ message, pack }];
  logProblem('click_message_unreadable', 'not a pack of clicks', { message_id: message.id });
  message.ack();
  return [];
}
