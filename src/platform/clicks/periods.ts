import type { Unit } from '../../clicks/report-rows.ts';
import { keepsHours } from '../../clicks/report-zone.ts';
import { addDays, daysBetween } from '../../time/day.ts';
import { openClock } from '../../time/time-zone.ts';
import type { PageWords } from '../words.tsx';

/** The periods that a page of click statistics can show. Each ends today. */

interface Period {
  readonly label: (words: PageWords) => string;
  /** Its name in the texts of the dictionary. */
  readonly kind: 'today' | 'days' | 'month' | 'year';
  /** The number of its days, if the texts say it. */
  readonly days?: number;
  readonly first: (today: string) => string;
}

const last = (days: number): Period => ({
  label: ({ text }) => text('clicks.days', { days }),
  kind: 'days',
  days,
  first: (today) => addDays(today, 1 - days),
});

export const PERIODS = {
  today: { label: ({ text }) => text('clicks.today'), kind: 'today', first: (today) => today },
  '7d': last(7),
  '30d': last(30),
  '90d': last(90),
  month: { label: ({ text }) => text('clicks.month'), kind: 'month', first: (today) => `${today.slice(0, 8)}01` },
  '12m': { label: ({ text }) => text('clicks.year'), kind: 'year', first: (today) => yearBefore(today) },
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

/**
 * Says that a period has no clicks.
 *
 * @param isKnown false if there may have been some that are not known
 */
export function noClicks({ text, day }: PageWords, chosen: Chosen, isKnown: boolean): string {
  const key = isKnown ? 'clicks.noClicks' : 'clicks.noClicksKnown';
  if (typeof chosen === 'string') {
    const { kind, days = 0 }: Period = PERIODS[chosen];
    return text(key, { period: kind, days, from: '', to: '' });
  }
  const { from, to } = chosen;
  return text(key, { period: from === to ? 'day' : 'range', days: 0, from: day(from), to: day(to) });
}

const MAX_DAYS = { hour: 2, day: 90 } as const;

/** The unit of each bar of the chart: an hour only where hours are kept. */
export function unitOf({ from, to }: { from: string; to: string }, isFiltered: boolean): Unit {
  const days = daysBetween(from, to) + 1;
  if (days <= MAX_DAYS.hour && (!isFiltered || keepsHours(from))) return 'hour';
  return days <= MAX_DAYS.day ? 'day' : 'week';
}
