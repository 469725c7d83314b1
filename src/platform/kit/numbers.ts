const COUNTS = new Intl.NumberFormat('en-GB');
const DAYS = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });

export function formatCount(count: number): string {
  return COUNTS.format(count);
}

/** A day as people write it. @param day YYYY-MM-DD */
export function formatDay(day: string): string {
  return day === '' ? '' : DAYS.format(Date.parse(day));
}
