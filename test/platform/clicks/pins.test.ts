import { expect, it } from 'vitest';
import type { Report } from '../../../src/clicks/report.ts';
import { pinsOf, type PinEvent } from '../../../src/platform/clicks/pins.ts';
import { daysFrom, dayNumberOf } from '../../../src/time/day.ts';

const FIRST = '2026-05-01';

const reportOf = (keys: readonly string[], to: string, tz = 'UTC') =>
  ({ from: keys[0]!.slice(0, 10), to, tz, rows: keys.map((key) => ({ key })) }) as unknown as Report;

const days = (count: number) => daysFrom(dayNumberOf(FIRST), count);

const eventAt = (instant: string, kind: PinEvent['kind'] = 'edited'): PinEvent => ({
  at: Date.parse(instant),
  kind,
  name: null,
  href: null,
  by: null,
});

const placesOf = (report: Report, events: readonly PinEvent[]) =>
  pinsOf(report, events).map(({ index, events: list }) => [index, list.map(({ kind }) => kind)]);

it('a pin stands at the day of its event by the clocks of the report, and events of other days have none', () => {
  const events = [eventAt('2026-05-09T23:30:00Z'), eventAt('2026-04-30T12:00:00Z'), eventAt('2026-06-01T12:00:00Z')];
  expect(placesOf(reportOf(days(31), '2026-05-31'), events)).toEqual([[8, ['edited']]]);
  expect(placesOf(reportOf(days(31), '2026-05-31', 'Europe/Vienna'), events)).toEqual([[9, ['edited']]]);
});

it('a pin stands at the hour or the week in which its event was', () => {
  const hours = ['09', '10', '11'].map((hour) => `2026-05-01T${hour}:00:00Z`);
  expect(placesOf(reportOf(hours, FIRST), [eventAt('2026-05-01T10:59:00Z')])).toEqual([[1, ['edited']]]);
  const weeks = ['2026-05-01', '2026-05-04', '2026-05-11'];
  expect(placesOf(reportOf(weeks, '2026-05-17'), [eventAt('2026-05-10T10:59:00Z')])).toEqual([[1, ['edited']]]);
});

it('a chart has at most five pins, those of destinations and campaigns first, in the order of time', () => {
  const events = [2, 6, 10, 14, 18, 22].map((day) => eventAt(`2026-05-${String(day).padStart(2, '0')}T12:00:00Z`));
  const all = [eventAt('2026-05-26T12:00:00Z', 'destination'), ...events];
  expect(placesOf(reportOf(days(31), '2026-05-31'), all).map(([index]) => index)).toEqual([9, 13, 17, 21, 25]);
});

it('a pin has the events of days beside it, three at most, the most important first', () => {
  const events = ['edited', 'edited', 'destination', 'imported'] as const;
  const all = events.map((kind, index) => eventAt(`2026-05-1${index}T12:00:00Z`, kind));
  expect(placesOf(reportOf(days(90), '2026-07-29'), all)).toEqual([[11, ['destination', 'imported', 'edited']]]);
});
