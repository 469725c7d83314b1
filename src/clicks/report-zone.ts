import { HOUR_DAYS } from '../statistics/days/opened-day.ts';
import type { Filters } from '../statistics/questions/filters.ts';
import { dayNumberOf, dayOf } from '../time/day.ts';
import type { Range } from './days.ts';
import { filtersBeyondVisitorKind } from './other-row.ts';

/**
 * The zone for the days of a report: filtered clicks of older days are not kept by the hour, so that they are
 * divided by UTC days.
 *
 * @param from the first day
 */
export function zoneFor({ from, tz }: Pick<Range, 'from' | 'tz'>, filters: Filters): string {
  return filtersBeyondVisitorKind(filters) && !keepsHours(from) ? 'UTC' : tz;
}

/** True if the hours of filtered clicks are kept from a day of any zone on. */
export function keepsHours(from: string): boolean {
  return dayNumberOf(from) > dayNumberOf(dayOf(Date.now())) - HOUR_DAYS;
}
