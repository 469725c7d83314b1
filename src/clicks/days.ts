import type { Credential } from '../accounts/grants.ts';
import type { Database } from '../database/database.ts';
import type { Filters } from '../statistics/questions/filters.ts';
import type { DayClicks, Subject } from '../statistics/questions/questions.ts';
import { askClicks, type Statistics } from '../statistics/statistics.ts';
import type { Summed } from '../statistics/days/sums.ts';
import type { VisitorCounts } from '../statistics/questions/visitor-days.ts';
import { addDays, DAY_MS, dayNumberOf, HOUR_MS, LAST_DAY } from '../time/day.ts';
import { openClock, openHours } from '../time/time-zone.ts';
import { permissionOf, type Permission } from './permission.ts';
import type { StatsQuery } from './query.ts';
import { hasVisitors } from './visitor-days.ts';

/** Where clicks are read: the database says who may, and the object of the client has them. */
export interface ClickSources {
  readonly db: Database;
  readonly statistics: Statistics;
}

/** Whose clicks are requested: one link, a campaign, some links of the client, or all of them. */
export type StatsSubject = Subject;

/** The requested days, and the client. */
export type Range = Pick<StatsQuery, 'from' | 'to' | 'tz' | 'client_id'>;

/** A range in which only some UTC hours count, since the epoch. */
export interface CutRange extends Range {
  readonly hours?: readonly [first: number, last: number];
  /** Its breakdowns, if they are not those of the question. */
  readonly brokenBy?: readonly Summed[];
  /** True if the visitors of its days are counted, and the question is one about those. */
  readonly withVisitors?: boolean;
  /** Replaces that of the question. */
  readonly isSummed?: boolean;
}

/** The question about each day. */
interface DayQuestion {
  readonly by: readonly Summed[];
  readonly filters: Filters;
  /** True if the links of the subject come from the database, and need no check. */
  readonly areLinksKnown?: boolean;
  /** True if the breakdowns of the object, except that by hour, are summed in the last of the days. */
  readonly isSummed?: boolean;
}

/** The UTC days with clicks that overlap a range, in order, and whose they are. */
export interface ReadDays {
  readonly clientId: string;
  readonly days: readonly DayClicks[];
  /** The visitors, if they are asked for and some are known. */
  readonly visitors: VisitorCounts | null;
}

/**
 * Reads the UTC days that overlap a range. Another tenant's link is `not_found`; a user of several clients must name one.
 * Throws `invalid_credential`, `insufficient_scope`, `wrong_client`, `missing_field`, `invalid_link`, `not_found`, `gone`,
 * `store_unavailable`.
 */
export async function readDays(
  sources: ClickSources,
  credential: Credential,
  subject: StatsSubject,
  range: CutRange,
  question: DayQuestion,
): Promise<ReadDays> {
  const permission = permissionOf(credential, subject, range.client_id, question.areLinksKnown ?? false);
  const { clientId, days, visitors } = await readRanges(sources, permission, subject, [range], question);
  return { clientId, days: days[0] ?? [], visitors: visitors[0] ?? null };
}

interface ReadRanges {
  readonly clientId: string;
  /** The days of each range. */
  readonly days: readonly (readonly DayClicks[])[];
  readonly visitors: readonly (VisitorCounts | null)[];
}

/** Reads the UTC days that overlap each of some ranges, like `readDays`: with one query, and one call of the object. */
export async function readRanges(
  { db, statistics }: ClickSources,
  permission: Permission,
  subject: StatsSubject,
  ranges: readonly CutRange[],
  { by, filters, isSummed = false }: DayQuestion,
): Promise<ReadRanges> {
  const { select, decide } = permission;
  const [rows] = await db.batch<[object]>([select]);
  const clientId = decide(rows[0]);
  const isOfVisitors = hasVisitors(subject, filters);
  const questions = ranges.map(({ withVisitors = false, hours, brokenBy, ...range }) => {
    const [from, to] = utcDaysOf(range).map(dayNumberOf) as [number, number];
    return {
      by: brokenBy ?? by,
      filters,
      subject,
      from,
      to,
      withCarried: true as const,
      isSummed: range.isSummed ?? isSummed,
      ...(hours && { hours }),
      visitors: withVisitors && isOfVisitors ? { from: dayNumberOf(range.from), to: dayNumberOf(range.to) } : null,
    };
  });
  const found = await statistics.call(clientId, (object) =>
    Promise.all(questions.map((question) => askClicks(object, question))),
  );
  return {
    clientId,
    days: found.map(({ days }) => days),
    visitors: found.map(({ visitors }) => visitors),
  };
}

const HOURS_A_DAY = 24;

/** The UTC days that have hours of a range: days of a zone may begin in the UTC day before, and end in the one after. */
export function utcDaysOf({ from, to, tz }: Range): [first: string, last: string] {
  if (tz === 'UTC') return [from, to];
  const clock = openClock(tz);
  const [before, after] = [clock(Date.parse(from) - HOUR_MS).day, clock(Date.parse(to) + DAY_MS).day];
  const hasNext = to < LAST_DAY && after <= to;
  return [before >= from ? addDays(from, -1) : from, hasNext ? addDays(to, 1) : to];
}

/** The UTC hours of the days of a range, the first and the last, since the epoch: an hour counts where it begins. */
export function hoursOf(range: Range): readonly [first: number, last: number] {
  const { from, to, tz } = range;
  const [first, last] = utcDaysOf(range);
  const hours = openHours(tz);
  const begin = hours(first).findIndex(({ day }) => day >= from);
  const end = hours(last).findLastIndex(({ day }) => day <= to);
  return [dayNumberOf(first) * HOURS_A_DAY + begin, dayNumberOf(last) * HOURS_A_DAY + end];
}
