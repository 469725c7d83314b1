import type { AnsweredDay } from '../statistics/questions.ts';
import { addDays, DAY_MS } from '../time/day.ts';
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
  const { day, text } = openClock(tz)((lastUnknown.day + 1) * DAY_MS);
  // The day in which the first known hour lies is known as a whole only if it begins with that hour.
  const first = text.slice(11, 16) === '00:00' ? day : addDays(day, 1);
  return first > from ? first : null;
}
