const MAX_NOTES = 20_000;

/** Notes when something was last done for a key, for a bounded number of keys; the oldest note goes first. */
export class Notes {
  readonly #notedAt = new Map<string, number>();

  /** Notes it now; true if it had been noted within the last `withinMs` milliseconds, which leaves that note as it is. */
  noted(key: string, withinMs: number): boolean {
    const now = Date.now();
    const before = this.#notedAt.get(key);
    // A clock that has jumped back would keep a note for as long as it jumped.
    if (before !== undefined && now >= before && now - before < withinMs) return true;
    this.#notedAt.delete(key);
    this.#notedAt.set(key, now);
    const [oldest] = this.#notedAt.keys();
    if (this.#notedAt.size > MAX_NOTES && oldest !== undefined) this.#notedAt.delete(oldest);
    return false;
  }

  /** Takes a note back: what was noted has not been done. */
  forget(key: string): void {
    this.#notedAt.delete(key);
  }
}
