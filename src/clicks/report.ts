import type { Credential } from '../accounts/grants.ts';
import type { Filters } from '../statistics/questions/filters.ts';
import { HOUR_DAYS } from '../statistics/days/opened-day.ts';
import type { DayClicks } from '../statistics/questions/questions.ts';
import type { Summed } from '../statistics/days/sums.ts';
import { addDays, DAY_MS, dayNumberOf, dayOf, daysBetween, HOUR_MS } from '../time/day.ts';
import { openClock } from '../time/time-zone.ts';
import { byDay, byHour, byNamedValue, byWeek, type StatsRow } from './breakdown.ts';
import { hoursOf, readRanges, type ClickSources, type CutRange, type Range, type StatsSubject } from './days.ts';
import { addCounts, type Counts } from './link-clicks.ts';
import { isOfSums, isOfUtcDays, rankLinks } from './report-links.ts';
import { permissionOf } from './permission.ts';
import { filtersBeyondVisitorKind, withOtherRow } from './other-row.ts';
import { sharedPermission, type SharedBy } from './shared-permission.ts';
import { compareVisitors, hasVisitors, sumVisitors, type ComparedVisitors, type Visitors } from './visitor-days.ts';

/** Of what a report has a row. */
export type Unit = 'hour' | 'day' | 'week';
export type Dimension = Exclude<Summed, 'hour'>;

export interface ReportQuery extends Range {
  readonly filters: Filters;
  readonly unit: Unit;
  /** The breakdowns; `link` not for one link. */
  readonly by: readonly Dimension[];
  /** True if the same number of days before is summed up too. */
  readonly isCompared: boolean;
  /** True if the links of the subject come from the database, and need no check. */
  readonly areLinksKnown?: boolean;
}

/** The sums of some days. */
interface Sum extends Counts {
  readonly from: string;
  readonly to: string;
  /** The start of the first day that is counted, in milliseconds; null if all days say what the query asks for. */
  readonly filteredFrom: number | null;
}

/** The clicks of some days in the hours of a zone: its sums, its rows and each of its breakdowns add up to the same. */
export interface Report extends Sum {
  readonly tz: string;
  /** Every hour, day or week, the oldest first. */
  readonly rows: readonly StatsRow[];
  readonly by: Readonly<Partial<Record<Dimension, readonly StatsRow[]>>>;
  /** The days before. If the last day is today, they end at the same hour, `until`, in milliseconds since the epoch. */
  readonly before: (Sum & { readonly until: number | null }) | null;
  /** The visitors of the days, where they are counted. */
  readonly visitors: ReportedVisitors | null;
}

export interface ReportedVisitors {
  /** Null if none of the days is known. */
  readonly sum: Visitors | null;
  /** The visitors of the days that are over, and of as many days before; null if they cannot be compared. */
  readonly compared: ComparedVisitors | null;
}

/**
 * Reads what a page of click statistics shows: with one call of the object, and a second one for links that are filtered or
 * whose days begin at another hour than the UTC days. Throws what `readDays` throws.
 */
export async function getReport(
  sources: ClickSources,
  asker: Credential | SharedBy,
  subject: StatsSubject,
  query: ReportQuery,
): Promise<Report> {
  const { filters, tz } = query;
  const range = { ...query, hours: hoursOf(query), withVisitors: true };
  const before = query.isCompared ? rangeBefore(query, range.hours) : null;
  const by = query.by.filter((each) => each !== 'link' || isOfSums(subject, filters));
  // The sums by link of a day that is cut say nothing: those of whole days say which links to ask about.
  const whole = by.includes('link') && !isOfUtcDays(range.hours) ? { ...query, brokenBy: ['link'] as const } : null;
  const ranges: readonly CutRange[] = [
    range,
    ...(before ? [{ ...before, withVisitors: true }] : []),
    ...(whole ? [whole] : []),
  ];
  const permission =
    asker.kind === 'share'
      ? sharedPermission(asker, subject)
      : permissionOf(asker, subject, query.client_id, query.areLinksKnown ?? false);
  const { clientId, days, visitors } = await readRanges(sources, permission, subject, ranges, {
    by: ['hour', ...by],
    filters,
    // Of filtered days those count that are known, one by one.
    isSummed: !filtersBeyondVisitorKind(filters),
  });
  const known = sumUp(query, days[0] ?? []);
  const shown = { ...query, from: known.first };
  const [first, last] = range.hours;
  const hours = [Math.max(first, known.firstHour), last] as const;
  const links = query.by.includes('link')
    ? await rankLinks(sources, subject, filters, {
        clientId,
        hours,
        days: known.days,
        wholeDays: (whole && days.at(-1)) ?? known.days,
      })
    : [];
  const breakdowns = query.by.map((each) => {
    const rows = each === 'link' ? links : byNamedValue(known.days, each);
    return [each, withOtherRow(rows, known.sum)] as const;
  });
  return {
    tz,
    ...known.sum,
    rows: ROWS[query.unit](known.days, shown),
    by: Object.fromEntries(breakdowns),
    before: before && { ...sumUp({ ...query, ...before }, days[1] ?? []).sum, until: before.until },
    visitors: hasVisitors(subject, filters)
      ? {
          sum: sumVisitors(visitors[0] ?? null),
          compared: before && compareVisitors(query, visitors[0] ?? null, before, visitors[1] ?? null),
        }
      : null,
  };
}

const ROWS = { hour: byHour, day: byDay, week: byWeek } as const;

/**
 * The zone for the days of a report: filtered clicks of older days are not kept by the hour, so that they are
 * divided by UTC days.
 *
 * @param from the first day
 */
export function zoneFor({ from, tz }: Pick<Range, 'from' | 'tz'>, filters: Filters): string {
  return filtersBeyondVisitorKind(filters) && !keepsHours(from) ? 'UTC' : tz;
}

/** True if the hours of filtered clicks are kept from a day of any zone on. */
export function keepsHours(from: string): boolean {
  return dayNumberOf(from) > dayNumberOf(dayOf(Date.now())) - HOUR_DAYS;
}

function rangeBefore(
  query: ReportQuery,
  [first]: readonly [number, number],
): CutRange & { readonly until: number | null } {
  const { from, to, tz, filters } = query;
  const days = daysBetween(from, to) + 1;
  const brokenBy: readonly Summed[] = ['hour'];
  const range = { ...query, from: addDays(from, -days), to: addDays(from, -1), brokenBy };
  const [start, end] = hoursOf(range);
  const now = Date.now();
  const isRunning = to >= openClock(tz)(now).day && (!filtersBeyondVisitorKind(filters) || keepsHours(range.from));
  const last = start + Math.floor(now / HOUR_MS) - first;
  if (!isRunning || last >= end) return { ...range, hours: [start, end], until: null };
  return { ...range, hours: [start, last], until: (last + 1) * HOUR_MS };
}

/** The days that are known in full, from the first after which all are. */
function sumUp(query: ReportQuery, days: readonly DayClicks[]) {
  const { from, to, tz, unit, filters } = query;
  const needsHours = tz !== 'UTC' || unit === 'hour';
  const unknown = filtersBeyondVisitorKind(filters)
    ? days.findLast(({ isKnown, hasHours }) => !isKnown || (needsHours && !hasHours))
    : undefined;
  const kept = unknown === undefined ? days : days.filter(({ day }) => day > unknown.day);
  const filteredFrom = unknown === undefined ? null : (unknown.day + 1) * DAY_MS;
  const first = filteredFrom === null ? from : openClock(tz)(filteredFrom).day;
  return {
    days: kept,
    first: first > from ? first : from,
    firstHour: (filteredFrom ?? 0) / HOUR_MS,
    sum: { from, to, filteredFrom, ...addCounts(kept) },
  };
}
