import { lazy } from '../../isolate/lazy.ts';
import { DAY_MS, HOUR_MS } from '../../time/day.ts';
import { nameInstant } from './time.tsx';

/** An instant of the past, in milliseconds since the epoch, as the time since then; its title has the instant itself. */
export function RelativeTime({ at, now, timeZone }: { at: number; now: number; timeZone: string }) {
  return (
    <time datetime={new Date(at).toISOString()} title={nameInstant(at, timeZone)}>
      {nameAge(now - at)}
    </time>
  );
}

const format = lazy(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' }));

const MINUTE_MS = 60_000;
/** The longest age that each unit names, and the unit. A clock that is ahead counts as now. */
const UNITS = [
  [HOUR_MS, MINUTE_MS, 'minute'],
  [DAY_MS, HOUR_MS, 'hour'],
  [30 * DAY_MS, DAY_MS, 'day'],
  [365 * DAY_MS, 30.4375 * DAY_MS, 'month'],
  [Number.POSITIVE_INFINITY, 365.25 * DAY_MS, 'year'],
] as const;

/** @param age in milliseconds */
function nameAge(age: number): string {
  if (age < MINUTE_MS) return 'now';
  const [, length, unit] = UNITS.find(([longest]) => age < longest)!;
  return format().format(-Math.max(1, Math.floor(age / length)), unit);
}
