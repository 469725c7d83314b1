/**
 * What an isolate knows of the receivers of webhooks, so that one that hangs takes neither the time of the others nor the
 * attempts of its own deliveries. It is in memory, since it is only worth something while it is fresh: another isolate
 * finds out after at most `MOST_AT_ONCE` attempts, and a write to D1 for each timeout would cost all others more.
 */
export class Receivers {
  readonly #begun = new Map<string, number[]>();
  readonly #paused = new Map<string, Pause>();

  /** Takes a place for an attempt at a webhook. Returns 0, or for how many milliseconds the attempt is postponed. */
  take(webhookId: string, now: number): number {
    const pause = this.#paused.get(webhookId);
    if (pause !== undefined && pause.until > now) return pause.until - now;
    // `leave` is not called if the platform ends the invocation, so an old attempt counts as over.
    const begun = (this.#begun.get(webhookId) ?? []).filter((at) => at > now - FORGOTTEN_MS);
    if (begun.length >= MOST_AT_ONCE) return BUSY_MS;
    this.#begun.set(webhookId, [...begun, now]);
    return 0;
  }

  /**
   * Gives a place back.
   *
   * @param takenAt what `take` got as `now`
   */
  leave(webhookId: string, takenAt: number): void {
    const begun = this.#begun.get(webhookId) ?? [];
    const index = begun.indexOf(takenAt);
    const rest = index === -1 ? begun : begun.toSpliced(index, 1);
    if (rest.length > 0) this.#begun.set(webhookId, rest);
    else this.#begun.delete(webhookId);
  }

  /** A receiver did not respond in time: the others of its deliveries wait, longer after each timeout in a row. */
  timedOut(webhookId: string, now: number): void {
    const former = this.#paused.get(webhookId);
    // Attempts that ran side by side are one timeout.
    if (former !== undefined && former.until > now) return;
    if (this.#paused.size >= MOST_REMEMBERED) this.#paused.clear();
    const pauses = Math.min((former?.pauses ?? 0) + 1, MOST_PAUSES);
    this.#paused.set(webhookId, { until: now + pauses * PAUSE_MS, pauses });
  }

  /** A receiver has responded, whatever its status. */
  responded(webhookId: string): void {
    this.#paused.delete(webhookId);
  }
}

/** As many as a batch has messages, so that a burst for one webhook is not slowed down. */
export const MOST_AT_ONCE = 5;
/** For how long the deliveries of a receiver wait after its first timeout. */
export const PAUSE_MS = 60_000;
const MOST_PAUSES = 10;
const BUSY_MS = 5000;
const FORGOTTEN_MS = 60_000;
const MOST_REMEMBERED = 10_000;

interface Pause {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly pauses: number;
}
