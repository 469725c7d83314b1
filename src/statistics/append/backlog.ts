import { HOUR_MS } from '../../time/day.ts';
import { countUnfolded } from './deliveries.ts';
import type { LastHour } from './last-hour.ts';

/** The longest time that deliveries wait until they are folded, in milliseconds. */
export const FOLD_MS = 6 * HOUR_MS;
/** From how many rows on deliveries are folded without waiting for that. */
export const MAX_ROWS = 2000;
/** Deliveries with at least as many groups are folded without waiting for `FOLD_MS`. */
const MAX_GROUPS = 60_000;

/**
 * The amount that is not folded yet. An object that has just woken knows the groups of the last hour only: it slept
 * because few came, and the number of all rows follows from their ids.
 */
export class Backlog {
  #rows: number;
  #groups: number;

  constructor(sql: SqlStorage, { groups }: LastHour) {
    const { rows } = sql
      .exec<{ rows: number }>(
        'SELECT coalesce((SELECT max(id) FROM deliveries) - (SELECT min(id) FROM deliveries) + 1, 0) AS rows',
      )
      .one();
    this.#rows = rows;
    this.#groups = groups;
  }

  get isEmpty(): boolean {
    return this.#rows === 0;
  }

  add(rows: number, groups: number): void {
    this.#rows += rows;
    this.#groups += groups;
  }

  /** Counts what is stored, as after a fold; says also when the first was stored, in milliseconds since the epoch. */
  recount(sql: SqlStorage): { readonly firstAt: number | null } {
    const { rows, groups, at } = countUnfolded(sql);
    [this.#rows, this.#groups] = [rows, groups];
    return { firstAt: at };
  }

  get isFull(): boolean {
    return this.#rows >= MAX_ROWS || this.#groups >= MAX_GROUPS;
  }

  /** When it is to be folded, if its first row is of now. */
  foldAt(now: number): number {
    return this.isFull ? now : now + FOLD_MS;
  }
}
