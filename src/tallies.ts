const WINDOW_MS = 60_000;
const MAX_TALLIES = 20_000;

/**
 * What this isolate has counted in the present minute of the clock, for a bounded number of keys; the oldest goes first. The
 * platform's limiters know no weights, and cannot be asked what is left: this knows both, for one isolate alone.
 */
export class Tallies {
  readonly #tallies = new Map<string, { readonly window: number; readonly count: number }>();

  /** Counts this many more, unless that would be more than `most`: then it counts nothing, and is false. */
  take(key: string, weight: number, most: number): boolean {
    const count = this.#countOf(key) + weight;
    if (count > most) return false;
    this.#set(key, count);
    return true;
  }

  /** Lets nothing more be taken in this minute. */
  fill(key: string): void {
    this.#set(key, Number.POSITIVE_INFINITY);
  }

  /** Whether anything was counted in this minute. */
  has(key: string): boolean {
    return this.#countOf(key) > 0;
  }

  isFull(key: string): boolean {
    return this.#countOf(key) === Number.POSITIVE_INFINITY;
  }

  forget(key: string): void {
    this.#tallies.delete(key);
  }

  #countOf(key: string): number {
    const tally = this.#tallies.get(key);
    return tally?.window === presentWindow() ? tally.count : 0;
  }

  #set(key: string, count: number): void {
    this.#tallies.delete(key);
    this.#tallies.set(key, { window: presentWindow(), count });
    const [oldest] = this.#tallies.keys();
    if (this.#tallies.size > MAX_TALLIES && oldest !== undefined) this.#tallies.delete(oldest);
  }
}

const presentWindow = () => Math.floor(Date.now() / WINDOW_MS);
