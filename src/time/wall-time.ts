import { HOUR_MS } from './day.ts';
import { formatsWith } from './formats.ts';

/**
 * Converts between instants and the wall-clock times of an IANA zone, in the form of `datetime-local` inputs:
 * YYYY-MM-DDTHH:MM.
 */

const WALL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/** The wall-clock time of a zone at an instant, in milliseconds since the epoch, to the minute. */
export function toWallTime(at: number, timeZone: string): string {
  return new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 16);
}

/**
 * The instant, in milliseconds since the epoch, of a wall-clock time in a zone; null if the text is not a time. Of a
 * time that occurs twice it is the first. A time that is skipped is read with the offset before the change, so that
 * 02:30 in a skipped hour means 03:30. (Temporal does the same by its default "compatible".)
 */
export function fromWallTime(text: string, timeZone: string): number | null {
  const wall = WALL_TIME.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  // Date.parse reads 31 February as 3 March.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 16) !== text.slice(0, 16)) return null;
  // No zone is further than 14 hours from UTC, and none changes its offset twice within two days.
  const before = offsetAt(wall - 24 * HOUR_MS, timeZone);
  const after = offsetAt(wall + 24 * HOUR_MS, timeZone);
  const candidates = [wall - before, wall - after].filter((at) => at + offsetAt(at, timeZone) === wall);
  return candidates.length === 0 ? wall - before : Math.min(...candidates);
}

const formatOf = formatsWith('en-US', {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** The difference between the clocks of a zone and UTC at an instant, in milliseconds, as the platform says now. */
export function offsetAt(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return shown - Math.floor(at / 1000) * 1000;
}
