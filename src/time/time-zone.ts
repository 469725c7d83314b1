import { HOUR_MS } from './day.ts';
import { formatsWith } from './formats.ts';

/** Wall-clock times of IANA zones, from the platform's own tables. */

interface WallTime {
  /** YYYY-MM-DD */
  readonly day: string;
  /** ISO 8601 with the offset that held then: 2026-11-21T14:00:00+01:00 */
  readonly text: string;
}

/** True if the platform knows a zone of this name. */
export function isTimeZone(name: string): boolean {
  // The platform also accepts offsets such as +05:30 as zones.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== undefined;
  } catch {
    return false;
  }
}

/** A clock for one zone: gives the wall time of an instant in milliseconds since the epoch. */
export function openClock(timeZone: string): (at: number) => WallTime {
  // Most users have it, and it needs none of the platform's tables.
  if (timeZone === 'UTC') return inUtc;
  const format = formatOf(timeZone);
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const day = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
    const offset = parts
      .get('timeZoneName')
      ?.replace(/^GMT(\+00:00)?$/, 'Z')
      .replace('GMT', '');
    return { day, text: `${day}T${parts.get('hour')}:${parts.get('minute')}:00${offset}` };
  };
}

const formatOf = formatsWith('en-US', {
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'longOffset',
});

function inUtc(at: number): WallTime {
  const text = new Date(at).toISOString();
  return { day: text.slice(0, 10), text: `${text.slice(0, 16)}:00Z` };
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * Gives the wall times at which the 24 hours of a UTC day begin. On most days the offset does not change, and is looked
 * up only once, since each look-up is expensive.
 */
export function openHours(timeZone: string): (utcDay: string) => readonly WallTime[] {
  const clock = openClock(timeZone);
  return (utcDay) => {
    const start = Date.parse(utcDay);
    const [first, next] = [clock(start), clock(start + HOURS.length * HOUR_MS)];
    const [wallTime, offset] = [first.text.slice(0, 19), first.text.slice(19)];
    if (next.text.slice(19) !== offset) return HOURS.map((hour) => clock(start + hour * HOUR_MS));
    return HOURS.map((hour) => {
      const text = new Date(Date.parse(`${wallTime}Z`) + hour * HOUR_MS).toISOString().slice(0, 19);
      return { day: text.slice(0, 10), text: `${text}${offset}` };
    });
  };
}
