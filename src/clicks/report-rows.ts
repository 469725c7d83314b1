import type { DayClicks } from '../statistics/questions/questions.ts';
import type { VisitorCounts } from '../statistics/questions/visitor-days.ts';
import { addDays, dayNumberOf, daysBetween } from '../time/day.ts';
import type { StatsRow } from './breakdown.ts';
import { addCounts, type Counts } from './link-clicks.ts';

/** The numbers of a report that each of its rows has beside the clicks: visitors, scans, and the days before. */

/** The time that a row of a report stands for. */
export type Unit = 'hour' | 'day' | 'week';

/** A number for each row, and one of as many days before. Null is not known. */
export interface Series {
  readonly now: readonly (number | null)[];
  readonly before: readonly (number | null)[];
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The number of days of each row; that of an hour is 1. */
export type Buckets = readonly number[];

/** @param to the last day of the report */
export function bucketsOf(unit: Unit, rows: readonly StatsRow[], to: string): Buckets {
  if (unit !== 'week') return rows.map(() => 1);
  return rows.map(({ key }, index) => daysBetween(key ?? to, rows[index + 1]?.key ?? addDays(to, 1)));
}

/** Sums the numbers of days; null if one of them is. */
export function sumInBuckets(buckets: Buckets, byDay: readonly (number | null)[]): (number | null)[] {
  return slices(buckets, byDay).map((days) =>
    days.length === 0
      ? null
      : days.reduce<number | null>((sum, day) => (sum === null || day === null ? null : sum + day), 0),
  );
}

/** Sums the clicks of days. */
export const sumCounts = (buckets: Buckets, byDay: readonly Counts[]): Counts[] =>
  slices(buckets, byDay).map((days) => addCounts(days));

function slices<Day>(buckets: Buckets, byDay: readonly Day[]): (readonly Day[])[] {
  let from = 0;
  return buckets.map((days) => byDay.slice(from, (from += days)));
}

const numbersOf = ({ from, to }: Days): number[] =>
  Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, index) => dayNumberOf(from) + index);

/** The visitors of each day. */
export function visitorsByDay(visitors: VisitorCounts | null, days: Days): (number | null)[] {
  return numbersOf(days).map((day) => (visitors === null ? null : (visitors.counts[day - visitors.from] ?? null)));
}

/** The scans of QR codes by people on each day. */
export function scansByDay(days: readonly DayClicks[], from: string, to: string): number[] {
  const scans = new Map(
    days.map(({ day, by }) => [day, by.via?.find(({ value }) => value === QR)?.humans ?? 0] as const),
  );
  return numbersOf({ from, to }).map((day) => scans.get(day) ?? 0);
}

/** The source of a click by a QR code. */
const QR = 'qr';
