import { describe, expect, it } from 'vitest';
import { fromWallTime, toWallTime } from '../../src/time/wall-time.ts';

const at = (text: string) => Date.parse(text);

describe('an instant on the clocks of a zone', () => {
  it.each([
    ['2026-11-21T14:30:59Z', 'UTC', '2026-11-21T14:30'],
    ['2026-11-21T14:30:00Z', 'Europe/Paris', '2026-11-21T15:30'],
    ['2026-07-01T23:30:00Z', 'Europe/Paris', '2026-07-02T01:30'],
    ['2026-11-21T00:00:00Z', 'America/New_York', '2026-11-20T19:00'],
    ['2026-11-21T12:00:00Z', 'Asia/Kathmandu', '2026-11-21T17:45'],
    ['2026-11-21T12:00:00Z', 'Pacific/Kiritimati', '2026-11-22T02:00'],
    ['1969-12-31T23:59:59.500Z', 'UTC', '1969-12-31T23:59'],
  ])('an instant on the clocks of a zone: %s in %s is %s', (instant, zone, text) => {
    expect(toWallTime(at(instant), zone)).toBe(text);
  });
});

describe('what the clocks of a zone show', () => {
  it.each([
    ['2026-11-21T15:30', 'Europe/Paris', '2026-11-21T14:30:00Z'],
    ['2026-11-21T15:30:15', 'Europe/Paris', '2026-11-21T14:30:15Z'],
    ['2026-07-02T01:30', 'Europe/Paris', '2026-07-01T23:30:00Z'],
    ['2026-11-22T02:00', 'Pacific/Kiritimati', '2026-11-21T12:00:00Z'],
    ['2026-11-21T17:45', 'Asia/Kathmandu', '2026-11-21T12:00:00Z'],
  ])('a time on the clocks of a zone: %s in %s is %s', (text, zone, instant) => {
    expect(fromWallTime(text, zone)).toBe(at(instant));
  });

  it.each([
    ['2026-10-25T02:30', 'Europe/Paris', '2026-10-25T00:30:00Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00Z'],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00Z'],
  ])('a time that the clocks of a zone show twice, %s in %s, is the first time, %s', (text, zone, instant) => {
    expect(fromWallTime(text, zone)).toBe(at(instant));
  });

  it.each([
    ['2026-03-29T02:30', 'Europe/Paris', '2026-03-29T01:30:00Z', '2026-03-29T03:30'],
    ['2026-03-08T02:00', 'America/New_York', '2026-03-08T07:00:00Z', '2026-03-08T03:00'],
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00Z', '2026-10-04T02:45'],
  ])(
    'a time that the clocks of a zone never show, %s in %s, is %s, when they show %s',
    (text, zone, instant, shown) => {
      expect(fromWallTime(text, zone)).toBe(at(instant));
      expect(toWallTime(at(instant), zone)).toBe(shown);
    },
  );

  it.each([
    '',
    'tomorrow',
    '2026-02-31T10:00',
    '2026-13-01T10:00',
    '2026-11-21T24:30',
    '2026-11-21',
    '2026-11-21T10:00Z',
  ])('a time on the clocks of a zone is not %s', (text) => {
    expect(fromWallTime(text, 'Europe/Paris')).toBeNull();
  });

  it.each(['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'])(
    'a time on the clocks of a zone comes back as it was, through every hour of a year in %s, but for the hours shown twice',
    (zone) => {
      const start = at('2026-01-01T00:00:00Z');
      const moved = Array.from({ length: 8760 }, (_, hour) => start + hour * 3_600_000).filter(
        (instant) => fromWallTime(toWallTime(instant, zone), zone) !== instant,
      );
      expect(moved.length).toBe(zone === 'UTC' || zone === 'Asia/Kathmandu' ? 0 : 1);
    },
  );
});
