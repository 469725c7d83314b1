/**
 * Instants in UTC as British English writes them, with the texts of `Intl.DateTimeFormat`. The first format of a process
 * takes some ten milliseconds, for which the first page of an isolate would wait.
 */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** The day of an instant in milliseconds since the epoch: 21 Nov 2026. */
export function writeUtcDay(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** The time of day of an instant in milliseconds since the epoch, to the second: 14:00:05. */
export function writeUtcTime(at: number): string {
  return new Date(at).toISOString().slice(-13, -5);
}
