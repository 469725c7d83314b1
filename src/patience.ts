/**
 * How long whatever is outside of this isolate is waited for, in milliseconds. A store that hangs is given up on long
 * before the platform would do it, which lets a request wait for as long as its caller does.
 */
export const PATIENCE_MS = {
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
 * Gives what some work gives, or throws once it has taken too long; what becomes of it then, nobody learns. The timer
 * is its own and ends with it: a promise that another request awaits too would die with the request that made it.
 */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
