/**
 * How long to wait for anything outside of this isolate, in milliseconds. The platform itself sets no such limit: a request
 * may wait for a store as long as its caller stays connected.
 */
export const TIMEOUT_MS = {
  /** KV before a redirect: D1 can answer too, and a read that takes longer is not worth waiting for. */
  kvRead: 1000,
  /** KV after an edit: what it did not take, a check finds within a minute of its being served. */
  kvWrite: 2000,
  /** D1 before a redirect: a visitor who sees nothing for longer goes away. */
  redirectDatabase: 3000,
  /** D1 for a program or a page, each round trip: some look at many rows, and a program waits longer than a visitor. */
  database: 8000,
  /** D1 behind the scenes, where nobody waits: as long as D1 lets a query take. */
  backgroundDatabase: 30_000,
  /** Each store that `GET /health?deep=1` asks: whoever watches wants to know of a slow one too. */
  health: 3000,
  /** A rate limiter, which asks nothing but its own machine. */
  limiter: 1000,
  /** Queue or D1 for clicks. The platform ends what is deferred 30 s after the answer: all tries stay within that. */
  clicks: 2000,
  /** DNS, and a customer's host, while somebody waits for what they say. */
  domainProof: 5000,
  /** The filtering resolver, for all targets of a request: it never keeps anybody from making a link by its silence. */
  targetFilter: 2000,
  /** The API of Cloudflare, of which nobody's link depends. */
  customHostnames: 10_000,
} as const;

/**
 * Rejects if `work` is not settled in time; a late result is discarded. Each call has a timer of its own, since a promise
 * shared by several requests never settles if the request that created it is cancelled.
 */
export function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
