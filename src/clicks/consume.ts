import type { Database } from '../database.ts';
import { logProblem } from '../log.ts';
import { countPacks } from './count.ts';
import { readPack, type Pack } from './pack.ts';

const RETRY_SECONDS = 5;
const DEAD_RETRY_SECONDS = 3600;

/**
 * Counts what a batch of queue messages carries, in one round trip, and asks for all of it again where that fails. The
 * dead letters, which failed often already, are tried again by the hour. Source:
 * https://developers.cloudflare.com/queues/configuration/batching-retries/
 */
export async function consumeClicks(db: Database, batch: MessageBatch): Promise<void> {
  const packs = batch.messages.map(({ id, body }) => readPack(body) ?? drop(id)).filter((pack) => pack !== null);
  try {
    await countPacks(db, packs);
    batch.ackAll();
  } catch (cause) {
    logProblem('click_batch_failed', cause, { packs: packs.length });
    batch.retryAll({ delaySeconds: batch.queue.endsWith('-dead') ? DEAD_RETRY_SECONDS : RETRY_SECONDS });
  }
}

// A message that is no pack will be none the next time either.
function drop(messageId: string): Pack | null {
  logProblem('click_message_unreadable', 'not a pack of clicks', { message_id: messageId });
  return null;
}
