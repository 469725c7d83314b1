import { sizeOf, totalOf } from './day.ts';
import { filterOf, kindsOf, matching, type Filters } from './filters.ts';
import type { Pause } from './fold.ts';
import { Gathered } from './gathered.ts';
import { readState } from './schema.ts';
import { gatherFreshLinks, readDays, type Range } from './subject-days.ts';
import { linksAfter, type NumberedLink } from './subjects.ts';
import { addCounts, toClicks, type AnsweredValue, type Counts } from './sums.ts';

/** A question about each link of the client at once. */
export interface LinkQuestion extends Range {
  readonly filters: Filters;
}

const SLICE_LINKS = 100;
const SLICE_FACTS = 20_000;

/**
 * The clicks of each link in a range of days, filtered; links without such clicks are left out. All days of all links are
 * read, in slices; each link is counted at one moment.
 */
export async function answerByLink(sql: SqlStorage, question: LinkQuestion, pause: Pause): Promise<AnsweredValue[]> {
  const matches = filterOf(sql, question.filters);
  const answer: AnsweredValue[] = [];
  const fresh = new FreshLinks(sql);
  let facts = 0;
  for (let links: readonly NumberedLink[] = linksAfter(sql, 0, SLICE_LINKS); links.length > 0;) {
    for (const { number, name } of links) {
      const sum: Counts = [0, 0, 0];
      for (const { open } of readDays(sql, number, question, fresh.of(number))) {
        const day = open();
        addCounts(sum, kindsOf(totalOf(matching(day, matches)), matches));
        facts += sizeOf(day);
      }
      if (sum.some((clicks) => clicks > 0)) answer.push({ value: name, ...toClicks(sum) });
    }
    if (facts >= SLICE_FACTS) {
      facts = 0;
      await pause();
      fresh.refresh();
    }
    links = linksAfter(sql, links.at(-1)!.number, SLICE_LINKS);
  }
  return answer;
}

/** The clicks of all links that are not folded yet, gathered again when a fold or a delivery has come between. */
class FreshLinks {
  readonly #sql: SqlStorage;
  #state = '';
  #byLink: ReadonlyMap<number, Gathered> = new Map();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.refresh();
  }

  of(link: number): Gathered {
    return this.#byLink.get(link) ?? new Gathered();
  }

  refresh(): void {
    const { first, last } = this.#sql
      .exec<{ first: number | null; last: number | null }>('SELECT min(id) AS first, max(id) AS last FROM deliveries')
      .one();
    const fold = [readState(this.#sql, 'fold_delivery'), readState(this.#sql, 'fold_subject')];
    const state = [first, last, ...fold].join(' ');
    if (state !== this.#state) [this.#state, this.#byLink] = [state, gatherFreshLinks(this.#sql)];
  }
}
