import { addDays, daysBetween } from '../time/day.ts';
import { utcDaysOf, type Range } from './days.ts';
import { addCounts, type Counts } from './link-clicks.ts';
import { COUNTER_BY_LETTER } from './sums.ts';
import { openClock, openHours } from '../time/time-zone.ts';

export interface StatsRow extends Counts {
  /** A day, an hour, or a value of the breakdown; null if it is not known. */
  readonly key: string | null;
}

type Kinds = Pick<Counts, 'humans' | 'bots' | 'previews'>;

/** A UTC day's clicks with one breakdown, as JSON. */
export interface BrokenDown extends Kinds {
  readonly day: string;
  readonly breakdown: string;
}

/** The clicks of every day of a range. Days of a zone other than UTC are summed from the breakdown by hours. */
export function byDay(days: readonly BrokenDown[], query: Range): StatsRow[] {
  const groups = new Map<string, Kinds[]>();
  if (query.tz === 'UTC') for (const row of days) groups.set(row.day, [row]);
  else for (const hour of hoursOf(days, query)) push(groups, hour.day, hour);
  return Array.from({ length: daysBetween(query.from, query.to) + 1 }, (_, index) => {
    const key = addDays(query.from, index);
    return { key, ...addCounts(groups.get(key) ?? []) };
  });
}

/** The clicks of each hour of a range, at most 9,601 hours. */
export function byHour(days: readonly BrokenDown[], query: Range): StatsRow[] {
  const groups = new Map<string, Kinds[]>();
  for (const hour of hoursOf(days, query)) push(groups, hour.text, hour);
  const [first, last] = utcDaysOf(query);
  const hoursOfDay = openHours(query.tz);
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => hoursOfDay(addDays(first, index)))
    .flat()
    .filter(({ day }) => day >= query.from && day <= query.to)
    .map(({ text }) => ({ key: text, ...addCounts(groups.get(text) ?? []) }));
}

/** The clicks of each value of a breakdown, the most clicked first. */
export function byValue(days: readonly BrokenDown[]): StatsRow[] {
  const groups = new Map<string, Kinds[]>();
  for (const row of days) for (const [value, kinds] of valuesOf(row)) push(groups, value, kinds);
  const rows = [...groups].map(([key, kinds]) => ({ key: key === '' ? null : key, ...addCounts(kinds) }));
  return rows.toSorted((a, b) => b.total - a.total || (a.key ?? '').localeCompare(b.key ?? ''));
}

/** The hours with clicks within the range, by the wall clock of the zone. An hour counts where it begins. */
function hoursOf(days: readonly BrokenDown[], { tz, from, to }: Range) {
  const clock = openClock(tz);
  return days
    .flatMap((row) =>
      valuesOf(row).map(([hour, kinds]) => ({ at: Date.parse(row.day) + Number(hour) * 3_600_000, kinds })),
    )
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, kinds }) => ({ ...clock(at), ...kinds }))
    .filter(({ day }) => day >= from && day <= to);
}

function valuesOf({ breakdown }: BrokenDown): [value: string, kinds: Kinds][] {
  const values = new Map<string, { humans: number; bots: number; previews: number }>();
  for (const [key, clicks] of Object.entries<number>(JSON.parse(breakdown))) {
    const value = key.slice(2);
    const kinds = values.get(value) ?? { humans: 0, bots: 0, previews: 0 };
    kinds[COUNTER_BY_LETTER[key[0] as keyof typeof COUNTER_BY_LETTER]] += clicks;
    values.set(value, kinds);
  }
  return [...values];
}

function push(groups: Map<string, Kinds[]>, key: string, kinds: Kinds): void {
  const group = groups.get(key);
  if (group) group.push(kinds);
  else groups.set(key, [kinds]);
}
