import { AppError } from './errors.ts';

/** What the isolate gets for everything else between two pieces of work: as long as the last took, within these. */
export const PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 500;
/** Those further back look less often whether it is their turn. */
const STEP_MS = 50;
const LONGEST_WAIT_MS = 400;
/** A waiter that has not looked for so long has no request any more. */
const DEAD_AFTER_MS = 2000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Work that keeps the isolate busy, such as to hash a password, done one piece at a time, in the order in which it was asked
 * for. The pause between two is as long as the last piece took: so everything else has half of the isolate, and a redirect
 * waits for one piece at most.
 *
 * Each waiter looks by its own timer whether its turn has come. It waits for nothing that another request has to do: the
 * platform drops the promises and timers of a request whose caller has gone, and its place in the queue then expires.
 */
export class Turns {
  readonly #most: number;
  /** When each waiter last looked, by the number of its turn. */
  readonly #seenAt = new Map<number, number>();
  #lastNumber = 0;
  #done = 0;
  /** When the last piece began, until it is known how long it took. */
  #begunAt: number | null = null;
  #endedAt = 0;
  #tookMs = 0;

  /** @param most how many may wait at once */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Does a piece of work when it is its turn. Throws `busy` where too many wait.
   *
   * @param work is not asynchronous, so that no two pieces are ever under way
   * @param known gives the outcome where it has become known meanwhile, and the work can be left out
   */
  async take<T>(work: () => T, known: () => T | undefined = () => undefined): Promise<T> {
    const number = this.#enter();
    for (;;) {
      const [done, isPauseKnown] = [this.#done, this.#begunAt === null];
      const before = this.#countBefore(number);
      await scheduler.wait(before === 0 ? this.#pauseMs() : Math.min(before * STEP_MS, LONGEST_WAIT_MS));
      const outcome = known();
      if (outcome !== undefined) {
        this.#seenAt.delete(number);
        return outcome;
      }
      this.#seenAt.set(number, Date.now());
      this.#noteEnd();
      // What was done during the wait has taken its time from everything else: so there was no pause yet.
      if (before > 0 || done !== this.#done || !isPauseKnown || this.#countBefore(number) > 0) continue;
      return this.#work(number, work);
    }
  }

  async #work<T>(number: number, work: () => T): Promise<T> {
    this.#done += 1;
    this.#seenAt.delete(number);
    this.#begunAt = Date.now();
    try {
      return work();
    } finally {
      // The platform's clock stands still until something from outside has been waited for.
      await scheduler.wait(0);
      this.#noteEnd();
    }
  }

  /** Also by the next in the queue, since the request that did the work may have gone. */
  #noteEnd(): void {
    if (this.#begunAt === null) return;
    this.#endedAt = Date.now();
    this.#tookMs = this.#endedAt - this.#begunAt;
    this.#begunAt = null;
  }

  #pauseMs(): number {
    const sinceEndMs = Date.now() - this.#endedAt;
    return Math.max(PAUSE_MS, Math.min(this.#tookMs - sinceEndMs, LONGEST_PAUSE_MS));
  }

  #enter(): number {
    for (const [number, seenAt] of this.#seenAt) if (!isAlive(seenAt)) this.#seenAt.delete(number);
    if (this.#seenAt.size >= this.#most) {
      throw new AppError('busy', 'Too many passwords are being checked at once. Try again in a few seconds.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    this.#lastNumber += 1;
    this.#seenAt.set(this.#lastNumber, Date.now());
    return this.#lastNumber;
  }

  #countBefore(number: number): number {
    let count = 0;
    for (const [other, seenAt] of this.#seenAt) if (other < number && isAlive(seenAt)) count += 1;
    return count;
  }
}

// A clock that has jumped back must not keep a place.
function isAlive(seenAt: number): boolean {
  return Math.abs(Date.now() - seenAt) < DEAD_AFTER_MS;
}
