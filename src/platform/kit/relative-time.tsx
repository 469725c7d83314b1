import { DAY_MS, HOUR_MS } from '../../time/day.ts';
import { useWords } from '../words.tsx';

/** An instant of the past, in milliseconds since the epoch, as the time since then; its title has the instant itself. */
export function RelativeTime({ at, now = Date.now(), timeZone }: { at: number; now?: number; timeZone: string }) {
  return (
    <time datetime={new Date(at).toISOString()} title={useWords().instant(at, timeZone)}>
      {nameAge(now - at)}
    </time>
  );
}

const MINUTE_MS = 60_000;
/** The longest age that each unit names, the unit, and its name after a number. A clock that is ahead counts as now. */
const UNITS = [
  [HOUR_MS, MINUTE_MS, 'min.'],
  [DAY_MS, HOUR_MS, 'hr.'],
  [30 * DAY_MS, DAY_MS, 'days'],
  [365 * DAY_MS, 30.4375 * DAY_MS, 'mo.'],
  [Number.POSITIVE_INFINITY, 365.25 * DAY_MS, 'yr.'],
] as const;

/** @param age in milliseconds */
function nameAge(age: number): string {
  if (age < MINUTE_MS) return 'now';
  const [, length, unit] = UNITS.find(([longest]) => age < longest)!;
  const count = Math.max(1, Math.floor(age / length));
  if (count > 1 || length < DAY_MS) return `${count} ${unit} ago`;
  return length === DAY_MS ? 'yesterday' : `last ${unit}`;
}
