import { BoundedMap } from '../isolate/bounded-map.ts';

/** So many deliveries of a client are due at once. */
export const PACE_BURST = 1000;
/** The milliseconds between further ones: a fifth of what the queue takes from an isolate at the least. */
export const PACE_MS = 50;

const MAX_CLIENTS = 10_000;

/**
 * When new deliveries are due. All clients share the queue, which is worked off in its order: deliveries of one client
 * beyond a burst are due later, each at a moment of its own, so that they do not wait there before those of the others. In
 * memory, so that it holds for each isolate.
 */
export class DeliveryPace {
  /** When the next delivery of a client would be due without a burst. */
  readonly #free = new BoundedMap<string, number>(MAX_CLIENTS);

  /** Returns when the next delivery of a client is due, `now` or later; milliseconds since the epoch. */
  next(clientId: string, now: number): number {
    const free = Math.max(this.#free.get(clientId) ?? 0, now);
    this.#free.set(clientId, free + PACE_MS);
    return Math.max(now, free - (PACE_BURST - 1) * PACE_MS);
  }
}
