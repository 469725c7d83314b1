import type { Day } from './day.ts';
import { DIMENSIONS, OTHER_WORD } from '../facts.ts';
import type { AnsweredDay, Subject } from '../questions/questions.ts';
import { DAY_IDS } from '../row-ids.ts';
import type { Storage } from '../schema.ts';
import { packDay, unpackDay } from './stored-day.ts';
import { addSubjects, CLIENT, OTHER_LINK } from '../subjects.ts';
import { addCounts, SUMMED, type AnsweredValue, type Clicks, type Counts, type Summed, type Sums } from './sums.ts';
import { addWords, type NumberOf } from '../words.ts';

/**
 * Days that version 1.2.0 and older ones have counted in D1. They are copied here, and stay apart from what the object has
 * counted itself, so that a day can be copied again.
 */
export interface CarriedDay extends Pick<AnsweredDay, 'day' | 'by' | keyof Clicks> {
  readonly subject: Exclude<Subject, { readonly kind: 'links' }>;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Stores days in one transaction, each in the place of its former copy. */
export function carryDays(storage: Storage, days: readonly CarriedDay[], today: number): void {
  const { sql } = storage;
  storage.transactionSync(() => {
    const numberOf = numberValues(sql, days, today);
    for (const day of days) {
      const subject = numberOfSubject(sql, day.subject);
      const id = DAY_IDS.of(subject, day.day);
      const sums = SUMMED.flatMap((by) => {
        const values = day.by[by];
        return values === undefined ? [] : [[by, toSums(values, (value) => numberOf(by, value))] as const];
      });
      replace(sql, subject, id, { facts: [], hasHours: false, sums: new Map(sums) }, day);
    }
  });
}

/** The number of clicks of the client that were carried. */
export function countCarried(sql: SqlStorage): number {
  return sql
    .exec<{ clicks: number }>(
      'SELECT carried_humans + carried_bots + carried_previews AS clicks FROM subjects WHERE id = ?1',
      CLIENT,
    )
    .one().clicks;
}

/** Removes the carried days, if they have this number of clicks: another copy may have come meanwhile. */
export function dropCarried(storage: Storage, clicks: number): void {
  const { sql } = storage;
  storage.transactionSync(() => {
    if (countCarried(sql) !== clicks) return;
    sql.exec('DELETE FROM carried_days');
    sql.exec(`UPDATE subjects SET carried_humans = 0, carried_bots = 0, carried_previews = 0, carried_last_at = 0
      WHERE carried_last_at > 0 OR carried_humans + carried_bots + carried_previews > 0`);
  });
}

type NumberOfValue = (by: Summed, value: string) => number;

function numberValues(sql: SqlStorage, days: readonly CarriedDay[], today: number): NumberOfValue {
  const valuesOf = (by: Summed) => [...new Set(days.flatMap((day) => day.by[by]?.map(({ value }) => value) ?? []))];
  const links = addSubjects(
    sql,
    'link',
    valuesOf('link').filter((link) => link !== OTHER_WORD),
  );
  const words = new Map<Summed, NumberOf>(
    DIMENSIONS.map((dimension) => {
      const wanted = new Map(valuesOf(dimension).flatMap((word) => (word === '' ? [] : [[word, 1] as const])));
      // Visitors have not chosen these just now, so that no limit of a day holds for them.
      return [dimension, addWords(sql, dimension, wanted, today, Number.POSITIVE_INFINITY)] as const;
    }),
  );
  return (by, value) => {
    if (by === 'hour') return Number(value);
    if (by === 'link') return links.get(value) ?? OTHER_LINK;
    return words.get(by)!(value === '' ? null : value);
  };
}

function numberOfSubject(sql: SqlStorage, subject: CarriedDay['subject']): number {
  if (subject.kind === 'client') return CLIENT;
  return addSubjects(sql, subject.kind, [subject.name]).get(subject.name)!;
}

function toSums(values: readonly AnsweredValue[], numberOf: (value: string) => number): Sums {
  const sums: Sums = new Map();
  for (const { value, ...clicks } of values) {
    const number = numberOf(value);
    const known = sums.get(number);
    if (known === undefined) sums.set(number, countsOf(clicks));
    else addCounts(known, countsOf(clicks));
  }
  return sums;
}

const countsOf = ({ humans, bots, previews }: Clicks): Counts => [humans, bots, previews];

function replace(sql: SqlStorage, subject: number, id: number, day: Day, clicks: CarriedDay): void {
  const [row] = sql.exec<{ clicks: ArrayBuffer }>('SELECT clicks FROM carried_days WHERE id = ?1', id);
  const before = row === undefined ? ZERO : totalOf(unpackDay(row.clicks));
  const added = countsOf(clicks).map((count, kind) => count - before[kind]!);
  // Clicks of a day only become more: this is an older copy that has come late.
  if (added.some((count) => count < 0)) return;
  sql.exec(
    'INSERT INTO carried_days (id, clicks) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET clicks = excluded.clicks',
    id,
    packDay(day),
  );
  sql.exec(
    `UPDATE subjects SET carried_humans = carried_humans + ?2, carried_bots = carried_bots + ?3,
       carried_previews = carried_previews + ?4, carried_last_at = max(carried_last_at, ?5) WHERE id = ?1`,
    subject,
    ...added,
    clicks.lastAt,
  );
}

const ZERO: Counts = [0, 0, 0];

// Every click has an hour.
function totalOf({ sums }: Day): Counts {
  const total: Counts = [0, 0, 0];
  for (const counts of sums.get('hour')?.values() ?? []) addCounts(total, counts);
  return total;
}
