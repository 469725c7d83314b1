import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod';

/** The settings of `wrangler.toml` on which the load depends. */
export interface Shipped {
  /** The consumers of clicks that run at the same time, at most. */
  readonly consumersAtOnce: number;
  /** The messages that one of them gets, at most, and for how many seconds the queue collects them. */
  readonly batchMessages: number;
  readonly batchSeconds: number;
  /** `CLICK_PACK_SECONDS` */
  readonly packSeconds: number;
  /** `MEMORY_SECONDS` */
  readonly memorySeconds: number;
  /** `RESTORE_CHECK_SECONDS` */
  readonly restoreCheckSeconds: number;
}

const FILE = join(import.meta.dirname, '../../wrangler.toml');
const CLICKS = 'CLICKS';

const seconds = z.string().regex(/^\d+$/).transform(Number);

// https://developers.cloudflare.com/queues/platform/limits/
const MOST_CONSUMERS = 250;

// What applies to a consumer that leaves a setting out:
// https://developers.cloudflare.com/queues/configuration/configure-queues/
const consumer = z.object({
  queue: z.string(),
  max_batch_size: z.int().min(1).default(10),
  max_batch_timeout: z.int().min(0).default(5),
  max_concurrency: z.int().min(1).max(MOST_CONSUMERS).default(MOST_CONSUMERS),
});

const file = z.object({
  queues: z.object({
    producers: z.array(z.object({ binding: z.string(), queue: z.string() })),
    consumers: z.array(consumer),
  }),
  vars: z.object({ CLICK_PACK_SECONDS: seconds, MEMORY_SECONDS: seconds, RESTORE_CHECK_SECONDS: seconds }),
});

/** Reads the settings from the text of a `wrangler.toml`. Throws if the clicks have no queue, or it no consumer. */
export function readShipped(toml: string): Shipped {
  const { queues, vars } = file.parse(parse(toml));
  const queue = queues.producers.find(({ binding }) => binding === CLICKS)?.queue;
  const ofClicks = queues.consumers.find((each) => each.queue === queue);
  if (!ofClicks) throw new Error(`wrangler.toml has no consumer for the queue of the binding ${CLICKS}.`);
  return {
    consumersAtOnce: ofClicks.max_concurrency,
    batchMessages: ofClicks.max_batch_size,
    batchSeconds: ofClicks.max_batch_timeout,
    packSeconds: vars.CLICK_PACK_SECONDS,
    memorySeconds: vars.MEMORY_SECONDS,
    restoreCheckSeconds: vars.RESTORE_CHECK_SECONDS,
  };
}

/** The settings of this project's `wrangler.toml`. */
export const SHIPPED = readShipped(readFileSync(FILE, 'utf8'));
