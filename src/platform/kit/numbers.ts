import { lazy } from '../../isolate/lazy.ts';

const counts = lazy(() => new Intl.NumberFormat('en-GB'));
const days = lazy(
  () => new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' }),
);

export function formatCount(count: number): string {
  return counts().format(count);
}

/**
 * A day, written for people.
 * @param day YYYY-MM-DD
 */
export function formatDay(day: string): string {
  return day === '' ? '' : days().format(Date.parse(day));
}
