import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { D1_BATCH, D1_SESSION, D1_STATEMENT, refuseWrites, replaceD1 } from './d1.ts';

/** Faults of stores. `endFaults` ends them all. */

/** The time for which a store hangs, in milliseconds. */
export const HANG_MS = 10_000;

export interface Fault {
  readonly name: string;
  /** The outcome of each call of the store. */
  readonly call: () => Promise<never>;
}

const failing = (sentence: string) => async () => {
  throw new Error(sentence);
};

/** Hangs for ten seconds of timers and clock, which pass at once. After that it never settles. */
export function hang(): Promise<never> {
  queueMicrotask(() => vi.advanceTimersByTime(HANG_MS));
  return new Promise(() => undefined);
}

export const D1_FAULTS: readonly Fault[] = [
  { name: 'throws', call: failing('D1_ERROR: Network connection lost.') },
  { name: 'is overloaded', call: failing('D1_ERROR: D1 DB is overloaded. Requests queued for too long.') },
  { name: 'hangs', call: hang },
];

/** The errors of D1 and SQLite for a write that they refuse, while reads work. */
export const D1_REFUSALS: readonly Fault[] = [
  { name: 'is full', call: failing('D1_ERROR: Exceeded maximum DB size.') },
  { name: 'is on a full disk', call: failing('D1_ERROR: database or disk is full: SQLITE_FULL') },
  {
    name: 'has taken all writes of the day',
    call: failing(
      "D1_ERROR: Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until " +
        'tomorrow (midnight UTC) to continue.',
    ),
  },
  { name: 'is read-only', call: failing('D1_ERROR: attempt to write a readonly database: SQLITE_READONLY') },
  { name: 'fails on writes', call: failing('D1_ERROR: Internal error in D1 DB storage caused object to be reset.') },
];

// A stored target, except for the field that each of these changes.
const entry = (change: object) =>
  JSON.stringify({
    linkId: 'kQ7WRn9d',
    clientId: 'acme',
    campaignName: null,
    url: 'https://evil.example/',
    ending: null,
    extras: null,
    expiresAt: null,
    revision: 1,
    ...change,
  });

// The types of KV do not allow garbage.
const answering = (text: string) => async () => text as never;

export const KV_FAULTS: readonly Fault[] = [
  { name: 'throws', call: failing('KV GET failed: 503 Service Unavailable') },
  { name: 'hangs', call: hang },
  { name: 'answers garbage', call: answering('{"url":"https://evil.example/"}') },
];

/** More garbage, for readers of what is in KV. */
export const KV_GARBAGE: readonly Fault[] = [
  { name: 'answers no JSON', call: answering('\0<html>evil.example') },
  { name: 'answers nothing in JSON', call: answering('null') },
  { name: 'answers one wrong value', call: answering(entry({ expiresAt: 'never' })) },
  { name: 'answers a number that there is not', call: answering(entry({ revision: 0 }).replace(':0}', ':1e999}')) },
  { name: 'answers a broken target', call: answering(entry({ url: 'https://evil.example/\r\nSet-Cookie: a=b' })) },
  { name: 'answers a huge target', call: answering(entry({ url: `https://evil.example/${'x'.repeat(1_000_000)}` })) },
];

export const QUEUE_FAULTS: readonly Fault[] = [
  { name: 'throws', call: failing('Queue send failed: 500 Internal Server Error') },
  { name: 'is over its quota', call: failing('Queue send failed: 429 Too Many Requests') },
  { name: 'hangs', call: hang },
];

export const LIMITER_FAULTS: readonly Fault[] = [
  { name: 'throws', call: failing('out of order') },
  { name: 'hangs', call: hang },
];

/** Timers and the clock stand still except in `hang`, and the log is silent. */
export function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.now() });
  vi.spyOn(console, 'error').mockReturnValue();
}

/** The part of D1 that the service uses. */
export function breakD1({ call }: Fault): void {
  stopTimers();
  replaceD1(call);
}

/** D1 takes no writes, and answers reads. */
export function refuseD1Writes({ call }: Fault): void {
  stopTimers();
  refuseWrites(call);
}

/** From the given round trip on, D1 executes each batch and then fails. Returns the number of round trips. */
export function loseResponses({ call }: Fault, from = 1): () => number {
  stopTimers();
  const first = Reflect.get(D1_STATEMENT, 'first');
  let trips = 0;
  const lose = <T>(results: T): T | Promise<never> => (++trips < from ? results : call());
  vi.spyOn(D1_SESSION, 'batch').mockImplementation(async function (this: D1DatabaseSession, statements) {
    return lose(await D1_BATCH.call(this, statements));
  });
  vi.spyOn(D1_STATEMENT, 'first').mockImplementation(async function (this: D1PreparedStatement) {
    return lose(await first.call(this));
  });
  return () => trips;
}

export type KvMethod = 'get' | 'put' | 'delete' | 'list';

export function breakKv({ call }: Fault, methods: readonly KvMethod[] = ['get', 'put', 'delete', 'list']): void {
  stopTimers();
  for (const method of methods) vi.spyOn(env.LINKS, method).mockImplementation(call);
}

export function breakQueue({ call }: Fault): void {
  stopTimers();
  vi.spyOn(env.CLICKS, 'send').mockImplementation(call);
}

export function breakLimiters({ call }: Fault): void {
  stopTimers();
  const limiters = Object.values(env).filter((binding): binding is RateLimit => 'limit' in Object(binding));
  for (const limiter of limiters) vi.spyOn(limiter, 'limit').mockImplementation(call);
}

export const OBJECT_FAULTS: readonly Fault[] = [
  { name: 'throws', call: failing('Network connection lost.') },
  { name: 'is overloaded', call: failing('Durable Object is overloaded. Too many requests queued.') },
  { name: 'is full', call: failing('database or disk is full: SQLITE_FULL') },
  { name: 'hangs', call: hang },
];

/** Pages whose request only an object can do. */
export const BY_THE_OBJECT: ReadonlySet<string> = new Set([
  'GET /platform/c/:client/live/stream',
  'POST /platform/c/:client/campaigns/:name/rename',
  // A webhook for clicks is enabled once the object knows of it.
  'POST /platform/c/:client/webhooks/:id',
  'POST /platform/c/:client/webhooks/:id/enable',
]);

/** The objects with the statistics, of all clients or of one. */
export function breakObjects({ call }: Fault, clientId?: string): void {
  stopTimers();
  const getByName = env.STATISTICS.getByName.bind(env.STATISTICS);
  vi.spyOn(env.STATISTICS, 'getByName').mockImplementation((name) => {
    const stub = getByName(name);
    return clientId === undefined || name === clientId ? new Proxy(stub, { get: () => call }) : stub;
  });
}

/** Ends every fault, and lets timers run. */
export function endFaults(): void {
  vi.restoreAllMocks();
  vi.useRealTimers();
}
