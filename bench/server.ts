import { Log, LogLevel, Miniflare, convertV4MiniflareOptions } from 'miniflare';
import type { Statement } from '../src/database/database.ts';
import { openDatabase } from '../src/database/service-database.ts';
import { heapBytesOf, watchHeap } from './heap.ts';
import { serve } from './child-rpc.ts';
import { modulesOf } from '../scripts/worker-modules.ts';

/** The program that serves one contestant, in a workerd of its own without any proxy. */

interface Start {
  /** The Worker's settings and bindings of wrangler.toml. */
  readonly options: object;
  /** The entry to serve. */
  readonly path: string;
  /** True if its isolate can be inspected, which may cost time. */
  readonly isInspected: boolean;
  /** The folder of its stores, for another process with the same; by default they end with this one. */
  readonly stateFolder?: string;
  /** True if the problems that it logs are not shown. */
  readonly isSilent: boolean;
}

const NAME = 'contestant';
const QUEUE = 'terse-clicks';
let miniflare: Miniflare | null = null;
let stopWatching: (() => Promise<number>) | null = null;

const tasks = {
  /** Serves a Worker, and returns its origin. */
  async start({ options, path, isInspected, isSilent, stateFolder }: Start): Promise<string> {
    miniflare = new Miniflare(
      convertV4MiniflareOptions({
        // Fetching a sample of `request.cf` and logging each request are miniflare's own work, so they are off.
        cf: false,
        logRequests: false,
        ...(isInspected && { inspectorPort: 0 }),
        ...(stateFolder !== undefined && { resourcePersistencePath: stateFolder }),
        log: new Log(LogLevel.ERROR),
        // The Worker's log goes through this process, whose CPU time counts for the contestant, so only problems are
        // passed on.
        handleStructuredLogs: ({ level, message }) => {
          if (level === 'error' && !isSilent) console.error(message);
        },
        workers: [
          {
            ...options,
            name: NAME,
            ...modulesOf(path),
            unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
          },
        ],
      }),
    );
    await miniflare.ready;
    return (await miniflare.unsafeGetDirectURL(NAME)).origin;
  },

  /** Runs statements in the contestant's database, and returns the rows of each. */
  async batch(statements: readonly Statement[]): Promise<unknown> {
    return openDatabase(await running().getD1Database('DB', NAME)).batch(statements);
  },

  /** The heap of an inspected contestant's isolate. */
  async heapBytes(): Promise<number> {
    return heapBytesOf(new URL(`/core:user:${NAME}`, await running().getInspectorURL()).href);
  },

  /** Begins to sample the heap of an inspected contestant. */
  async watchHeap(): Promise<void> {
    stopWatching = watchHeap(new URL(`/core:user:${NAME}`, await running().getInspectorURL()).href);
  },

  /** The largest sample of its heap since then. */
  async mostHeapBytes(): Promise<number> {
    return (await stopWatching?.()) ?? Number.NaN;
  },

  /** Delivers messages to the consumer, as one batch of the queue of clicks. */
  async consume(bodies: readonly unknown[]): Promise<void> {
    const worker = await running().getWorker(NAME);
    const { outcome, ackAll, explicitAcks } = await worker.queue(
      QUEUE,
      bodies.map((body, index) => ({ id: String(index), timestamp: new Date(), attempts: 1, body })),
    );
    const isTaken = outcome === 'ok' && (ackAll || explicitAcks.length === bodies.length);
    if (!isTaken) throw new Error('The consumer took not all messages.');
  },

  async put(key: string, value: string): Promise<void> {
    await (await running().getKVNamespace('LINKS', NAME)).put(key, value);
  },
};

export type ServerTasks = typeof tasks;
serve(tasks);

function running(): Miniflare {
  if (miniflare === null) throw new Error('The contestant was not started.');
  return miniflare;
}
