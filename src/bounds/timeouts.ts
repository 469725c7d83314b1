/**
 * The time to wait for anything outside this isolate, in milliseconds. The platform sets no such limit: a request may
 * wait for a store as long as its caller stays connected.
 */
export const TIMEOUT_MS = {
  /** KV before a redirect: D1 can answer too, and a read that takes longer is not worth waiting for. */
  kvRead: 1000,
  /**
   * KV after an edit. If KV does not take the edit in time, the check within a minute of the next redirect corrects it.
   */
  kvWrite: 2000,
  /** The nearest copy of D1 before a redirect: the primary can answer too. */
  nearestDatabase: 1000,
  /** D1 before a redirect. A visitor who sees nothing for longer leaves. */
  redirectDatabase: 3000,
  /** D1 for programs and pages, for each round trip: some read many rows, and programs wait longer than visitors. */
  database: 8000,
  /** D1 in the background, where no caller waits: as long as D1 lets a query take. */
  backgroundDatabase: 30_000,
  /** Each store that `GET /health?deep=1` checks. A monitor should see a slow store too. */
  health: 3000,
  /** A rate limiter, which uses only its own machine. */
  limiter: 1000,
  /**
   * The queue, D1 or an object for clicks. The platform ends deferred work 30 s after the answer; all attempts together
   * take less.
   */
  clicks: 2000,
  /**
   * All objects whose clicks a pack has, when the queue does not take it: one that hangs must not hide what the others have.
   */
  clickCount: 4000,
  /** The object of a client's statistics, for programs and pages: it may have to wake, and to read many days. */
  statistics: 8000,
  /** The clicks in a list of links, which can be shown without them. */
  listedClicks: 3000,
  /** The object of a client's statistics in the background, where a batch with the clicks of many clients waits. */
  backgroundStatistics: 5000,
  /** The object of a limited link before a redirect: it may have to wake. */
  linkLimit: 3000,
  /** DNS, or a customer's host, while a caller waits for the result. */
  domainProof: 5000,
  /**
   * The filtering resolver, for all targets of a request together. If it does not answer, links are created all the
   * same.
   */
  targetFilter: 2000,
  /** A destination whose health is checked, for each of its redirects: slower than that is broken for visitors too. */
  destinationCheck: 15_000,
  /** A destination whose texts a caller waits for, with all of its redirects. */
  lookup: 3000,
  /** The API of Cloudflare. No link depends on it. */
  customHostnames: 10_000,
} as const;

class Timeout extends Error {}

/** True if work failed because `withTimeout` has given up on it. */
export const isTimeout = (cause: unknown): boolean => cause instanceof Timeout;

/**
 * Rejects if `work` is not settled in time; a late result is discarded. Each call has a timer of its own, since a promise
 * shared by several requests never settles if the request that created it is cancelled.
 */
export function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Timeout(`no response within ${milliseconds} ms`)), milliseconds);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
