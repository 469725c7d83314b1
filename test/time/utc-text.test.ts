import { expect, it } from 'vitest';
import { RelativeTime } from '../../src/platform/kit/relative-time.tsx';
import { wordsIn } from '../../src/platform/words.tsx';
import { openClock } from '../../src/time/time-zone.ts';
import { toWallTime } from '../../src/time/wall-time.ts';
import { DAY_MS, HOUR_MS } from '../../src/time/day.ts';
import '../support/in-english.ts';

/** What is written without `Intl` is what `Intl` would write. */

const { count: writeCount, day: writeDay, instant: writeInstant, time: writeTime } = await wordsIn('en');

const markupOf = (element: unknown): string => String(element);

// Each day of a leap year, each at another time of day, and the ends of what an instant can be.
const START = Date.UTC(2028, 0, 1);
const DAYS = Array.from({ length: 366 }, (_, day) => START + day * DAY_MS + ((day * 7_777_777) % DAY_MS));
const INSTANTS = [...DAYS, 0, -1, Date.UTC(1000, 0, 1), Date.UTC(9999, 11, 31, 23, 59, 59, 999)];

const written = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (at: number) => format.format(at);
};
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit' } as const;

it('days, instants and times of day in UTC are written as Intl writes them', () => {
  const [day, instant, time] = [
    written(DAY),
    written({ ...DAY, ...TIME, timeZoneName: 'short' }),
    written({ ...TIME, second: '2-digit' }),
  ];
  for (const at of INSTANTS) {
    expect(writeDay(new Date(at).toISOString().slice(0, 10))).toBe(day(at));
    expect(writeInstant(at, 'UTC')).toBe(instant(at));
    expect(writeTime(at, 'UTC')).toBe(time(at));
  }
});

it('the clock of UTC shows what that of a zone with its time shows', () => {
  const [clock, other] = [openClock('UTC'), openClock('Etc/UTC')];
  for (const at of INSTANTS) {
    expect(clock(at)).toEqual(other(at));
    expect(toWallTime(at, 'UTC')).toBe(toWallTime(at, 'Etc/UTC'));
  }
});

it('counts are written as Intl writes them', () => {
  const format = new Intl.NumberFormat('en-GB');
  for (const count of [0, 1, 12, 999, 1000, 12_345, 999_999, 1_000_000, 1_234_567_890, -1000, Number.MAX_SAFE_INTEGER])
    expect(writeCount(count)).toBe(format.format(count));
});

it('the time since an instant is written as Intl writes it', () => {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
  const units = [
    ['minute', 60_000, 59],
    ['hour', HOUR_MS, 23],
    ['day', DAY_MS, 29],
    ['month', 30.4375 * DAY_MS, 11],
    ['year', 365.25 * DAY_MS, 50],
  ] as const;
  for (const [unit, length, most] of units)
    for (let count = 1; count <= most; count++) {
      const shown = markupOf(RelativeTime({ at: START, now: START + count * length + 1, timeZone: 'UTC' }));
      expect(shown).toContain(`>${format.format(-count, unit)}</time>`);
    }
});
