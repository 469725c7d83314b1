import { AppError } from '../errors.ts';

/**
 * The pause between two pieces of work, in which the isolate does everything else: as long as the last piece took,
 * within these bounds.
 */
export const MIN_PAUSE_MS = 25;
const MAX_PAUSE_MS = 500;
/** The further back in the queue, the less often a waiter checks its turn. */
const STEP_MS = 50;
const MAX_WAIT_MS = 400;
/** If a waiter has not checked for this long, its request was cancelled. */
const DEAD_AFTER_MS = 2000;
const RETRY_AFTER_SECONDS = 10;

/**
 * A queue for work that blocks the isolate, such as hashing a password: one piece at a time, in the order of the calls.
 * The pause between two pieces is as long as the last piece took, so that everything else gets half of the time, and a
 * redirect waits for at most one piece.
 *
 * Each waiter checks by its own timer whether its turn has come, and never awaits a promise of another request: the
 * platform drops the promises and timers of a cancelled request. Such a request loses its place in the queue.
 */
export class WorkQueue {
  readonly #most: number;
  /** When each waiter last checked, by the number of its turn. */
  readonly #seenAt = new Map<number, number>();
  #lastNumber = 0;
  #done = 0;
  /** When the last piece began, until it is known how long it took. */
  #begunAt: number | null = null;
  #endedAt = 0;
  #tookMs = 0;

  /** @param most how many requests may wait at once */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Does a piece of work when its turn comes. Throws `busy` if too many requests are waiting.
   *
   * @param work is synchronous, so that two pieces never overlap
   * @param known returns the outcome if it has become known meanwhile; then the work is skipped
   */
  async take<T>(work: () => T, known: () => T | undefined = () => undefined): Promise<T> {
    const number = this.#enter();
    for (;;) {
      const [done, isPauseKnown] = [this.#done, this.#begunAt === null];
      const before = this.#countBefore(number);
      await scheduler.wait(before === 0 ? this.#pauseMs() : Math.min(before * STEP_MS, MAX_WAIT_MS));
      const outcome = known();
      if (outcome !== undefined) {
        this.#seenAt.delete(number);
        return outcome;
      }
      this.#seenAt.set(number, Date.now());
      this.#recordEnd();
      // If another piece was done during the wait, the pause was not complete.
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
      // The platform's clock advances only after I/O or a timer.
      await scheduler.wait(0);
      this.#recordEnd();
    }
  }

  /** Called by the next waiter too, since the request that did the work may have been cancelled. */
  #recordEnd(): void {
    if (this.#begunAt === null) return;
    this.#endedAt = Date.now();
    this.#tookMs = this.#endedAt - this.#begunAt;
    this.#begunAt = null;
  }

  #pauseMs(): number {
    const sinceEndMs = Date.now() - this.#endedAt;
    return Math.max(MIN_PAUSE_MS, Math.min(this.#tookMs - sinceEndMs, MAX_PAUSE_MS));
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

// `abs`, since the clock may be set back, and places must expire then too.
function isAlive(seenAt: number): boolean {
  return Math.abs(Date.now() - seenAt) < DEAD_AFTER_MS;
}
