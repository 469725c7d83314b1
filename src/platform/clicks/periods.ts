import type { Unit } from '../../clicks/report-rows.ts';
import { keepsHours } from '../../clicks/report-zone.ts';
import { addDays, daysBetween } from '../../time/day.ts';
import { openClock } from '../../time/time-zone.ts';
import { formatDay } from '../kit/numbers.ts';

/** The periods that a page of click statistics can show. Each ends today. */

interface Period {
  readonly label: string;
  /** As the end of a sentence: "No clicks today". */
  readonly words: string;
  readonly first: (today: string) => string;
}

const last = (days: number): Period => ({
  label: `${days} days`,
  words: `in the last ${days} days`,
  first: (today) => addDays(today, 1 - days),
});

export const PERIODS = {
  today: { label: 'Today', words: 'today', first: (today) => today },
  '7d': last(7),
  '30d': last(30),
  '90d': last(90),
  month: { label: 'This month', words: 'this month', first: (today) => `${today.slice(0, 8)}01` },
  '12m': { label: '12 months', words: 'in the last 12 months', first: (today) => yearBefore(today) },
} as const satisfies Readonly<Record<string, Period>>;

export type PeriodName = keyof typeof PERIODS;

export const isPeriod = (name: string): name is PeriodName => Object.hasOwn(PERIODS, name);

/** The period that is shown if the address names none. */
export const PRESET: PeriodName = '30d';

// The day after the same day of the year before; of 29 February the first of March.
function yearBefore(today: string): string {
  const year = Number(today.slice(0, 4)) - 1;
  return addDays(
    new Date(Date.UTC(year, Number(today.slice(5, 7)) - 1, Number(today.slice(8)))).toISOString().slice(0, 10),
    1,
  );
}

/** A period, or days that were chosen. */
export type Chosen = PeriodName | { readonly from: string; readonly to: string };

/** The days of a period, in a zone. */
export function daysOf(chosen: Chosen, tz: string): { readonly from: string; readonly to: string } {
  const today = openClock(tz)(Date.now()).day;
  const untilToday = (day: string) => (day > today ? today : day);
  if (typeof chosen !== 'string') return { from: untilToday(chosen.from), to: untilToday(chosen.to) };
  return { from: PERIODS[chosen].first(today), to: today };
}

export function wordsOf(chosen: Chosen): string {
  if (typeof chosen === 'string') return PERIODS[chosen].words;
  const { from, to } = chosen;
  return from === to ? `on ${formatDay(from)}` : `from ${formatDay(from)} to ${formatDay(to)}`;
}

const MAX_DAYS = { hour: 2, day: 90 } as const;

/** The unit of each bar of the chart: an hour only where hours are kept. */
export function unitOf({ from, to }: { from: string; to: string }, isFiltered: boolean): Unit {
  const days = daysBetween(from, to) + 1;
  if (days <= MAX_DAYS.hour && (!isFiltered || keepsHours(from))) return 'hour';
  return days <= MAX_DAYS.day ? 'day' : 'week';
}
