import type { Credential } from '../accounts/grants.ts';
import type { Database } from '../database/database.ts';
import type { Filters } from '../statistics/questions/filters.ts';
import type { AnsweredDay, Subject } from '../statistics/questions/questions.ts';
import { askClicks, type Statistics } from '../statistics/statistics.ts';
import type { Summed } from '../statistics/days/sums.ts';
import type { AnsweredVisitors } from '../statistics/questions/visitor-days.ts';
import { addDays, DAY_MS, dayNumberOf, HOUR_MS, LAST_DAY } from '../time/day.ts';
import { openClock, openHours } from '../time/time-zone.ts';
import { cutFormerDay, selectFormerDays, toAnsweredDay, type FormerDayRow } from './former/days.ts';
import { mergeDays } from './merged-days.ts';
import { PERMITTED, permissionOf, type Found, type Permission } from './permission.ts';
import type { StatsQuery } from './query.ts';
import { visitorDaysOf } from './visitor-days.ts';

/** Where clicks are read: the database says who may, and the object of the client has them. */
export interface ClickSources {
  readonly db: Database;
  readonly statistics: Statistics;
}

/** Whose clicks are requested: one link, a campaign, some links of the client, or all of them. */
export type StatsSubject = Subject;

/** The requested days, and the client. */
export type Range = Pick<StatsQuery, 'from' | 'to' | 'tz' | 'client_id'>;

/** A range of which only some UTC hours count, since the epoch. */
export interface CutRange extends Range {
  readonly hours?: readonly [first: number, last: number];
  /** Its breakdowns, if they are not those of the question. */
  readonly brokenBy?: readonly Summed[];
  /** Whether the visitors of its days are counted, if the question is one about those. */
  readonly withVisitors?: boolean;
}

/** What is requested of each day. */
interface DayQuestion {
  readonly by: readonly Summed[];
  readonly filters: Filters;
  /** Whether the answer is by link, which days that were counted in D1 are not. */
  readonly isByLink?: boolean;
  /** Whether the links of the subject come from the database, and need no check. */
  readonly areLinksKnown?: boolean;
  /** Whether the breakdowns of the object, except that by hour, are summed in the last of the days. */
  readonly isSummed?: boolean;
}

/** The UTC days with clicks that overlap a range, in order, and whose they are. */
export interface ReadDays extends Found {
  readonly days: readonly AnsweredDay[];
  /** The visitors, if they are asked for and some are known. */
  readonly visitors: AnsweredVisitors | null;
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
  const { clientId, isMoved, days, visitors } = await readRanges(sources, permission, subject, [range], question);
  return { clientId, isMoved, days: days[0] ?? [], visitors: visitors[0] ?? null };
}

interface ReadRanges extends Found {
  /** The days of each range. */
  readonly days: readonly (readonly AnsweredDay[])[];
  readonly visitors: readonly (AnsweredVisitors | null)[];
  /** Whether D1 had some of them. */
  readonly hasFormer: boolean;
}

/** Reads the UTC days that overlap each of some ranges, like `readDays`: with one batch, and one call of the object. */
export async function readRanges(
  { db, statistics }: ClickSources,
  permission: Permission,
  subject: StatsSubject,
  ranges: readonly CutRange[],
  { by, filters, isByLink = false, isSummed = false }: DayQuestion,
): Promise<ReadRanges> {
  const asked = ranges.map((range) => ({ ...range, utc: utcDaysOf(range) }));
  const ends = asked.flatMap(({ utc }) => utc).toSorted();
  const { kind, names, head, params, select, decide } = permission;
  const [at, from, to] = [1, 2, 3].map((index) => `?${params.length + index}`) as [string, string, string];
  const [access, former] = await db.batch<[object, FormerDayRow]>([
    select,
    selectFormerDays({ before: head, client: PERMITTED, subject: `'${kind}'`, names: at, from, to }, by, [
      ...params,
      names,
      ends[0] ?? '',
      ends.at(-1) ?? '',
    ]),
  ]);
  const found = decide(access[0]);
  const counted = former.map((row) => ({ ...toAnsweredDay(row, by), ...(isByLink && { isKnown: false }) }));
  const formerDays = counted.map(({ day }) => day);
  const questions = asked.map(({ withVisitors, hours, brokenBy, utc, ...range }) => ({
    by: brokenBy ?? by,
    filters,
    subject,
    from: dayNumberOf(utc[0]),
    to: dayNumberOf(utc[1]),
    withCarried: found.isMoved,
    isSummed,
    ...(hours && { hours }),
    visitors: withVisitors
      ? visitorDaysOf(subject, filters, [dayNumberOf(range.from), dayNumberOf(range.to)], formerDays)
      : null,
  }));
  const answered = await statistics.call(found.clientId, (object) =>
    Promise.all(questions.map((question) => askClicks(object, question))),
  );
  const days = answered.map(({ days: own }, index) => {
    if (counted.length === 0) return own;
    const { from: first, to: last, hours } = questions[index]!;
    const within = counted.filter(({ day }) => day >= first && day <= last);
    return mergeDays(hours ? within.map((day) => cutFormerDay(day, hours)) : within, own, filters);
  });
  return { ...found, days, visitors: answered.map(({ visitors }) => visitors), hasFormer: former.length > 0 };
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
