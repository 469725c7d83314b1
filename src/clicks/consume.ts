import type { Database } from '../database.ts';
import { logProblem } from '../log.ts';
import { countPacks } from './count.ts';
import { countClicks, readPack, type Pack } from './pack.ts';

const RETRY_SECONDS = 5;
const DEAD_RETRY_SECONDS = 3600;
/** `max_retries` of the dead letters' queue in wrangler.toml. */
export const DEAD_RETRIES = 100;

/**
 * Counts what a batch of queue messages carries, in one round trip, and asks for all of it again where that fails. The
 * dead letters, which failed often already, are tried again by the hour. Source:
 * https://developers.cloudflare.com/queues/configuration/batching-retries/
 */
export async function consumeClicks(db: Database, batch: MessageBatch): Promise<void> {
  const packs = batch.messages
    .map(({ id, body }) => readPack(body) ?? logUnreadable(id))
    .filter((pack) => pack !== null);
  try {
    await countPacks(db, packs);
    batch.ackAll();
  } catch (cause) {
    logProblem('click_batch_failed', cause, { packs: packs.length });
    const isDead = batch.queue.endsWith('-dead');
    if (isDead) logLast(batch, cause);
    batch.retryAll({ delaySeconds: isDead ? DEAD_RETRY_SECONDS : nextDelay(batch) });
  }
}

// 5, 10, 20, 40 and 80 s: an outage of a minute or two does not make dead letters.
function nextDelay({ messages }: MessageBatch): number {
  return RETRY_SECONDS * 2 ** (Math.max(1, ...messages.map(({ attempts }) => attempts)) - 1);
}

// The queue drops a message after its last try without a word.
function logLast({ messages }: MessageBatch, cause: unknown): void {
  for (const { attempts, body } of messages) {
    if (attempts > DEAD_RETRIES)
      logProblem('clicks_lost', cause, { clicks: countClicks(readPack(body)?.groups ?? []) });
  }
}

// A message that is no pack will be none the next time either.
function logUnreadable(messageId: string): Pack | null {
  logProblem('click_message_unreadable', 'not a pack of clicks', { message_id: messageId });
  return null;
}
