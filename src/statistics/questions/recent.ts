import { sizeOf, totalOf } from '../days/day.ts';
import type { Pause } from '../days/fold-deliveries.ts';
import { FreshClicks } from './fresh-clicks.ts';
import { sumTotals, type SubjectTotals } from './totals.ts';
import { Slices } from './slices.ts';
import { readDays, type Range } from '../days/subject-days.ts';
import { findSubjects } from '../subjects.ts';

/** A question about the clicks of some links: those of all days, and by day in a range. */
export interface RecentQuestion extends Range {
  readonly links: readonly string[];
}

/** The clicks of a link. */
export interface RecentTotals extends SubjectTotals {
  /** The clicks of people on each day of the range; null if the days of the links before it were too much to read. */
  readonly people: readonly number[] | null;
}

/** The most links of a question. */
const MAX_LINKS = 100;
/** The most days of a question. */
const MAX_DAYS = 31;
// Some 200 ms. A link with a hundred clicks a day has about two thousand facts in thirty days.
const MAX_FACTS = 400_000;

/** Links without clicks are left out, and so are links and days beyond the bounds. */
export async function readRecent(
  sql: SqlStorage,
  { links, ...asked }: RecentQuestion,
  pause: Pause,
  mostFacts = MAX_FACTS,
  fresh = new FreshClicks(sql),
): Promise<ReadonlyMap<string, RecentTotals>> {
  const names = links.slice(0, MAX_LINKS);
  const range = { ...asked, from: Math.max(asked.from, asked.to - MAX_DAYS + 1) };
  const numbers = findSubjects(sql, 'link', names);
  const recent = new Map<string, RecentTotals>();
  const slices = new Slices(pause);
  let read = 0;
  for (const [name, totals] of sumTotals(sql, names)) {
    if (read >= mostFacts) {
      recent.set(name, { ...totals, people: null });
      continue;
    }
    const people = Array.from({ length: range.to - range.from + 1 }, () => 0);
    const number = numbers.get(name)!;
    const clicks = await fresh.of(number, slices);
    for (const { day, open } of readDays(sql, number, range, clicks, slices)) {
      const opened = open();
      people[day - range.from]! += totalOf(opened)[0];
      const size = sizeOf(opened);
      read += size;
      slices.facts += size;
      if (slices.isOver) await slices.pause();
    }
    if (slices.isOver) await slices.pause();
    recent.set(name, { ...totals, people });
  }
  return recent;
}
