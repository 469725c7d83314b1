import { env } from 'cloudflare:workers';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { recordedCalls, startRecording, stopClock, stopRecording } from './recorder.ts';

/** The Worker that is traced: the app of `src/index.ts`, and its recorder. */

// The classes of its Durable Objects.
export * from '../../src/index.ts';

const CONTROL = '/.trace/';

/** The effects of the paths below `CONTROL`. */
const CONTROLS: Readonly<Record<string, (env: Env, ctx: ExecutionContext) => unknown>> = {
  start: startRecording,
  /** While work is under way after a response, or calls are added, the request is not over. */
  progress: () => ({ underWay, calls: recordedCalls() }),
  stop: () => {
    messages.splice(0);
    return stopRecording();
  },
  /** Counts the clicks that the queue has. */
  consume: (env, ctx) => app.queue(batchOf(messages.splice(0)), withoutQueue(env), counting(ctx)),
};

const app = createApp(parseConfig({ ...env }));
const messages: unknown[] = [];
let underWay = 0;

export default {
  async fetch(request, env, ctx) {
    stopClock();
    const { pathname } = new URL(request.url);
    const control = pathname.startsWith(CONTROL) ? CONTROLS[pathname.slice(CONTROL.length)] : undefined;
    if (control !== undefined) return Response.json((await control(env, ctx)) ?? null);
    return app.fetch(request, withoutQueue(env), counting(ctx));
  },
} satisfies ExportedHandler<Env>;

/** A queue would deliver its messages after seconds, in the middle of another request. */
const withoutQueue = (env: Env): Env => ({ ...env, CLICKS: queue as unknown as Env['CLICKS'] });

const queue = {
  async send(message: unknown): Promise<void> {
    messages.push(message);
  },
};

function batchOf(bodies: readonly unknown[]): MessageBatch {
  const timestamp = new Date();
  const all = bodies.map((body, index) => ({ id: String(index), timestamp, body, attempts: 1, ...RESPONSES }));
  return { queue: 'terse-clicks', messages: all } as unknown as MessageBatch;
}

/** The responses of the consumer to a message: nothing is delivered again. */
const RESPONSES = { ack: () => {}, retry: () => {} };

function counting(ctx: ExecutionContext): ExecutionContext {
  const waitUntil = (work: Promise<unknown>) => {
    underWay += 1;
    const ended = () => {
      underWay -= 1;
    };
    ctx.waitUntil(work.then(ended, ended));
  };
  return { waitUntil } as unknown as ExecutionContext;
}
