import type { AnsweredDay } from '../statistics/questions/questions.ts';
import { addDays, DAY_MS, HOUR_MS } from '../time/day.ts';
import { openClock } from '../time/time-zone.ts';
import type { Range } from './days.ts';

/**
 * The day of the zone from which on every day of a range is answered in full; null if all are.
 *
 * @param needsHours whether the answer is placed by hours, which filtered clicks lose after some days
 */
export function knownFrom(days: readonly AnsweredDay[], { from, tz }: Range, needsHours: boolean): string | null {
  const lastUnknown = days.findLast(({ isKnown, hasHours }) => !isKnown || (needsHours && !hasHours));
  if (lastUnknown === undefined) return null;
  const clock = openClock(tz);
  const at = (lastUnknown.day + 1) * DAY_MS;
  const { day } = clock(at);
  // The day in which the first known hour lies is known as a whole only if it begins with that hour.
  const first = clock(at - HOUR_MS).day === day ? addDays(day, 1) : day;
  return first > from ? first : null;
}
