import { BoundedMap } from '../isolate/bounded-map.ts';

// As long as the queue waits at least before it delivers again.
const PAUSE_MS = 5000;
const MAX_CLIENTS = 10_000;

/**
 * The clients whose object has failed a moment ago. They are not called again for some seconds, since each batch would wait
 * for an object that hangs, and with it the clicks of all other clients.
 */
export class RecentFailures {
  readonly #failures = new BoundedMap<string, { readonly at: number; readonly cause: unknown }>(MAX_CLIENTS);

  /** Does some work for a client. Throws what it throws, and the same again without the work for the next 5 seconds. */
  async guard(clientId: string, work: () => Promise<void>): Promise<void> {
    const before = this.#failures.get(clientId);
    if (before !== undefined && Math.abs(Date.now() - before.at) < PAUSE_MS) throw before.cause;
    try {
      await work();
      this.#failures.delete(clientId);
    } catch (cause) {
      this.#failures.set(clientId, { at: Date.now(), cause });
      throw cause;
    }
  }
}
