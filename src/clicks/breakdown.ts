import type { DayClicks } from '../statistics/questions/questions.ts';
import type { ValueClicks, Clicks, Summed } from '../statistics/days/sums.ts';
import { addDays, DAY_MS, dayNumberOf, dayOf, daysBetween, daysFrom } from '../time/day.ts';
import { openHours } from '../time/time-zone.ts';
import { utcDaysOf, type Range } from './days.ts';
import { DEFAULT_DESTINATION } from './filter-fields.ts';
import { addCounts, countsOf, type Counts } from './link-clicks.ts';
import { siteOfHost } from './referrer-sites.ts';

export interface StatsRow extends Counts {
  /** A day, an hour, a weekday or a value of the breakdown; null if it is not known. */
  readonly key: string | null;
}

/** The clicks of every day of a range. Days of a zone other than UTC are summed from the breakdown by hours. */
export function byDay(days: readonly DayClicks[], query: Range): StatsRow[] {
  const groups = new Map<string, Clicks[]>();
  if (query.tz === 'UTC') for (const row of days) groups.set(dayOf(row.day * DAY_MS), [row]);
  else for (const hour of hoursOf(days, query)) push(groups, hour.day, hour);
  return countsOf(daysFrom(dayNumberOf(query.from), Math.max(0, daysBetween(query.from, query.to) + 1)), groups);
}

/** The clicks of each hour of a range, at most 9,601 hours. */
export function byHour(days: readonly DayClicks[], query: Range): StatsRow[] {
  const groups = new Map<string, Clicks[]>();
  for (const hour of hoursOf(days, query)) push(groups, hour.text, hour);
  const [first, last] = utcDaysOf(query);
  const hoursOfDay = openHours(query.tz);
  return Array.from({ length: Math.max(0, daysBetween(first, last) + 1) }, (_, index) =>
    hoursOfDay(addDays(first, index)),
  )
    .flat()
    .filter(({ day }) => day >= query.from && day <= query.to)
    .map(({ text }) => ({ key: text, ...addCounts(groups.get(text) ?? []) }));
}

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
// The first day of the epoch was a Thursday.
const EPOCH_WEEKDAY = WEEKDAYS.indexOf('thu');

/** The clicks of each weekday of a range, from Monday to Sunday. */
export function byWeekday(days: readonly DayClicks[], query: Range): StatsRow[] {
  const rows = Map.groupBy(byDay(days, query), ({ key }) => weekdayOf(key ?? ''));
  return WEEKDAYS.map((key) => ({ key, ...addCounts(rows.get(key) ?? []) }));
}

function weekdayOf(day: string): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[(dayNumberOf(day) + EPOCH_WEEKDAY) % WEEKDAYS.length]!;
}

/** The clicks of each week of a range, from Monday to Sunday. Its key is its first day in the range. */
export function byWeek(days: readonly DayClicks[], query: Range): StatsRow[] {
  const weeks = Map.groupBy(byDay(days, query), ({ key }) => {
    const day = dayNumberOf(key ?? '');
    return day - ((day + EPOCH_WEEKDAY) % WEEKDAYS.length);
  });
  return [...weeks.values()].map((rows) => ({ key: rows[0]?.key ?? null, ...addCounts(rows) }));
}

/** The clicks of each value of a breakdown, the most clicked first. */
export function byValue(days: readonly DayClicks[], by: Summed): StatsRow[] {
  return rankValues(days.flatMap((day) => day.by[by] ?? []));
}

/**
 * `byValue`, with names. Referrers are named by their site. A click that was counted without a destination was led to that
 * of its link.
 */
export function byNamedValue(days: readonly DayClicks[], by: Summed): StatsRow[] {
  if (by === 'referrer') return rankValues(days.flatMap((day) => (day.by[by] ?? []).map(ofSite)));
  const rows = byValue(days, by);
  return by === 'destination' ? rows.map((row) => ({ ...row, key: row.key ?? DEFAULT_DESTINATION })) : rows;
}

const ofSite = (clicks: ValueClicks): ValueClicks => ({ ...clicks, value: siteOfHost(clicks.value) });

/** The clicks of each value, the most clicked first. */
export function rankValues(values: readonly ValueClicks[]): StatsRow[] {
  const groups = new Map<string, Clicks[]>();
  for (const each of values) push(groups, each.value, each);
  const rows = [...groups].map(([key, kinds]) => ({ key: key === '' ? null : key, ...addCounts(kinds) }));
  return rows.toSorted((a, b) => b.total - a.total || compareKeys(a.key ?? '', b.key ?? ''));
}

/** Orders keys by their characters, since languages take some keys that differ for the same. */
export function compareKeys(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The hours with clicks within the range, by the wall clock of the zone. An hour counts where it begins. */
function hoursOf(days: readonly DayClicks[], { tz, from, to }: Range) {
  const hoursOfDay = openHours(tz);
  return days.flatMap(({ day: utcDay, by: { hour: hours = [] } }) => {
    if (hours.length === 0) return [];
    const wallTimes = hoursOfDay(dayOf(utcDay * DAY_MS));
    return hours
      .toSorted((a, b) => Number(a.value) - Number(b.value))
      .map(({ value, ...kinds }) => ({ ...wallTimes[Number(value)]!, ...kinds }))
      .filter(({ day }) => day >= from && day <= to);
  });
}

function push(groups: Map<string, Clicks[]>, key: string, kinds: Clicks): void {
  const group = groups.get(key);
  if (group) group.push(kinds);
  else groups.set(key, [kinds]);
}
