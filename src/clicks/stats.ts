import { GRANTS, grantParams, type Credential } from '../accounts/grants.ts';
import type { Database } from '../database.ts';
import { AppError } from '../errors.ts';
import { addCounts, type Counts } from './link-clicks.ts';
import { addDays, daysBetween } from './day.ts';
import type { StatsQuery } from './query.ts';
import { COLUMN_BY_DIMENSION, COUNTER_BY_LETTER, type Subject } from './sums.ts';
import { openClock } from './time-zone.ts';

/** Clicks of a link, a campaign or a client in a range of days, broken down. */
export interface Stats extends Counts {
  readonly by: StatsQuery['by'];
  readonly from: string;
  readonly to: string;
  readonly tz: string;
  /** Every day of the range, or the hours with clicks, in order; else values, the most clicked first. */
  readonly rows: readonly StatsRow[];
}

export interface StatsRow extends Counts {
  /** A day, an hour, or a value of the breakdown; null where it is not known. */
  readonly key: string | null;
}

/** Whose clicks are asked for: `name` is a link's id, a campaign's name, or '' for the client. */
export interface StatsSubject {
  readonly subject: Subject;
  readonly name: string;
}

interface AccessRow {
  readonly credential_ok: number;
  readonly clients: number;
  readonly client_id: string | null;
  readonly scope_ok: number;
}

interface DayRow {
  readonly day: string;
  readonly humans: number;
  readonly bots: number;
  readonly previews: number;
  /** A `Breakdown` as JSON: the one that was asked for, or an empty one. */
  readonly breakdown: string;
}

/**
 * Answers a question about clicks in one round trip, reading one row a day. Another tenant's link is `not_found`; a
 * user of several clients must say which. Throws `invalid_credential`, `wrong_client`, `missing_field`, `not_found`,
 * `store_unavailable`.
 */
export async function getStats(
  db: Database,
  credential: Credential,
  { subject, name }: StatsSubject,
  query: StatsQuery,
): Promise<Stats> {
  const isUtc = query.tz === 'UTC';
  const [first, last] = utcDaysOf(query);
  // A column's name of ours, or a constant: never a caller's word.
  const breakdown = query.by === 'day' && isUtc ? `'{}'` : COLUMN_BY_DIMENSION[query.by === 'day' ? 'hour' : query.by];
  const params = [...grantParams(credential, Date.now()), query.client_id ?? null, subject, name];
  const client = `(
    SELECT CASE
      WHEN ?7 = 'link' THEN (
        SELECT client_id FROM links
        WHERE id = ?8 AND deleted_at IS NULL AND client_id IN (SELECT client_id FROM grants) AND client_id = coalesce(?6, client_id))
      WHEN ?6 IS NOT NULL THEN (SELECT client_id FROM grants WHERE client_id = ?6)
      WHEN (SELECT count(client_id) FROM grants) = 1 THEN (SELECT client_id FROM grants)
    END)`;
  const permitted = `(
    SELECT client_id FROM grants WHERE client_id = ${client} AND instr(permissions, ' stats:read ') > 0)`;
  const [access, days] = await db.batch<[AccessRow, DayRow]>([
    {
      sql: `${GRANTS}
        SELECT EXISTS (SELECT 1 FROM grants) AS credential_ok, (SELECT count(client_id) FROM grants) AS clients,
          ${client} AS client_id, ${permitted} IS NOT NULL AS scope_ok`,
      params,
    },
    {
      sql: `${GRANTS}
        SELECT day, humans, bots, previews, ${breakdown} AS breakdown FROM click_days
        WHERE client_id = ${permitted} AND subject = ?7 AND name = ?8 AND day BETWEEN ?9 AND ?10
        ORDER BY day`,
      params: [...params, first, last],
    },
  ]);
  refuse(access[0], subject, query);
  const rows = breakDown(days, query);
  return { by: query.by, from: query.from, to: query.to, tz: query.tz, ...addCounts(rows), rows };
}

// East of Greenwich a day begins in the UTC day before; west of it, it ends in the one after.
function utcDaysOf({ from, to, tz }: StatsQuery): [first: string, last: string] {
  const clock = openClock(tz);
  const offset = (day: string) => clock(Date.parse(day)).text.at(-6);
  return [offset(from) === '+' ? addDays(from, -1) : from, offset(to) === '-' ? addDays(to, 1) : to];
}

function refuse(row: AccessRow | undefined, subject: Subject, query: StatsQuery): void {
  if (!row?.credential_ok) {
    throw new AppError('invalid_credential', 'The credential is revoked, expired or unknown. Use another one.');
  }
  if (row.scope_ok) return;
  if (row.client_id !== null) {
    throw new AppError('insufficient_scope', 'This API key has not the scope stats:read. Use another key.');
  }
  if (subject === 'link') throw new AppError('not_found', 'None of your clients has a link with this id.');
  if (query.client_id !== undefined || row.clients === 0) {
    throw new AppError('wrong_client', 'The credential does not belong to this client. Name its own client_id.');
  }
  throw new AppError('missing_field', 'client_id is required of a user of several clients: name one in the query.');
}

function breakDown(days: readonly DayRow[], query: StatsQuery): StatsRow[] {
  switch (query.by) {
    case 'day':
      return byDay(days, query);
    case 'hour':
      return byHour(days, query);
    default:
      return byValue(days);
  }
}

function byDay(days: readonly DayRow[], query: StatsQuery): StatsRow[] {
  const groups = new Map<string, Kinds[]>();
  if (query.tz === 'UTC') for (const row of days) groups.set(row.day, [row]);
  else for (const hour of hoursOf(days, query)) push(groups, hour.day, hour);
  return Array.from({ length: daysBetween(query.from, query.to) + 1 }, (_, index) => {
    const key = addDays(query.from, index);
    return { key, ...addCounts(groups.get(key) ?? []) };
  });
}

function byHour(days: readonly DayRow[], query: StatsQuery): StatsRow[] {
  const groups = new Map<string, Kinds[]>();
  for (const hour of hoursOf(days, query)) push(groups, hour.text, hour);
  return [...groups].map(([key, hours]) => ({ key, ...addCounts(hours) }));
}

function byValue(days: readonly DayRow[]): StatsRow[] {
  const groups = new Map<string, Kinds[]>();
  for (const row of days) for (const [value, kinds] of valuesOf(row)) push(groups, value, kinds);
  const rows = [...groups].map(([key, kinds]) => ({ key: key === '' ? null : key, ...addCounts(kinds) }));
  return rows.toSorted((a, b) => b.total - a.total || (a.key ?? '').localeCompare(b.key ?? ''));
}

type Kinds = Pick<Counts, 'humans' | 'bots' | 'previews'>;

/** The hours with clicks, by the wall clock of the zone, that fall into the range. An hour belongs to its beginning. */
function hoursOf(days: readonly DayRow[], { tz, from, to }: StatsQuery) {
  const clock = openClock(tz);
  return days
    .flatMap((row) =>
      valuesOf(row).map(([hour, kinds]) => ({ at: Date.parse(row.day) + Number(hour) * 3_600_000, kinds })),
    )
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, kinds }) => ({ ...clock(at), ...kinds }))
    .filter(({ day }) => day >= from && day <= to);
}

function valuesOf({ breakdown }: DayRow): [value: string, kinds: Kinds][] {
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
