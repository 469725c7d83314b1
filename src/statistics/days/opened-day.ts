import { mergeHours, NO_CLICKS, type Day } from './day.ts';
import { readState } from '../schema.ts';
import { unpackDay } from './stored-day.ts';

/** For how many days facts say the hour. */
export const HOUR_DAYS = 8;

/** Opens a day of which the row was read; null for a day without a row. */
export type OpenDay = (packed: ArrayBuffer | null, day: number) => Day;

/** A late click may be the first of a day whose hours the retention has merged. Such a day begins without hours. */
export function dayOpener(sql: SqlStorage): OpenDay {
  const firstWithHours = (readState(sql, 'retained_day') ?? 0) - HOUR_DAYS;
  return (packed, day) => {
    if (packed !== null) return unpackDay(packed);
    return day < firstWithHours ? mergeHours(NO_CLICKS) : NO_CLICKS;
  };
}
