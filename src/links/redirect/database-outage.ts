import { STALENESS_SECONDS } from './staleness.ts';

/** Two failures that are further apart are two outages: the database may have been edited between them. */
const SAME_OUTAGE_MS = STALENESS_SECONDS.check * 1000;
const MAX_MS = 2 * 3600_000;

/**
 * The time since when the database does not respond to this isolate. Nothing can be edited meanwhile, so that a state
 * that could be served when the outage began is still right, and is served until the database responds again, for two
 * hours at most.
 */
export class DatabaseOutage {
  /** True from a failure to the next response: a field, which costs other visits no call. */
  isPossible = false;
  #since = 0;
  #failedAt = Number.NEGATIVE_INFINITY;

  /** The start of the outage, in milliseconds since the epoch; null if there is none, or it lasts too long. */
  get since(): number | null {
    const now = Date.now();
    return Math.abs(now - this.#failedAt) < SAME_OUTAGE_MS && Math.abs(now - this.#since) < MAX_MS ? this.#since : null;
  }

  /** Notes that the database did not respond. */
  noteFailure(): void {
    const now = Date.now();
    if (Math.abs(now - this.#failedAt) >= SAME_OUTAGE_MS) this.#since = now;
    this.#failedAt = now;
    this.isPossible = true;
  }

  /** Notes that the database responded. */
  end(): void {
    this.#failedAt = Number.NEGATIVE_INFINITY;
    this.isPossible = false;
  }
}
