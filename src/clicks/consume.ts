import type { Database } from '../database.ts';
import { logProblem } from '../log.ts';
import { countPacks } from './count.ts';
import { countClicks, readPack, type Pack } from './pack.ts';

const RETRY_SECONDS = 5;
const DEAD_RETRY_SECONDS = 3600;
/** `max_retries` of the dead letters' queue in wrangler.toml. */
export const DEAD_RETRIES = 100;

/**
 * Counts the clicks of a batch of queue messages in one round trip, and has the whole batch delivered again if that
 * fails. Dead letters, which have failed often already, are tried again every hour. Source:
 * https://developers.cloudflare.com/queues/configuration/batching-retries/
 *
 * @param deadLetterQueue the name of the queue of dead letters
 */
export async function consumeClicks(db: Database, batch: MessageBatch, deadLetterQueue: string): Promise<void> {
  const packs = batch.messages
    .map(({ id, body }) => readPack(body) ?? logUnreadable(id))
    .filter((pack) => pack !== null);
  try {
    await countPacks(db, packs);
    batch.ackAll();
  } catch (cause) {
    logProblem('click_batch_failed', cause, { packs: packs.length });
    const isDead = batch.queue === deadLetterQueue;
    if (isDead) logLast(batch, cause);
    batch.retryAll({ delaySeconds: isDead ? DEAD_RETRY_SECONDS : nextDelay(batch) });
  }
}

// 5, 10, 20, 40 and 80 s, so that an outage of a minute or two makes no dead letters.
function nextDelay({ messages }: MessageBatch): number {
  return RETRY_SECONDS * 2 ** (Math.max(1, ...messages.map(({ attempts }) => attempts)) - 1);
}

// After its last try the queue drops a message silently, so the loss is logged here.
function logLast({ messages }: MessageBatch, cause: unknown): void {
  for (const { attempts, body } of messages) {
    if (attempts > DEAD_RETRIES)
      logProblem('clicks_lost', cause, { clicks: countClicks(readPack(body)?.groups ?? []) });
  }
}

// A message that cannot be read will not be readable later either, so it is not tried again.
function logUnreadable(messageId: string): Pack | null {
  logProblem('click_message_unreadable', 'not a pack of clicks', { message_id: messageId });
  return null;
}
