import type { Pause } from '../days/fold-deliveries.ts';

// Some 15 ms, in which deliveries and other questions wait. The clock stands still while code runs, so that a slice cannot
// be measured.
const SLICE_FACTS = 20_000;

/** The cost of finding the days of a subject, in facts that could be read meanwhile. */
export const SUBJECT_FACTS = 200;
/** The cost of opening a day, in facts too. */
export const DAY_FACTS = 20;

/** Divides the work of a question into slices. */
export class Slices {
  readonly #pause: Pause;
  /** Facts and sums that were read, and other work in facts that could be read meanwhile: what reads them adds them. */
  facts = 0;

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  /** True if it is time for `pause`. */
  get isOver(): boolean {
    return this.facts >= SLICE_FACTS;
  }

  /** The number of slices that are over. What is stored stays the same within one. */
  over = 0;

  /** Lets deliveries and other questions in. */
  async pause(): Promise<void> {
    this.facts = 0;
    this.over += 1;
    await this.#pause();
  }
}
