import { SubjectClicks } from './subject-clicks.ts';
import { gatherFreshLinks } from '../days/subject-days.ts';

/** The clicks of links that are not folded yet, gathered again when a fold or a delivery has come between. */
export class FreshLinks {
  readonly #sql: SqlStorage;
  readonly #wanted: ReadonlySet<number> | undefined;
  #state: string | null = null;
  #byLink: ReadonlyMap<number, SubjectClicks> = new Map();

  /** @param wanted the numbers of the links; all links without it */
  constructor(sql: SqlStorage, wanted?: ReadonlySet<number>) {
    this.#sql = sql;
    this.#wanted = wanted;
  }

  of(link: number): SubjectClicks {
    const state = this.#readState();
    if (state !== this.#state) [this.#state, this.#byLink] = [state, gatherFreshLinks(this.#sql, this.#wanted)];
    return this.#byLink.get(link) ?? new SubjectClicks();
  }

  #readState(): string {
    const state = this.#sql
      .exec(
        `SELECT min(id) AS first, max(id) AS last, (SELECT value FROM state WHERE name = 'fold_delivery') AS fold,
           (SELECT value FROM state WHERE name = 'fold_subject') AS subject FROM deliveries`,
      )
      .one();
    return JSON.stringify(state);
  }
}
