import { afterEach, describe, expect, it, vi } from 'vitest';
import { minuteOfWeek } from '../../src/time/minute-of-week.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const at = (text: string) => Date.parse(text);

describe('the minute of a week', () => {
  const of = (day: number, hour: number, minute: number) => (day * 24 + hour) * 60 + minute;

  it.each([
    ['2026-11-23T00:00:00Z', 'UTC', of(0, 0, 0)],
    ['2026-11-22T23:59:59.999Z', 'UTC', of(6, 23, 59)],
    ['2026-11-22T23:30:00Z', 'Europe/Paris', of(0, 0, 30)],
    ['2026-11-23T00:30:00Z', 'America/New_York', of(6, 19, 30)],
    ['2026-07-01T12:00:00Z', 'Asia/Kathmandu', of(2, 17, 45)],
    ['2026-03-29T00:59:00Z', 'Europe/Paris', of(6, 1, 59)],
    ['2026-03-29T01:00:00Z', 'Europe/Paris', of(6, 3, 0)],
    ['1969-12-29T00:01:00Z', 'UTC', of(0, 0, 1)],
  ])('the minute of a week at %s in %s is %i', (instant, zone, minute) => {
    expect(minuteOfWeek(at(instant), zone)).toBe(minute);
  });

  it('the minute of a week is that of its own zone, however many zones were asked for', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const noon = at('2026-11-23T12:00:00Z');
    const format = (timeZone: string) =>
      new Intl.DateTimeFormat('en', {
        timeZone,
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      });
    const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
    const shown = (zone: string) => {
      const [day = '', time = ''] = format(zone).format(noon).split(' ');
      const [hour = 0, minute = 0] = time.split(':').map(Number);
      return of(days.indexOf(day), hour, minute);
    };
    expect(zones.length).toBeGreaterThan(300);
    expect(zones.map((zone) => [zone, minuteOfWeek(noon, zone)])).toEqual(zones.map((zone) => [zone, shown(zone)]));
  });
});

describe('what the platform is asked', () => {
  const ZONES = Intl.supportedValuesOf('timeZone').map((zone) => zone.toLowerCase());

  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('the platform is asked nothing for 180 zones that were asked for before, in the same minute and in the next 24 hours', () => {
    vi.setSystemTime('2031-01-15T10:30:30Z');
    const start = Date.now();
    const zones = ZONES.slice(0, 180);
    for (const zone of zones) minuteOfWeek(Date.now(), zone);
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    const created = vi.spyOn(Intl, 'DateTimeFormat');
    for (let minutes = 0; minutes < 24 * 60; minutes += 1) {
      vi.setSystemTime(start + minutes * MINUTE_MS);
      for (const zone of zones) minuteOfWeek(Date.now(), zone);
    }
    expect([asked.mock.calls.length, created.mock.calls.length]).toEqual([0, 0]);
  });

  it('the offsets of zones that were first asked for by one visit are asked again over a day', () => {
    vi.setSystemTime('2031-06-15T10:30:30Z');
    for (const zone of ZONES) minuteOfWeek(Date.now(), zone);
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    const start = Date.now();
    const perMinute = Array.from({ length: 2 * 24 * 60 }, (_, minutes) => {
      const before = asked.mock.calls.length;
      vi.setSystemTime(start + (minutes + 1) * MINUTE_MS);
      for (const zone of ZONES) minuteOfWeek(Date.now(), zone);
      return asked.mock.calls.length - before;
    });
    expect(Math.max(...perMinute)).toBeLessThan(40);
    expect(perMinute.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2 * ZONES.length - 1);
  });

  it('the platform is asked for the minute at which clocks change, to the minute', () => {
    const changes = [
      ['2031-03-30T01:00:00Z', 'europe/paris', 60],
      ['2031-10-26T01:00:00Z', 'europe/paris', -60],
      ['2031-03-09T07:00:00Z', 'america/new_york', 60],
      ['2031-04-05T15:00:00Z', 'australia/lord_howe', -30],
    ] as const;
    for (const [instant, zone, minutes] of changes) {
      // From each hour before, since the time for which an offset is kept begins with the first question.
      for (let hours = 1; hours <= 50; hours += 7) {
        const start = at(instant) - hours * 3_600_000;
        vi.setSystemTime(start - 10 * DAY_MS);
        minuteOfWeek(Date.now(), zone);
        vi.setSystemTime(start);
        minuteOfWeek(Date.now(), zone);
        const [before, after] = [at(instant) - 1, at(instant)].map((now) => {
          vi.setSystemTime(now);
          return minuteOfWeek(now, zone);
        });
        expect([zone, hours, after! - before!]).toEqual([zone, hours, 1 + minutes]);
      }
    }
  });

  it('the offset of a zone is not forgotten for a preview visit of another time', () => {
    vi.setSystemTime('2031-01-15T10:30:30Z');
    const now = Date.now();
    const shown = minuteOfWeek(now, 'asia/tokyo');
    minuteOfWeek(at('2040-01-01T00:00:00Z'), 'asia/tokyo');
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    expect(minuteOfWeek(now, 'asia/tokyo')).toBe(shown);
    expect(asked).not.toHaveBeenCalled();
  });

  it.each(['mars/base', '', 'europe/berlin '])('the zone "%s" is an error', (zone) => {
    expect(() => minuteOfWeek(Date.now(), zone)).toThrow(RangeError);
  });
});
