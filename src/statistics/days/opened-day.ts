import { mergeHours, NO_CLICKS, type Day } from './day.ts';
import { readState } from '../schema.ts';
import { unpackDay } from './stored-day.ts';

/** For how many days facts say the hour. */
export const HOUR_DAYS = 8;

/** Opens a day from its row; `packed` is null for a day without a row. */
export type OpenDay = (packed: ArrayBuffer | null, day: number) => Day;

export function dayOpener(sql: SqlStorage): OpenDay {
  const withHours = firstWithHours(sql);
  return (packed, day) => {
    if (packed !== null) return unpackDay(packed);
    return day < withHours ? WITHOUT_HOURS : NO_CLICKS;
  };
}

// A late click may be the first of a day whose hours the retention has merged. Such a day begins without hours.
const WITHOUT_HOURS = mergeHours(NO_CLICKS);

function firstWithHours(sql: SqlStorage): number {
  return (readState(sql, 'retained_day') ?? 0) - HOUR_DAYS;
}
