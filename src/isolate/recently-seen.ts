import { BoundedMap } from './bounded-map.ts';

const MAX_KEYS = 20_000;

/** Remembers when each of a bounded number of keys was last seen; the oldest is dropped first. */
export class RecentlySeen {
  readonly #seenAt = new BoundedMap<string, number>(MAX_KEYS);

  /**
   * True if a key was seen in the last `periodMs` milliseconds. If not, it counts as seen now, so that of several calls
   * in a period only the first returns false.
   */
  wasSeen(key: string, periodMs: number): boolean {
    if (this.isKnown(key, periodMs)) return true;
    this.#seenAt.set(key, Date.now());
    return false;
  }

  /** `wasSeen`, by a call that does not count as seeing the key. */
  isKnown(key: string, periodMs: number): boolean {
    const now = Date.now();
    const before = this.#seenAt.get(key);
    // If the clock was set back, an entry from the future must not stay valid.
    return before !== undefined && now >= before && now - before < periodMs;
  }

  /** Forgets a key, because the work for it has failed. */
  forget(key: string): void {
    this.#seenAt.delete(key);
  }
}
