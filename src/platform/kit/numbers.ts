import { writeUtcDay } from '../../time/utc-text.ts';

/** A whole number, with a comma before each three digits. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * A day, written for people.
 * @param day YYYY-MM-DD
 */
export function formatDay(day: string): string {
  return day === '' ? '' : writeUtcDay(Date.parse(day));
}
