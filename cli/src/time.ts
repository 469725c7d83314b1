import { usageFailure } from './outcome.ts';

const MILLISECONDS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;
const MAX_DAYS = 400;

/** A time as the API takes it: what is written like `7d` counts from now, anything else is for the API to read. */
export function instantOf(text: string, now = Date.now()): string {
  const [, number, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (number === undefined) return text;
  return new Date(now + Number(number) * MILLISECONDS[unit as keyof typeof MILLISECONDS]).toISOString();
}

/** The days of a period such as `30d`, `today` or `month` (this one), in a time zone, both included. */
export function daysOf(period: string, tz: string, now = Date.now()): { readonly from: string; readonly to: string } {
  const to = dayOf(now, tz);
  if (period === 'today') return { from: to, to };
  if (period === 'month') return { from: `${to.slice(0, 8)}01`, to };
  const [, number = '0', unit] = /^(\d{1,3})([dwm])$/.exec(period) ?? [];
  const days = Number(number) * (unit === 'w' ? 7 : unit === 'm' ? 30 : 1);
  if (days < 1 || days > MAX_DAYS) {
    throw usageFailure(
      `--period takes today, month, or a number of days (30d), weeks (4w) or months of 30 days (12m).`,
    );
  }
  return { from: dayBefore(to, days - 1), to };
}

function dayOf(time: number, tz: string): string {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: tz, dateStyle: 'short' }).format(time);
  } catch {
    throw usageFailure(`--tz takes a time zone such as Europe/Berlin, not "${tz}".`);
  }
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * MILLISECONDS.d).toISOString().slice(0, 10);
}
