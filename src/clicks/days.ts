import { GRANTS, grantParams, type Credential } from '../accounts/grants.ts';
import type { Database } from '../database.ts';
import { LINK_DELETED } from '../deleted-link.ts';
import { AppError } from '../errors.ts';
import type { Filters } from '../statistics/filters.ts';
import type { AnsweredDay, Subject } from '../statistics/questions.ts';
import type { Statistics } from '../statistics/statistics.ts';
import type { Summed } from '../statistics/sums.ts';
import { addDays, DAY_MS, dayNumberOf, HOUR_MS } from '../time/day.ts';
import { openClock, openHours } from '../time/time-zone.ts';
import { quote } from '../validation.ts';
import { cutFormerDay, isMoved, selectFormerDays, toAnsweredDay, type FormerDayRow } from './former/days.ts';
import { mergeDays } from './merged-days.ts';
import type { StatsQuery } from './query.ts';

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
}

/** What is requested of each day. */
export interface DayQuestion {
  readonly by: readonly Summed[];
  readonly filters: Filters;
  /** Whether the answer is by link, which days that were counted in D1 are not. */
  readonly isByLink?: boolean;
  /** Whether the links of the subject come from the database, and need no check. */
  readonly areLinksKnown?: boolean;
  /** Whether the breakdowns of the object, except that by hour, are summed in the last of the days. */
  readonly isSummed?: boolean;
}

interface AccessRow {
  readonly credential_ok: number;
  readonly clients: number;
  readonly client_id: string | null;
  readonly scope_ok: number;
  /** Whether the requested link is the client's own and was deleted. */
  readonly is_deleted: number;
  /** The first of several requested links that the client does not have. */
  readonly unknown_link: string | null;
  readonly is_moved: number;
}

/** Whose the days are, and whether all that D1 had of them are copied to the object. */
interface Found {
  readonly clientId: string;
  readonly isMoved: boolean;
}

/** The UTC days with clicks that overlap a range, in order, and whose they are. */
export interface ReadDays extends Found {
  readonly days: readonly AnsweredDay[];
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
  range: Range,
  question: DayQuestion,
): Promise<ReadDays> {
  const { clientId, isMoved, days } = await readRanges(sources, credential, subject, [range], question);
  return { clientId, isMoved, days: days[0] ?? [] };
}

interface ReadRanges extends Found {
  /** The days of each range. */
  readonly days: readonly (readonly AnsweredDay[])[];
  /** Whether D1 had some of them. */
  readonly hasFormer: boolean;
}

/** Reads the UTC days that overlap each of some ranges, like `readDays`: with one batch, and one call of the object. */
export async function readRanges(
  { db, statistics }: ClickSources,
  credential: Credential,
  subject: StatsSubject,
  ranges: readonly CutRange[],
  { by, filters, isByLink = false, isSummed = false, areLinksKnown = false }: DayQuestion,
): Promise<ReadRanges> {
  const asked = ranges.map((range) => ({ ...range, utc: utcDaysOf(range) }));
  const [first = '', last = ''] = [
    asked.map(({ utc }) => utc[0]).toSorted()[0],
    asked
      .map(({ utc }) => utc[1])
      .toSorted()
      .at(-1),
  ];
  const clientId = ranges[0]?.client_id;
  const [kind, names] = namesOf(subject);
  const params = [
    ...grantParams(credential, Date.now()),
    clientId ?? null,
    areLinksKnown ? 'known links' : subject.kind,
    JSON.stringify(names),
    first,
    last,
  ];
  const [access, former] = await db.batch<[AccessRow, FormerDayRow]>([
    { sql: SELECT_ACCESS, params: params.slice(0, -2) },
    selectFormerDays(
      { before: ASKED, client: PERMITTED, subject: `'${kind}'`, names: '?8', from: '?9', to: '?10' },
      by,
      params,
    ),
  ]);
  const found = permitted(access[0], subject, clientId);
  const questions = asked.map(({ utc: [from, to], hours, brokenBy }) => ({
    by: brokenBy ?? by,
    filters,
    subject,
    from: dayNumberOf(from),
    to: dayNumberOf(to),
    withCarried: found.isMoved,
    isSummed,
    ...(hours && { hours }),
  }));
  const own = await statistics.call(found.clientId, (object) =>
    Promise.all(questions.map((question) => object.ask(question))),
  );
  const counted = former
    .map((row) => toAnsweredDay(row, by))
    .map((day) => (isByLink ? { ...day, isKnown: false } : day));
  const days = questions.map(({ from, to, hours }, index) => {
    const within = counted.filter(({ day }) => day >= from && day <= to);
    return mergeDays(hours ? within.map((day) => cutFormerDay(day, hours)) : within, own[index] ?? [], filters);
  });
  return { ...found, days, hasFormer: former.length > 0 };
}

function namesOf(subject: StatsSubject): [kind: 'client' | 'link' | 'campaign', names: readonly string[]] {
  if (subject.kind === 'client') return ['client', ['']];
  return subject.kind === 'links' ? ['link', subject.names] : [subject.kind, [subject.name]];
}

/** The client that is asked about, and the same if the caller may ask; each has a row with null otherwise. */
export const ASKED = `${GRANTS},
  asked AS MATERIALIZED (
    SELECT CASE
      WHEN ?7 = 'link' THEN (
        SELECT client_id FROM links
        WHERE id = ?8 ->> 0 AND deleted_at IS NULL AND client_id IN (SELECT client_id FROM grants)
          AND client_id = coalesce(?6, client_id))
      WHEN ?6 IS NOT NULL THEN (SELECT client_id FROM grants WHERE client_id = ?6)
      WHEN (SELECT count(client_id) FROM grants) = 1 THEN (SELECT client_id FROM grants)
    END AS id
  ),
  permitted AS MATERIALIZED (
    SELECT (
      SELECT client_id FROM grants WHERE client_id = asked.id AND instr(permissions, ' stats:read ') > 0) AS id
    FROM asked
  )`;

export const PERMITTED = '(SELECT id FROM permitted)';

const SELECT_ACCESS = `${ASKED}
  SELECT EXISTS (SELECT 1 FROM grants) AS credential_ok, (SELECT count(client_id) FROM grants) AS clients,
    (SELECT id FROM asked) AS client_id, ${PERMITTED} IS NOT NULL AS scope_ok,
    ?7 = 'link' AND EXISTS (
      SELECT 1 FROM links WHERE id = ?8 ->> 0 AND deleted_at IS NOT NULL AND url <> '' AND client_id IN (
        SELECT client_id FROM grants
        WHERE client_id = coalesce(?6, client_id) AND instr(permissions, ' stats:read ') > 0)) AS is_deleted,
    (SELECT value FROM json_each(?8) WHERE ?7 = 'links' AND NOT EXISTS (
      SELECT 1 FROM links WHERE id = value AND deleted_at IS NULL AND client_id = ${PERMITTED}) LIMIT 1) AS unknown_link,
    ${isMoved(PERMITTED)} AS is_moved`;

const HOURS_A_DAY = 24;

/** The UTC days that have hours of a range: days of a zone may begin in the UTC day before, and end in the one after. */
export function utcDaysOf({ from, to, tz }: Range): [first: string, last: string] {
  const clock = openClock(tz);
  const [before, after] = [clock(Date.parse(from) - HOUR_MS).day, clock(Date.parse(to) + DAY_MS).day];
  return [before >= from ? addDays(from, -1) : from, after <= to ? addDays(to, 1) : to];
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

function permitted(row: AccessRow | undefined, subject: StatsSubject, clientId: string | undefined): Found {
  if (!row?.credential_ok) {
    throw new AppError('invalid_credential', 'The credential is revoked, expired or unknown. Use another one.');
  }
  if (row.scope_ok && row.client_id !== null) {
    if (row.unknown_link === null) return { clientId: row.client_id, isMoved: row.is_moved === 1 };
    throw new AppError(
      'invalid_link',
      `link must be the id of a link of the client, and ${quote(row.unknown_link)} is not.`,
    );
  }
  if (row.client_id !== null) {
    throw new AppError('insufficient_scope', 'This API key does not have the scope stats:read. Use another key.');
  }
  if (row.is_deleted) throw new AppError('gone', LINK_DELETED);
  if (subject.kind === 'link') throw new AppError('not_found', 'There is no link with this id that you can access.');
  if (clientId !== undefined || row.clients === 0) {
    throw new AppError(
      'wrong_client',
      'The credential does not belong to this client. Send the client_id that it belongs to.',
    );
  }
  throw new AppError(
    'missing_field',
    'client_id is required, since the user belongs to several clients: send one in the query.',
  );
}
