import type { Param, Statement } from '../../database/database.ts';
import { dayNumberOf } from '../../time/day.ts';
import { OTHER_WORD } from '../../statistics/facts.ts';
import type { AnsweredDay } from '../../statistics/questions/questions.ts';
import type { AnsweredValue, Clicks, Summed } from '../../statistics/days/sums.ts';

/**
 * The days of clicks that version 1.2.0 and older ones have counted in D1. They count until all days of their client are
 * copied to its object. One release later they are deleted, and this folder with them.
 */

/** The breakdowns that those days have, with their columns. */
const COLUMN_BY: Partial<Readonly<Record<Summed, string>>> = {
  hour: 'hours',
  country: 'countries',
  referrer: 'referrers',
  browser: 'browsers',
  os: 'systems',
  device: 'devices',
  language: 'languages',
  link: 'links',
};
const BREAKDOWNS = Object.entries(COLUMN_BY) as readonly (readonly [by: Summed, column: string])[];
export const BREAKDOWN_COLUMNS = BREAKDOWNS.map(([, column]) => column);

const COUNTER_BY_LETTER = { h: 'humans', b: 'bots', p: 'previews' } as const satisfies Record<string, keyof Clicks>;

/** A row of `click_days`: breakdowns are JSON objects, `<kind letter>:<value>` to clicks. */
export interface FormerDayRow extends Readonly<Record<string, string | number>> {
  readonly day: string;
  readonly humans: number;
  readonly bots: number;
  readonly previews: number;
}

/** True if the days of a client are all copied, so that they count in its object. */
export const isMoved = (clientId: string): string =>
  `EXISTS (SELECT 1 FROM statistics_moves WHERE client_id = ${clientId} AND is_moved = 1)`;

/** A list of names, as JSON, if days of a client were counted in D1, and an empty one otherwise: its elements are rows too. */
export const namesIfCounted = (clientId: string, names: string): string =>
  `iif(NOT ${isMoved(clientId)} AND (SELECT 1 FROM click_days WHERE client_id = ${clientId} LIMIT 1), ${names}, '[]')`;

/** The columns of the breakdowns that days have, for a SELECT. */
function columnsOf(by: readonly Summed[]): string {
  const columns = by.flatMap((each) => COLUMN_BY[each] ?? []);
  return ['day', 'humans', 'bots', 'previews', ...columns].join(', ');
}

/** All columns, for a SELECT. */
export const ALL_COLUMNS = `subject, name, last_at, ${columnsOf(BREAKDOWNS.map(([by]) => by))}`;

/** @param by the breakdowns that are wanted; those that the row does not have are left out */
export function toAnsweredDay(row: FormerDayRow, by: readonly Summed[]): AnsweredDay {
  const broken = by.flatMap((each) => {
    const text = row[COLUMN_BY[each] ?? ''];
    return typeof text === 'string' ? [[each, valuesOf(text)] as const] : [];
  });
  const { humans, bots, previews } = row;
  // Days of before version 1.1 say nothing of the links.
  const isWhole = broken.every(([, values]) => countAll(values) === humans + bots + previews);
  return {
    day: dayNumberOf(row.day),
    humans,
    bots,
    previews,
    by: Object.fromEntries(broken),
    isKnown: isWhole && broken.length === by.length,
    hasHours: true,
  };
}

/** The clicks of some hours, since the epoch, of a day: what else they were is not known by the hour. */
export function cutFormerDay(day: AnsweredDay, [first, last]: readonly [first: number, last: number]): AnsweredDay {
  const start = day.day * HOURS_A_DAY;
  if (start >= first && start + HOURS_A_DAY - 1 <= last) return day;
  const hours = (day.by.hour ?? []).filter(({ value }) => {
    const hour = start + Number(value);
    return hour >= first && hour <= last;
  });
  const sum = (kind: keyof Clicks) => hours.reduce((clicks, hour) => clicks + hour[kind], 0);
  const all = { humans: sum('humans'), bots: sum('bots'), previews: sum('previews') };
  const by = Object.keys(day.by).map((name) => [name, name === 'hour' ? hours : [{ value: OTHER_WORD, ...all }]]);
  return { ...day, ...all, by: Object.fromEntries(by) };
}

const HOURS_A_DAY = 24;

const countAll = (values: readonly AnsweredValue[]): number =>
  values.reduce((sum, { humans, bots, previews }) => sum + humans + bots + previews, 0);

/** All that a row says. */
export function toWholeDay(row: FormerDayRow): AnsweredDay {
  return toAnsweredDay(
    row,
    BREAKDOWNS.map(([by]) => by),
  );
}

function valuesOf(breakdown: string): AnsweredValue[] {
  const values = new Map<string, { value: string } & Record<keyof Clicks, number>>();
  for (const [key, clicks] of Object.entries<number>(JSON.parse(breakdown))) {
    const value = key.slice(2);
    const counts = values.get(value) ?? { value, humans: 0, bots: 0, previews: 0 };
    counts[COUNTER_BY_LETTER[key[0] as keyof typeof COUNTER_BY_LETTER]] += clicks;
    values.set(value, counts);
  }
  return [...values.values()];
}

/** The parts of a SELECT of days, as SQL. */
interface FormerDays {
  /** The text before the SELECT, such as grants. */
  readonly before: string;
  /** The client; null if the caller may not ask. */
  readonly client: string;
  readonly subject: string;
  /** A JSON list. */
  readonly names: string;
  readonly from: string;
  readonly to: string;
}

/** Selects the days of some subjects, unless they are moved. */
export function selectFormerDays(
  { before, client, subject, names, from, to }: FormerDays,
  by: readonly Summed[],
  params: readonly Param[],
): Statement {
  return {
    sql: `${before}
      SELECT ${columnsOf(by)} FROM click_days
      WHERE client_id = ${client} AND subject = ${subject}
        AND name IN (SELECT value FROM json_each(${namesIfCounted(client, names)})) AND day BETWEEN ${from} AND ${to}
      ORDER BY day`,
    params,
  };
}
