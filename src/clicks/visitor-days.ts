import type { Filters } from '../statistics/questions/filters.ts';
import type { Subject } from '../statistics/questions/questions.ts';
import type { VisitorCounts } from '../statistics/questions/visitor-days.ts';
import { DAY_MS, dayNumberOf, dayOf } from '../time/day.ts';

/** Visitors of days: people a day and link, summed. Their days are always UTC days, since marks have a new salt on each. */
export interface Visitors {
  readonly total: number;
  /** The first and the last day that is counted, which can be fewer than those of the range. */
  readonly from: string;
  readonly to: string;
}

interface Days {
  readonly from: string;
  readonly to: string;
}

/** True if visitors are counted for a question: for a client or a link, and not by what visitors have in common. */
export function hasVisitors({ kind }: Subject, filters: Filters): boolean {
  return (kind === 'client' || kind === 'link') && Object.values(filters).every((values) => values === undefined);
}

/** The sum of all days that are known; null if none is. */
export function sumVisitors(visitors: VisitorCounts | null): Visitors | null {
  if (visitors === null) return null;
  const { from, counts } = visitors;
  const total = sum(counts);
  return { total, from: dayOf(from * DAY_MS), to: dayOf((from + counts.length - 1) * DAY_MS) };
}

/** The sums of two ranges by which they can be compared. */
export interface ComparedVisitors {
  readonly now: number;
  readonly before: number;
}

/** Compares the days of two ranges that are over; null if one of them is not known, or none is over. */
export function compareVisitors(
  range: Days,
  now: VisitorCounts | null,
  rangeBefore: Days,
  before: VisitorCounts | null,
): ComparedVisitors | null {
  const first = dayNumberOf(range.from);
  const today = dayNumberOf(dayOf(Date.now()));
  const days = Math.min(dayNumberOf(range.to) + 1, today) - first;
  const isKnown = (visitors: VisitorCounts | null, from: number): visitors is VisitorCounts =>
    visitors !== null && visitors.from === from && visitors.counts.length >= days;
  if (days < 1 || !isKnown(now, first) || !isKnown(before, dayNumberOf(rangeBefore.from))) return null;
  return { now: sum(now.counts.slice(0, days)), before: sum(before.counts.slice(0, days)) };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
