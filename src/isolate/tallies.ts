const WINDOW_MS = 60_000;
const MAX_TALLIES = 20_000;

/**
 * Counts of this isolate in the current minute of the clock, for a bounded number of keys; the oldest key is dropped
 * first. The platform's limiters have no weights and do not say how much is left; these counts do both, for one
 * isolate.
 */
export class Tallies {
  #window = 0;
  #counts = new Map<string, number>();

  /** Adds a weight and returns true; or, if the sum would be more than `most`, adds nothing and returns false. */
  take(key: string, weight: number, most: number): boolean {
    const count = this.#countOf(key) + weight;
    if (count > most) return false;
    this.#set(key, count);
    return true;
  }

  /** Makes every `take` fail for the rest of this minute. */
  fill(key: string): void {
    this.#set(key, Number.POSITIVE_INFINITY);
  }

  /** True if anything was counted in this minute. */
  has(key: string): boolean {
    return this.#countOf(key) > 0;
  }

  isFull(key: string): boolean {
    return this.#countOf(key) === Number.POSITIVE_INFINITY;
  }

  /** Subtracts what `take` has added, and drops a key at zero. */
  giveBack(key: string, weight: number): void {
    const count = this.#countOf(key) - weight;
    if (count > 0) this.#set(key, count);
    else this.#present().delete(key);
  }

  #countOf(key: string): number {
    return this.#present().get(key) ?? 0;
  }

  #set(key: string, count: number): void {
    const counts = this.#present();
    counts.delete(key);
    counts.set(key, count);
    const [oldest] = counts.keys();
    if (counts.size > MAX_TALLIES && oldest !== undefined) counts.delete(oldest);
  }

  /** The counts of this minute; those of an earlier one are forgotten. */
  #present(): Map<string, number> {
    const window = Math.floor(Date.now() / WINDOW_MS);
    if (window !== this.#window) this.#counts = new Map();
    this.#window = window;
    return this.#counts;
  }
}
