import { BoundedMap } from '../../isolate/bounded-map.ts';
import { ATTEMPT_MS } from './post.ts';

/**
 * The knowledge of an isolate about the receivers of webhooks, so that one that hangs takes neither the time of the
 * others nor the attempts of its own deliveries. It is in memory, since it is only worth something while it is fresh:
 * another isolate finds out after at most `MAX_AT_ONCE` attempts, and a write to D1 for each timeout would cost all
 * others more.
 */
export class Receivers {
  /** By the ids of webhooks, the one that was used last at the end. */
  readonly #receivers = new BoundedMap<string, Receiver>(MAX_REMEMBERED);
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /**
   * Takes a place for an attempt at a webhook. Returns 0, or for how many milliseconds the attempt is postponed: each one
   * to a moment of its own, as far apart as the receiver is likely to take them, so that a backlog does not come back all
   * at once, again and again.
   */
  take(webhookId: string, now: number): number {
    const receiver = this.#receiverOf(webhookId);
    const { pause, lastAttemptMs, lastPlace } = receiver;
    // `leave` is not called if the platform ends the invocation, so an old attempt counts as over.
    receiver.begun = receiver.begun.filter((at) => at > now - FORGOTTEN_MS);
    const isPaused = pause !== null && pause.until > now;
    if (!isPaused && receiver.begun.length < MAX_AT_ONCE) {
      receiver.begun.push(now);
      return 0;
    }
    const cycleMs = isPaused ? pause.pauses * PAUSE_MS + ATTEMPT_MS : lastAttemptMs;
    const spacingMs = Math.max(MIN_SPACING_MS, Math.ceil(cycleMs / MAX_AT_ONCE));
    const place = Math.max(isPaused ? pause.until : now + spacingMs, lastPlace + spacingMs);
    // More than the receiver can take in that time: the rest comes back spread over some minutes, for a place then.
    if (place > now + MAX_WAIT_MS) return Math.ceil(MAX_WAIT_MS * (1 - this.#random() / 4));
    receiver.lastPlace = place;
    return place - now;
  }

  /**
   * Gives a place back.
   *
   * @param takenAt what `take` got as `now`
   * @param endedAt when the attempt was over; left out if there was none
   */
  leave(webhookId: string, takenAt: number, endedAt?: number): void {
    const receiver = this.#receiverOf(webhookId);
    const index = receiver.begun.indexOf(takenAt);
    if (index !== -1) receiver.begun.splice(index, 1);
    if (endedAt !== undefined) receiver.lastAttemptMs = endedAt - takenAt;
  }

  /** A receiver did not respond in time: the others of its deliveries wait, longer after each timeout in a row. */
  timedOut(webhookId: string, now: number): void {
    const receiver = this.#receiverOf(webhookId);
    // Attempts that ran side by side are one timeout.
    if (receiver.pause !== null && receiver.pause.until > now) return;
    const pauses = Math.min((receiver.pause?.pauses ?? 0) + 1, MAX_PAUSES);
    receiver.pause = { until: now + pauses * PAUSE_MS, pauses };
  }

  /** A receiver has responded, whatever its status. */
  responded(webhookId: string): void {
    const receiver = this.#receiverOf(webhookId);
    if (receiver.pause === null) return;
    receiver.pause = null;
    receiver.lastPlace = 0;
  }

  #receiverOf(webhookId: string): Receiver {
    const receiver = this.#receivers.get(webhookId) ?? { begun: [], pause: null, lastAttemptMs: 0, lastPlace: 0 };
    this.#receivers.set(webhookId, receiver);
    return receiver;
  }
}

/** As many as a batch has messages, so that a burst for one webhook is not slowed down. */
export const MAX_AT_ONCE = 5;
/** For how long the deliveries of a receiver wait after its first timeout. */
export const PAUSE_MS = 60_000;
const MAX_PAUSES = 10;
const MIN_SPACING_MS = 50;
/** So that a backlog is attempted soon after its receiver responds again. */
const MAX_WAIT_MS = 3_600_000;
const FORGOTTEN_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface Receiver {
  /** When each attempt under way began, in milliseconds since the epoch as all instants here. */
  begun: number[];
  pause: Pause | null;
  lastAttemptMs: number;
  /** The latest moment to which a delivery was postponed. */
  lastPlace: number;
}

interface Pause {
  readonly until: number;
  readonly pauses: number;
}
