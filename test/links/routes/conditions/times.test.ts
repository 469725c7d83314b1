import { describe, expect, it } from 'vitest';
import { compileCondition } from '../../../../src/links/routes/conditions/table.ts';
import { holds, parseCondition, visitorOf, wordsOf } from '../../../support/visitors.ts';

/** The conditions about the time of a visit. */

const at = (text: string) => ({ at: Date.parse(text) });
const held = (condition: object, times: readonly string[]) => times.filter((time) => holds(condition, at(time)));

describe('a condition about the date', () => {
  const TIMES = [
    '1969-12-31T23:59:59Z',
    '2026-12-31T22:59:59.999Z',
    '2026-12-31T23:00:00Z',
    '2027-01-01T00:00:00Z',
    '2027-02-01T11:59:59.999Z',
    '2027-02-01T12:00:00Z',
    '2030-01-01T00:00:00Z',
  ];
  const from = '2027-01-01T00:00:00+01:00';
  const until = '2027-02-01T12:00:00Z';

  it.each([
    [{ from }, TIMES.slice(2)],
    [{ until }, TIMES.slice(0, 5)],
    [{ from, until }, TIMES.slice(2, 5)],
  ])('a condition about the date holds from its first instant until the end: %j', (bounds, fitting) => {
    const condition = { type: 'date', ...bounds };
    expect(held(condition, TIMES)).toEqual(fitting);
    expect(held({ ...condition, not: true }, TIMES)).toEqual(TIMES.filter((time) => !fitting.includes(time)));
  });

  it('a condition about the date is stored in UTC, which reads back as the same', () => {
    const stored = { type: 'date', from: '2026-12-31T23:00:00.000Z', until: '2027-02-01T12:00:00.000Z', not: true };
    const parsed = parseCondition({ type: 'date', from, until, not: true });
    expect(parsed).toEqual(stored);
    expect(parseCondition(parsed)).toEqual(stored);
  });

  it.each([
    [{}, 'missing_field', 'from is required if until is left out.'],
    [
      { from: '2027-01-01T00:00:00' },
      'invalid_rules',
      'from must be an ISO 8601 instant such as 2027-01-01T00:00:00Z.',
    ],
    [
      { until: '2027-02-30T00:00:00Z' },
      'invalid_rules',
      'until must be an ISO 8601 instant such as 2027-01-01T00:00:00Z.',
    ],
    [{ until: 1_800_000_000_000 }, 'invalid_rules', 'until must be a string.'],
    [{ from: until, until: from }, 'invalid_rules', 'until must be after from.'],
    [{ from: until, until }, 'invalid_rules', 'until must be after from.'],
    [{ from: '1969-12-31T23:59:59Z' }, 'invalid_rules', 'from must be 1970 or later.'],
    [{ until: '9999-12-31T23:59:59-01:00' }, 'invalid_rules', 'until must be from the year 0000 to 9999 in UTC.'],
  ])('a condition about the date is refused: %j', (bounds, code, complaint) => {
    expect(() => parseCondition({ type: 'date', ...bounds })).toThrow(
      expect.objectContaining({ code, message: `rules.0.if.0.${complaint}` }),
    );
  });

  it.each([
    [{ from }, 'the time is at or after 2026-12-31 23:00 UTC', 'the time is before 2026-12-31 23:00 UTC'],
    [
      { until: '2027-02-01T12:00:30.5Z' },
      'the time is before 2027-02-01 12:00:30.500 UTC',
      'the time is at or after 2027-02-01 12:00:30.500 UTC',
    ],
    [
      { from: '2027-02-01T12:00:30Z' },
      'the time is at or after 2027-02-01 12:00:30 UTC',
      'the time is before 2027-02-01 12:00:30 UTC',
    ],
    [
      { from, until },
      'the time is at or after 2026-12-31 23:00 UTC and before 2027-02-01 12:00 UTC',
      'the time is before 2026-12-31 23:00 UTC, or at or after 2027-02-01 12:00 UTC',
    ],
  ])('a condition about the date has a sentence in words: %j', (bounds, words, negated) => {
    expect(wordsOf({ type: 'date', ...bounds })).toBe(words);
    expect(wordsOf({ type: 'date', ...bounds, not: true })).toBe(negated);
  });
});

describe('a condition about the hours', () => {
  const office = { type: 'hours', days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', until: '17:00' };
  const berlin = { ...office, tz: 'Europe/Berlin' };
  // 2026-11-20 was a Friday.
  const night = { type: 'hours', days: ['fri', 'sun'], from: '22:00', until: '06:30', tz: 'UTC' };

  it('a condition about the hours holds on the clocks and the days of its zone', () => {
    const times = [
      '2026-11-20T07:59:59.999Z',
      '2026-11-20T08:00:00Z',
      '2026-11-20T15:59:59.999Z',
      '2026-11-20T16:00:00Z',
      '2026-11-21T09:00:00Z',
      '2026-07-03T07:00:00Z',
      '2026-07-03T15:00:00Z',
    ];
    expect(held(berlin, times)).toEqual([times[1], times[2], times[5]]);
    expect(held({ ...berlin, not: true }, times)).toEqual([times[0], times[3], times[4], times[6]]);
    // Sunday afternoon in New York is Monday morning in Auckland.
    expect(held({ ...office, tz: 'Pacific/Auckland' }, ['2026-11-22T20:30:00Z', '2026-11-27T04:30:00Z'])).toEqual([
      '2026-11-22T20:30:00Z',
    ]);
  });

  it('a condition about the hours goes over midnight if it ends before it begins, and counts for the day on which it began', () => {
    const times = [
      '2026-11-20T05:00:00Z',
      '2026-11-20T21:59:00Z',
      '2026-11-20T22:00:00Z',
      '2026-11-21T06:29:59Z',
      '2026-11-21T06:30:00Z',
      '2026-11-21T23:00:00Z',
      '2026-11-22T23:00:00Z',
      '2026-11-23T06:00:00Z',
      '2026-11-23T23:00:00Z',
    ];
    expect(held(night, times)).toEqual([times[2], times[3], times[6], times[7]]);
    expect(held({ ...night, until: '00:00' }, times)).toEqual([times[2], times[6]]);
  });

  it('a condition about the hours without days holds every day', () => {
    const daily = { type: 'hours', from: '23:59', until: '00:01', tz: 'UTC' };
    const days = Array.from({ length: 7 }, (_, day) => `2026-11-2${day}`);
    const times = days.flatMap((day) => [
      `${day}T00:00:30Z`,
      `${day}T00:01:00Z`,
      `${day}T23:58:59Z`,
      `${day}T23:59:00Z`,
    ]);
    expect(held(daily, times)).toEqual(times.filter((time) => /00:00:30|23:59:00/.test(time)));
  });

  it('a condition about the hours is asked again for each visit, in any order', () => {
    const times = ['2026-11-20T08:30:00Z', '2026-11-20T20:30:00Z', '2026-11-20T08:30:00Z', '1969-12-31T09:00:00Z'];
    const holdsAt = compileCondition(parseCondition(berlin));
    expect(times.map((time) => holdsAt(visitorOf(at(time))))).toEqual([true, false, true, true]);
  });

  it('a condition about the hours is stored with its days in the order of the week, each once', () => {
    const days = ['sun', 'mon', 'sun', 'tue'];
    const stored = { ...berlin, days: ['mon', 'tue', 'sun'], not: true };
    expect(parseCondition({ ...berlin, days, not: true })).toEqual(stored);
    expect(parseCondition(stored)).toEqual(stored);
  });

  it.each([
    [{ days: [] }, 'days must contain 1 to 7 days.'],
    [{ days: ['mon', 'Tuesday'] }, 'days.1 must be one of mon, tue, wed, thu, fri, sat, sun.'],
    [{ days: Array.from({ length: 8 }, () => 'mon') }, 'days must contain 1 to 7 days.'],
    [{ from: '9:00' }, 'from must be a time from 00:00 to 23:59.'],
    [{ until: '24:00' }, 'until must be a time from 00:00 to 23:59.'],
    [{ until: '17:00:00' }, 'until must be a time from 00:00 to 23:59.'],
    [{ until: '09:00' }, 'until must not be the same as from.'],
    [{ tz: 'Europe/Utopia' }, 'tz must be an IANA time zone such as Europe/Berlin.'],
    [{ tz: '+01:00' }, 'tz must be an IANA time zone such as Europe/Berlin.'],
    [{ tz: 'x'.repeat(100_000) }, 'tz must be an IANA time zone such as Europe/Berlin.'],
  ])('a condition about the hours with %j is refused', (change, complaint) => {
    expect(() => parseCondition({ ...berlin, ...change })).toThrow(
      expect.objectContaining({ code: 'invalid_rules', message: `rules.0.if.0.${complaint}` }),
    );
  });

  it('a condition about the hours needs from, until and the zone', () => {
    for (const name of ['from', 'until', 'tz'] as const) {
      const { [name]: _left, ...rest } = berlin;
      expect(() => parseCondition(rest)).toThrow(
        expect.objectContaining({ code: 'missing_field', message: `rules.0.if.0.${name} is required.` }),
      );
    }
  });

  it('a condition about the hours has a sentence in words', () => {
    const days = 'Monday, Tuesday, Wednesday, Thursday or Friday';
    expect(wordsOf(berlin)).toBe(`the time is from 09:00 until 17:00 on ${days} (Europe/Berlin)`);
    expect(wordsOf({ ...night, days: undefined, not: true })).toBe('the time is not from 22:00 until 06:30 (UTC)');
  });
});
