import { BoundedMap } from '../isolate/bounded-map.ts';

// Random, so that the isolates of a busy client do not come back together.
const LEAST_MS = 60_000;
/** For how long at most. */
export const QUEUED_MS = 120_000;
const MAX_CLIENTS = 10_000;

/** The clients whose clicks take the queue for a minute or two: their object has failed, is busy, or does not take them. */
export class QueuedClients {
  readonly #until = new BoundedMap<string, number>(MAX_CLIENTS);

  has(clientId: string): boolean {
    const left = (this.#until.get(clientId) ?? 0) - Date.now();
    // If the clock was set back, an entry must not stay longer.
    return left > 0 && left <= QUEUED_MS;
  }

  add(clientId: string): void {
    this.#until.set(clientId, Date.now() + LEAST_MS + Math.random() * (QUEUED_MS - LEAST_MS));
  }
}
