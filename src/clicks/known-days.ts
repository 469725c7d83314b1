import { addDays, DAY_MS, HOUR_MS } from '../time/day.ts';
import { openClock } from '../time/time-zone.ts';
import type { Range } from './days.ts';

/** The first day of a range that begins after a UTC day, which is not known; null if all of them do. */
export function firstDayAfter(utcDay: number, { from, tz }: Range): string | null {
  const clock = openClock(tz);
  const at = (utcDay + 1) * DAY_MS;
  const { day } = clock(at);
  // The day in which the first known hour lies is known as a whole only if it begins with that hour.
  const first = clock(at - HOUR_MS).day === day ? addDays(day, 1) : day;
  return first > from ? first : null;
}
