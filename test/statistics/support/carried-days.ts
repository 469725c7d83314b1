import { joinSums, type Day } from '../../../src/statistics/days/day.ts';
import { DIMENSIONS, OTHER_WORD } from '../../../src/statistics/facts.ts';
import type { DayClicks, Subject } from '../../../src/statistics/questions/questions.ts';
import { DAY_IDS } from '../../../src/statistics/row-ids.ts';
import type { Storage } from '../../../src/statistics/schema.ts';
import { packDay, unpackDay } from '../../../src/statistics/days/stored-day.ts';
import { addSubjects, CLIENT, OTHER_LINK } from '../../../src/statistics/subjects.ts';
import {
  addCounts,
  SUMMED,
  type ValueClicks,
  type Clicks,
  type Counts,
  type Summed,
  type Sums,
} from '../../../src/statistics/days/sums.ts';
import { addWords, type NumberOf } from '../../../src/statistics/words.ts';

/** A day of clicks that version 1.2.0 or an older one has counted in D1. */
export interface CarriedDay extends Pick<DayClicks, 'day' | 'by' | keyof Clicks> {
  readonly subject: Exclude<Subject, { readonly kind: 'links' }>;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Stores days as version 1.3.0 has copied them to the object of their client, or adds them to such days. */
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
      add(sql, subject, id, { facts: [], hasHours: false, sums: new Map(sums) }, day);
    }
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

function toSums(values: readonly ValueClicks[], numberOf: (value: string) => number): Sums {
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

function add(sql: SqlStorage, subject: number, id: number, day: Day, clicks: CarriedDay): void {
  const [row] = sql.exec<{ clicks: ArrayBuffer }>('SELECT clicks FROM carried_days WHERE id = ?1', id);
  sql.exec(
    'INSERT INTO carried_days (id, clicks) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET clicks = excluded.clicks',
    id,
    packDay(row === undefined ? day : joinSums(unpackDay(row.clicks), day)),
  );
  sql.exec(
    `UPDATE subjects SET carried_humans = carried_humans + ?2, carried_bots = carried_bots + ?3,
       carried_previews = carried_previews + ?4, carried_last_at = max(carried_last_at, ?5) WHERE id = ?1`,
    subject,
    ...countsOf(clicks),
    clicks.lastAt,
  );
}
