import { foldedThrough } from '../append/deliveries.ts';
import { Unfolded } from '../days/unfolded.ts';
import { CLIENT } from '../subjects.ts';
import type { Slices } from './slices.ts';
import { SubjectClicks } from './subject-clicks.ts';

// Some 10 ms.
const PORTION_GROUPS = 5000;
/** The cost of a row of deliveries, in facts that could be read meanwhile. */
const ROW_FACTS = 20;

/**
 * The clicks of the client and of its links that are not folded yet. Deliveries are read once, in slices, and those that
 * come between two slices are added: otherwise all would be read again whenever one comes, or a slice is folded. The
 * questions of an object share it.
 */
export class FreshClicks {
  readonly #sql: SqlStorage;
  #unfolded = new Unfolded(subjectsOfQuestions);
  /** The ids of the deliveries that were read. */
  #ids: number[] = [];
  #first: FirstRow | null = null;
  /** The question that has read all deliveries, and in which of its slices. */
  #readBy: Slices | null = null;
  #readIn = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The clicks of a link or the client, at the moment at which it returns. */
  async of(subject: number, slices: Slices): Promise<SubjectClicks> {
    let [gathered, read, begin, next] = [new SubjectClicks(), this.#unfolded, 0, 0];
    for (;;) {
      await this.#readAll(slices);
      const first = this.#firstOf(subject);
      // The clicks that were gathered are folded now.
      if (read !== this.#unfolded || begin !== first)
        [gathered, read, begin, next] = [new SubjectClicks(), this.#unfolded, first, first];
      const size = read.sizeOf(subject);
      const end = Math.min(size, next + PORTION_GROUPS);
      read.gather(subject, gathered, next, end);
      slices.facts += end - next;
      next = end;
      if (next === size) return gathered;
      await slices.pause();
    }
  }

  async #readAll(slices: Slices): Promise<void> {
    if (this.#readBy === slices && this.#readIn === slices.over) return;
    while (this.#readNext(slices)) if (slices.isOver) await slices.pause();
    [this.#readBy, this.#readIn] = [slices, slices.over];
  }

  /** Which of the groups of a subject is the first that is not folded. */
  #firstOf(subject: number): number {
    if (this.#unfolded.sizeOf(subject) === 0) return 0;
    const through = Math.max(foldedThrough(this.#sql, subject), (this.#first?.id ?? Number.MAX_SAFE_INTEGER) - 1);
    const index = this.#ids.findIndex((id) => id > through);
    return this.#unfolded.sizeOf(subject, index === -1 ? this.#ids.length : index);
  }

  /** Reads one more row of deliveries; false if there is none. */
  #readNext(slices: Slices): boolean {
    this.#forgetFormerIds();
    const rows = this.#sql.exec<{ id: number; groups: number; body: ArrayBuffer; sources: ArrayBuffer | null }>(
      'SELECT id, groups, body, sources FROM deliveries WHERE id > ?1 ORDER BY id LIMIT 1',
      this.#ids.at(-1) ?? 0,
    );
    for (const { id, groups, ...row } of rows) {
      this.#unfolded.add(row);
      this.#ids.push(id);
      slices.facts += groups + ROW_FACTS;
      return true;
    }
    return false;
  }

  /** Ids begin anew after all rows were folded. */
  #forgetFormerIds(): void {
    const known = this.#first;
    const [first] = this.#sql.exec<FirstRow>('SELECT id, at FROM deliveries ORDER BY id LIMIT 1');
    this.#first = first ?? null;
    const isSame = first !== undefined && known !== null && (first.id > known.id || first.at === known.at);
    if (isSame || this.#ids.length === 0) return;
    this.#unfolded = new Unfolded(subjectsOfQuestions);
    this.#ids = [];
  }
}

interface FirstRow extends Record<string, SqlStorageValue> {
  readonly id: number;
  /** When it was stored. */
  readonly at: number;
}

const subjectsOfQuestions = ({ link }: { readonly link: number }): readonly number[] => [CLIENT, link];
