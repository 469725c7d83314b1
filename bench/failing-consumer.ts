import worker from '../src/index.ts';
import { EndedStatistics, ends } from './ended-object.ts';

export { LinkLimit } from '../src/link-limit/object.ts';
export { EndedStatistics as ClientStatistics };

/**
 * The Worker with a consumer that breaks on every third batch: once before it has counted anything, once after it has
 * counted everything but before it has acknowledged the batch. And its objects are ended now and then.
 */

/** The number of failures so far. */
export interface Broken {
  readonly before: number;
  readonly after: number;
  readonly endedAfterAppends: number;
  readonly endedInFolds: number;
  /** Messages that failed six times, and came from the queue of dead letters. */
  readonly deadLetters: number;
  /** Messages that were delivered, but not acknowledged yet. */
  readonly open: number;
}

const DEAD_LETTER_QUEUE = 'terse-clicks-dead';
const EVERY = 3;
// A message that fails six times is a dead letter, and the objects fail too.
const MAX_ATTEMPTS = 2;

let breakable = 0;
let deadLetters = 0;
const broken = { before: 0, after: 0 };
const open = new Set<string>();

export default {
  fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== '/.bench/broken') return worker.fetch(request, env, ctx);
    const { afterAppends: endedAfterAppends, inFolds: endedInFolds } = ends;
    const rest = { deadLetters, open: open.size };
    return Response.json({ ...broken, endedAfterAppends, endedInFolds, ...rest } satisfies Broken);
  },
  async queue(batch, env, ctx) {
    for (const { id } of batch.messages) open.add(id);
    if (batch.queue === DEAD_LETTER_QUEUE) deadLetters += batch.messages.length;
    const isBreakable = batch.messages.every(({ attempts }) => attempts <= MAX_ATTEMPTS);
    if (isBreakable) breakable += 1;
    if (!isBreakable || breakable % EVERY !== 0) return worker.queue(batchWith(batch, watched), env, ctx);
    if (breakable % 2 === 0) {
      broken.before += 1;
      throw new Error('failed before counting');
    }
    await worker.queue(batchWith(batch, silenced), env, ctx);
    broken.after += 1;
    throw new Error('failed after counting');
  },
} satisfies ExportedHandler<Env>;

function batchWith({ queue, messages, metadata }: MessageBatch, around: (message: Message) => Message): MessageBatch {
  return { queue, messages: messages.map(around), metadata, ackAll: unused, retryAll: unused };
}

function unused(): never {
  throw new Error('the bench does not know this call');
}

function watched(message: Message): Message {
  const { id, timestamp, body, attempts } = message;
  const ack = () => {
    open.delete(id);
    message.ack();
  };
  return { id, timestamp, body, attempts, ack, retry: (options) => message.retry(options) };
}

// What the consumer says of the message does not reach the queue.
function silenced({ id, timestamp, body, attempts }: Message): Message {
  return { id, timestamp, body, attempts, ack: () => undefined, retry: () => undefined };
}
