import { sizeOf, totalOf } from '../days/day.ts';
import { OTHER_WORD } from '../facts.ts';
import { filterOf, kindsOf, matching, type Filters } from './filters.ts';
import type { Pause } from '../days/fold-deliveries.ts';
import { FreshClicks } from './fresh-clicks.ts';
import { Slices } from './slices.ts';
import { readDays, type Range } from '../days/subject-days.ts';
import { findSubjects, linksAfter, type NumberedLink } from '../subjects.ts';
import { addCounts, toClicks, type ValueClicks, type Counts, type Summed } from '../days/sums.ts';

/** A question about each link of the client at once, or about each of some. */
export interface LinkQuestion extends Range {
  readonly links?: readonly string[];
  readonly filters: Filters;
}

const SLICE_LINKS = 100;
const HOURS: ReadonlySet<Summed> = new Set(['hour']);
/** The most links that are named; the names of the million that a client may have would not fit into a Worker. */
const MAX_LINKS = 10_000;

/**
 * The clicks of each link in a range of days, filtered; links without such clicks are left out. All days of all links are
 * read, in slices; each link is counted at one moment. Links beyond the most clicked ones are one value, `other`.
 */
export async function readByLink(
  sql: SqlStorage,
  question: LinkQuestion,
  pause: Pause,
  most = MAX_LINKS,
  fresh = new FreshClicks(sql),
): Promise<ValueClicks[]> {
  const matches = filterOf(sql, question.filters);
  const ranked = new MostClicked(most);
  const slices = new Slices(pause);
  const { links: some } = question;
  const following = some === undefined ? linksFrom(sql) : [namedLinks(sql, some)];
  for (const links of following) {
    for (const { number, name } of links) {
      const sum: Counts = [0, 0, 0];
      const clicks = await fresh.of(number, slices);
      for (const { open } of readDays(sql, number, question, clicks, slices, HOURS)) {
        const day = open();
        addCounts(sum, kindsOf(totalOf(matches.isPlain ? day : matching(day, matches)), matches));
        slices.facts += sizeOf(day);
        if (slices.isOver) await slices.pause();
      }
      ranked.add(name, sum);
      if (slices.isOver) await slices.pause();
    }
  }
  return ranked.list();
}

/** Links with their clicks; only the most clicked are named. */
class MostClicked {
  readonly #most: number;
  readonly #others: Counts = [0, 0, 0];
  #links: { readonly name: string; readonly clicks: Counts; readonly total: number }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(name: string, clicks: Counts): void {
    const total = clicks.reduce((sum, each) => sum + each);
    if (total === 0) return;
    this.#links.push({ name, clicks, total });
    if (this.#links.length >= 2 * this.#most) this.#cut();
  }

  list(): ValueClicks[] {
    if (this.#links.length > this.#most) this.#cut();
    const named = this.#links.map(({ name, clicks }) => ({ value: name, ...toClicks(clicks) }));
    return this.#others.every((clicks) => clicks === 0)
      ? named
      : [...named, { value: OTHER_WORD, ...toClicks(this.#others) }];
  }

  #cut(): void {
    const ranked = this.#links.toSorted((a, b) => b.total - a.total);
    this.#links = ranked.slice(0, this.#most);
    for (const { clicks } of ranked.slice(this.#most)) addCounts(this.#others, clicks);
  }
}

function* linksFrom(sql: SqlStorage): Generator<readonly NumberedLink[]> {
  for (let links = linksAfter(sql, 0, SLICE_LINKS); links.length > 0;) {
    yield links;
    links = linksAfter(sql, links.at(-1)!.number, SLICE_LINKS);
  }
}

function namedLinks(sql: SqlStorage, names: readonly string[]): readonly NumberedLink[] {
  return [...findSubjects(sql, 'link', names)].map(([name, number]) => ({ name, number }));
}
