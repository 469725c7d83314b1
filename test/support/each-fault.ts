import { atExampleTime } from './examples.ts';
import {
  breakKv,
  breakLimiters,
  breakObjects,
  breakQueue,
  endFaults,
  KV_FAULTS,
  LIMITER_FAULTS,
  OBJECT_FAULTS,
  QUEUE_FAULTS,
  type Fault,
} from './faults.ts';

/** Every fault of the stores in few requests, since most of the time of a test is the creation of its rows. */

/** True for the name of a page or an operation whose request changes nothing, so that it can be sent again. */
export const isRead = (name: string): boolean => name.startsWith('GET ');

/**
 * Goes through faults, each of which ends before the next one, with a request for each: one for all if it only reads, and
 * else one with rows of its own.
 *
 * @param name of the page or the operation, with its method
 * @param open creates the rows and returns the request
 */
export async function* eachWithRequest<Each, Request>(
  faults: readonly Each[],
  name: string,
  open: () => Promise<Request>,
): AsyncGenerator<readonly [Each, Request]> {
  let request: Request | undefined;
  for (const fault of faults) {
    request = isRead(name) ? (request ?? (await open())) : await open();
    yield [fault, request];
    endFaults();
    atExampleTime();
  }
}

const BREAK = { kv: breakKv, queue: breakQueue, limiters: breakLimiters, objects: breakObjects } as const;
type Store = keyof typeof BREAK;
type Together = { readonly [store in Store]?: Fault | undefined };

/**
 * Every fault of the stores without which a request is served as ever. Those of several stores come at once, since none
 * hides another: each of them is a step of the request that is left out.
 */
export const UNSEEN: readonly Together[] = [
  { kv: KV_FAULTS[0], queue: QUEUE_FAULTS[0], limiters: LIMITER_FAULTS[0], objects: OBJECT_FAULTS[0] },
  { kv: KV_FAULTS[1], queue: QUEUE_FAULTS[2], limiters: LIMITER_FAULTS[1], objects: OBJECT_FAULTS[3] },
  { kv: KV_FAULTS[2], queue: QUEUE_FAULTS[1], objects: OBJECT_FAULTS[1] },
  { objects: OBJECT_FAULTS[2] },
];

/** Begins faults of several stores, except of those that the request needs. */
export function breakTogether(faults: Together, needed: ReadonlySet<Store>): void {
  for (const store of Object.keys(BREAK) as Store[]) {
    const fault = faults[store];
    if (fault && !needed.has(store)) BREAK[store](fault);
  }
}
