import type { Credential } from '../accounts/grants.ts';
import type { Filters } from '../statistics/questions/filters.ts';
import type { DayClicks } from '../statistics/questions/questions.ts';
import type { Summed } from '../statistics/days/sums.ts';
import { addDays, DAY_MS, daysBetween, HOUR_MS } from '../time/day.ts';
import { openClock } from '../time/time-zone.ts';
import { byDay, byHour, byNamedValue, byWeek, type StatsRow } from './breakdown.ts';
import { hoursOf, readRanges, type ClickSources, type CutRange, type Range, type StatsSubject } from './days.ts';
import { addCounts, type Counts } from './link-clicks.ts';
import { countLinks, isOfSums, isOfUtcDays, mostClicked, rankLinks } from './report-links.ts';
import {
  bucketsOf,
  scansByDay,
  sumCounts,
  sumInBuckets,
  visitorsByDay,
  type Buckets,
  type Days,
  type Series,
  type Unit,
} from './report-rows.ts';
import { permissionOf } from './permission.ts';
import { keepsHours } from './report-zone.ts';
import { filtersBeyondVisitorKind, withOtherRow } from './other-row.ts';
import { sharedPermission, type SharedBy } from './shared-permission.ts';
import { compareVisitors, hasVisitors, sumVisitors, type ComparedVisitors, type Visitors } from './visitor-days.ts';

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
  /** True if the scans of QR codes are counted by UTC day, which is one question more for each range. */
  readonly withScans?: boolean;
  /** The number of links that are named; 100 if left out. */
  readonly mostLinks?: number;
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
  readonly before: ReportBefore | null;
  /** The visitors of the days, where they are counted. */
  readonly visitors: ReportedVisitors | null;
  /** The scans of QR codes by people, of each row, and of the days before it; null if they are not asked for. */
  readonly scans: Series | null;
}

interface ReportBefore extends Sum {
  readonly until: number | null;
  /** The clicks before each row, at the same place; none if they are not known as far back. */
  readonly rows: readonly Counts[];
  readonly by: Report['by'];
}

interface ReportedVisitors {
  /** Null if none of the days is known. */
  readonly sum: Visitors | null;
  /** The visitors of the days that are over, and of as many days before; null if they cannot be compared. */
  readonly compared: ComparedVisitors | null;
  /** The visitors of each row, by UTC day; null if the rows are hours. */
  readonly series: Series | null;
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
  const { filters, tz, withScans = false, mostLinks: most } = query;
  const range = { ...query, hours: hoursOf(query), withVisitors: true };
  const by = query.by.filter((each) => each !== 'link' || isOfSums(subject, filters));
  const before = query.isCompared ? rangeBefore(query, range.hours) : null;
  // The sums by link of a day that is cut say nothing: those of whole days say which links to ask about.
  const whole = by.includes('link') && !isOfUtcDays(range.hours) ? { ...query, brokenBy: ['link'] as const } : null;
  const ranges: readonly (CutRange | null)[] = [
    range,
    before && { ...before, withVisitors: true },
    whole,
    withScans ? scansOf(query) : null,
    withScans && before ? scansOf(before) : null,
  ];
  const permission =
    asker.kind === 'share'
      ? sharedPermission(asker, subject)
      : permissionOf(asker, subject, query.client_id, query.areLinksKnown ?? false);
  const asked = ranges.filter((each) => each !== null);
  const { clientId, days, visitors } = await readRanges(sources, permission, subject, asked, {
    by: ['hour', ...by],
    filters,
    // Of filtered days those count that are known, one by one.
    isSummed: !filtersBeyondVisitorKind(filters),
  });
  const daysOf = (each: CutRange | null) => (each === null ? [] : (days[asked.indexOf(each)] ?? []));
  const [, ofBefore = null, , ofScans = null, ofScansBefore = null] = ranges;
  const known = sumUp(query, daysOf(range));
  const shown = { ...query, from: known.first };
  const [first, last] = range.hours;
  const hours = [Math.max(first, known.firstHour), last] as const;
  const links = query.by.includes('link')
    ? await rankLinks(sources, subject, filters, {
        clientId,
        hours,
        days: known.days,
        wholeDays: whole === null ? known.days : daysOf(whole),
        most,
      })
    : [];
  const breakdowns = query.by.map((each) => {
    const rows = each === 'link' ? links : byNamedValue(known.days, each);
    return [each, withOtherRow(rows, known.sum)] as const;
  });
  const rows = ROWS[query.unit](known.days, shown);
  const buckets = bucketsOf(query.unit, rows, query.to);
  const [people, peopleBefore] = [visitors[0] ?? null, (ofBefore && visitors[asked.indexOf(ofBefore)]) ?? null];
  const scans = (each: CutRange | null, { from, to }: Days) =>
    each === null ? [] : sumInBuckets(buckets, scansByDay(daysOf(each), from, to));
  return {
    tz,
    ...known.sum,
    rows,
    by: Object.fromEntries(breakdowns),
    before: before && {
      ...(await sumUpBefore(sources, subject, query, { clientId, before, days: daysOf(ofBefore), links, buckets })),
      until: before.until,
    },
    visitors: hasVisitors(subject, filters)
      ? {
          sum: sumVisitors(people),
          compared: before && compareVisitors(query, people, before, peopleBefore),
          series:
            query.unit === 'hour'
              ? null
              : {
                  now: sumInBuckets(buckets, visitorsByDay(people, query)),
                  before: before ? sumInBuckets(buckets, visitorsByDay(peopleBefore, before)) : [],
                },
        }
      : null,
    scans: withScans ? { now: scans(ofScans, shown), before: before ? scans(ofScansBefore, before) : [] } : null,
  };
}

/** The question about the scans of QR codes on each UTC day of a range. */
const scansOf = ({ from, to, client_id }: Range): CutRange => ({
  from,
  to,
  tz: 'UTC',
  client_id,
  brokenBy: ['via'],
  isSummed: false,
});

/** The sums, rows and breakdowns of the days before. */
async function sumUpBefore(
  sources: ClickSources,
  subject: StatsSubject,
  query: ReportQuery,
  {
    clientId,
    before,
    days,
    links,
    buckets,
  }: {
    readonly clientId: string;
    readonly before: CutRange;
    readonly days: readonly DayClicks[];
    /** The links of the days of the report. */
    readonly links: readonly StatsRow[];
    readonly buckets: Buckets;
  },
): Promise<Omit<ReportBefore, 'until'>> {
  const { filters, unit, mostLinks = MOST_COMPARED } = query;
  const known = sumUp({ ...query, ...before }, days);
  if (known.sum.filteredFrom !== null) return { ...known.sum, rows: [], by: {} };
  const hours = before.hours ?? hoursOf(before);
  const linksBefore = async () =>
    isOfSums(subject, filters) && isOfUtcDays(hours)
      ? byNamedValue(days, 'link')
      : countLinks(sources, subject, filters, { clientId, hours, names: mostClicked(links, mostLinks) });
  const rows = unit === 'hour' ? byHour(days, before) : sumCounts(buckets, byDay(days, before));
  const by: [Dimension, readonly StatsRow[]][] = [];
  for (const each of query.by) by.push([each, each === 'link' ? await linksBefore() : byNamedValue(days, each)]);
  return { ...known.sum, rows, by: Object.fromEntries(by) };
}

const MOST_COMPARED = 100;

const ROWS = { hour: byHour, day: byDay, week: byWeek } as const;

function rangeBefore(
  query: ReportQuery,
  [first]: readonly [number, number],
): CutRange & { readonly until: number | null } {
  const { from, to, tz, filters } = query;
  const days = daysBetween(from, to) + 1;
  const range = { ...query, from: addDays(from, -days), to: addDays(from, -1) };
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
