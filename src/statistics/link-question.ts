import { sizeOf, totalOf } from './day.ts';
import { filterOf, kindsOf, matching, type Filters } from './filters.ts';
import type { Pause } from './fold.ts';
import { FreshLinks } from './fresh-links.ts';
import { readDays, type Range } from './subject-days.ts';
import { findSubjects, linksAfter, type NumberedLink } from './subjects.ts';
import { addCounts, toClicks, type AnsweredValue, type Counts } from './sums.ts';

/** A question about each link of the client at once, or about each of some. */
export interface LinkQuestion extends Range {
  readonly links?: readonly string[];
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
  const { links: some } = question;
  const following = some === undefined ? linksFrom(sql) : [namedLinks(sql, some)];
  for (const links of following) {
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
    }
  }
  return answer;
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
