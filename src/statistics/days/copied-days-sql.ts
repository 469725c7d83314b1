import type { Day } from './day.ts';
import { DAY_IDS } from '../row-ids.ts';
import { unpackDay } from './stored-day.ts';

/** The carried days of a subject, from one to another, in days since the epoch. */
export function readCarried(sql: SqlStorage, subject: number, from: number, to: number): Map<number, Day> {
  const rows = sql.exec<{ id: number; clicks: ArrayBuffer }>(
    'SELECT id, clicks FROM carried_days WHERE id BETWEEN ?1 AND ?2',
    ...DAY_IDS.between(subject, from, to),
  );
  return new Map([...rows].map(({ id, clicks }) => [DAY_IDS.placeOf(id), unpackDay(clicks)]));
}
