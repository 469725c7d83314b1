/** UTC days as YYYY-MM-DD, whose alphabetical order is the order of time. */

export const HOUR_MS = 3600 * 1000;
export const DAY_MS = 24 * HOUR_MS;

/** The last day whose name has four digits for the year. */
export const LAST_DAY = '9999-12-31';

/** The last instant that a `Date` can name, in milliseconds since the epoch. */
export const LAST_INSTANT = 8.64e15;

/** The UTC day of an instant in milliseconds since the epoch. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** So many days, from one by its number on. */
export function daysFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayOf((first + index) * DAY_MS));
}

/** The day that is so many days after another. */
export function addDays(from: string, days: number): string {
  return dayOf(Date.parse(from) + days * DAY_MS);
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** The number of a day, in days since the epoch. */
export function dayNumberOf(day: string): number {
  return daysBetween('1970-01-01', day);
}
