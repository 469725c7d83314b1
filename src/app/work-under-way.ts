const POLL_MS = 20;

/**
 * The work of an isolate that is under way. Only numbers are kept, since a request must not await the promises of another
 * one.
 */
export class WorkUnderWay {
  #pieces = 0;
  #clicks = 0;

  /**
   * Counts some work until it is settled.
   *
   * @param clicks how many clicks it stores
   */
  async track<Result>(work: Promise<Result>, clicks = 0): Promise<Result> {
    this.#pieces += 1;
    this.#clicks += clicks;
    try {
      return await work;
    } finally {
      this.#pieces -= 1;
      this.#clicks -= clicks;
    }
  }

  /** The clicks that are not stored yet. */
  get clicks(): number {
    return this.#clicks;
  }

  /** Resolves when all of it is done, or after so many milliseconds. Returns whether it is done. */
  async done(withinMs: number): Promise<boolean> {
    for (let waited = 0; this.#pieces > 0 && waited < withinMs; waited += POLL_MS) await scheduler.wait(POLL_MS);
    return this.#pieces === 0;
  }
}
