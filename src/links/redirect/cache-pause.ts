const MAX_TIMEOUTS = 3;
const PAUSE_MS = 10_000;

/**
 * The time for which an isolate does not read KV, since visitors would wait a second for each read: ten seconds after
 * three reads in a row that timed out. Then one read is tried, and another pause follows unless KV responds.
 */
export class CachePause {
  /** True from the first read that timed out to the next response: a field, which costs other visits no call. */
  isPossible = false;
  #timeouts = 0;
  #since = Number.NEGATIVE_INFINITY;

  /** True if KV can be read now; for the one read after a pause, only its caller gets true. */
  get isOver(): boolean {
    if (this.#timeouts < MAX_TIMEOUTS) return true;
    const now = Date.now();
    if (Math.abs(now - this.#since) < PAUSE_MS) return false;
    this.#since = now;
    return true;
  }

  responded(): void {
    this.#timeouts = 0;
    this.isPossible = false;
  }

  timedOut(): void {
    this.#timeouts += 1;
    this.isPossible = true;
    this.#since = Date.now();
  }
}
