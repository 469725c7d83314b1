import { describe, expect, it } from 'vitest';
import { addToDay, mergeHours, NO_CLICKS, sumsOf, totalOf, type Day } from '../../../src/statistics/days/day.ts';
import {
  CLICKS,
  DIMENSIONS,
  HOUR,
  KIND,
  OTHER,
  placeOf,
  type Dimension,
  type Fact,
  LINK,
  UNKNOWN,
} from '../../../src/statistics/facts.ts';
import { packBlock, unpackBlock } from '../../../src/statistics/days/stored-block.ts';
import { packDay, unpackDay } from '../../../src/statistics/days/stored-day.ts';
import { MAX_VALUES, SUMMED } from '../../../src/statistics/days/sums.ts';

const NO_LINKS = new Map();

interface Properties extends Partial<Record<Dimension, number>> {
  readonly hour?: number;
  readonly kind?: number;
}

// Most visits name no source.
const PLAIN = { via: LINK, utm_medium: UNKNOWN, utm_campaign: UNKNOWN };

function fact({ hour = 0, kind = 0, ...rest }: Properties, clicks = 1): Fact {
  const words: Properties = { ...PLAIN, ...rest };
  return [hour, kind, ...DIMENSIONS.map((dimension) => words[dimension] ?? 2), clicks];
}

const add = (day: Day, facts: readonly Fact[], max = 5000) => addToDay(day, { facts, links: NO_LINKS }, max);
const sorted = (day: Day, by: (typeof SUMMED)[number]) => [...sumsOf(day, by)].toSorted(([a], [b]) => a - b);
const countOf = (facts: readonly Fact[]) => facts.reduce((sum, { [CLICKS]: clicks }) => sum + clicks!, 0);
const stored = (day: Day) => unpackDay(packDay(day).slice().buffer);

describe('a day', () => {
  it('a day of statistics counts facts with the same properties together', () => {
    const day = add(add(NO_CLICKS, [fact({ country: 5 }, 2)]), [
      fact({ country: 5 }),
      fact({ country: 5, kind: 1 }, 4),
    ]);
    expect(day.facts).toEqual([fact({ country: 5 }, 3), fact({ country: 5, kind: 1 }, 4)]);
    expect(sorted(day, 'country')).toEqual([[5, [3, 4, 0]]]);
    expect(totalOf(day)).toEqual([3, 4, 0]);
  });

  it('a day of statistics keeps the values that it has, and the most clicked of new ones', () => {
    const before = add(
      NO_CLICKS,
      Array.from({ length: MAX_VALUES - 1 }, (_, i) => fact({ referrer: 10 + i })),
    );
    const day = add(before, [fact({ referrer: 900 }), fact({ referrer: 901 }, 7), fact({ referrer: 902 }, 3)]);
    const sums = sumsOf(day, 'referrer');
    expect(sums.get(10)).toEqual([1, 0, 0]);
    expect([900, 901, 902, OTHER].map((value) => sums.get(value))).toEqual([
      undefined,
      [7, 0, 0],
      undefined,
      [4, 0, 0],
    ]);
    // Of each kind there are as many.
    const bots = sumsOf(add(day, [fact({ referrer: 900, kind: 1 })]), 'referrer');
    expect(bots.get(900)).toEqual([0, 1, 0]);
  });

  it('a day of statistics has exact sums when it has too many facts, which lose first what has most values', () => {
    const facts = Array.from({ length: 3000 }, (_, i) =>
      fact(
        { hour: i % 24, country: 2 + (i % 30), referrer: 2 + (i % 150), browser: 2 + (i % 7), kind: i % 3 },
        1 + (i % 5),
      ),
    );
    const day = add(NO_CLICKS, facts, 500);
    const all = add(NO_CLICKS, facts, 1_000_000);
    expect(day.facts.length).toBeLessThanOrEqual(500);
    expect(countOf(day.facts)).toBe(countOf(facts));
    for (const by of ['hour', ...DIMENSIONS] as const) expect(sorted(day, by), by).toEqual(sorted(all, by));
    expect(day.facts.every((each) => each[placeOf('device')] === 2)).toBe(true);
    const more = add(day, [fact({ country: 7, hour: 3 }, 10)], 500);
    expect(sumsOf(more, 'country').get(7)![0]).toBe(sumsOf(all, 'country').get(7)![0] + 10);
    expect(sumsOf(more, 'hour').get(3)![0]).toBe((sumsOf(all, 'hour').get(3)?.[0] ?? 0) + 10);
  });

  it('a day of statistics stays small whatever is sent: of a million words in every dimension, it keeps few', () => {
    let day = NO_CLICKS;
    for (let word = 2; word < 1_000_002; word += 10_000) {
      const facts = Array.from({ length: 10_000 }, (_, i) =>
        fact({ hour: i % 24, referrer: word + i, language: word + i, os: word + i, country: word + i, kind: i % 3 }),
      );
      day = add(day, facts);
    }
    expect(totalOf(day).reduce((a, b) => a + b)).toBe(1_000_000);
    expect(sumsOf(day, 'referrer').size).toBeLessThanOrEqual(3 * MAX_VALUES + 1);
    expect(day.facts.length).toBeLessThanOrEqual(5000);
    expect(packDay(day).length).toBeLessThan(120_000);
  });

  it('a day of statistics gives up its hours, and still says how many clicks each had', () => {
    const facts = [fact({ hour: 1 }), fact({ hour: 2 }, 2), fact({ hour: 2, country: 3 }, 4)];
    const day = mergeHours(add(NO_CLICKS, facts));
    expect(day.facts).toEqual([fact({}, 3), fact({ country: 3 }, 4)]);
    expect(sorted(day, 'hour')).toEqual([
      [1, [1, 0, 0]],
      [2, [6, 0, 0]],
    ]);
    const later = add(day, [fact({ hour: 2 }, 5)]);
    expect([later.facts[0]?.[HOUR], later.facts[0]?.[CLICKS], sumsOf(later, 'hour').get(2)]).toEqual([
      0,
      8,
      [11, 0, 0],
    ]);
    expect(totalOf(later)).toEqual([12, 0, 0]);
  });
});

describe('a stored day', () => {
  const facts = Array.from({ length: 300 }, (_, i) =>
    fact({ hour: i % 24, country: i, referrer: 70_000 + i, kind: i % 3 }, 1 + i ** 3),
  );

  it.each<[which: string, day: Day]>([
    ['without clicks', NO_CLICKS],
    ['with facts', add(NO_CLICKS, facts)],
    ['with links', addToDay(NO_CLICKS, { facts, links: new Map([[9, [1, 2, 3]]]) }, 5000)],
    ['with too many facts', add(NO_CLICKS, facts, 50)],
    ['without hours', mergeHours(add(NO_CLICKS, facts))],
  ])('a stored day %s is read as it was written', (_which, day) => {
    expect(stored(day)).toEqual(day);
  });

  it('a stored day takes some 12 bytes a fact', () => {
    const usual = Array.from({ length: 1000 }, (_, i) =>
      fact({ hour: i % 24, country: 2 + (i % 60), referrer: 2 + (i % 200) }),
    );
    const day = { ...NO_CLICKS, facts: usual };
    expect(packDay(day).length / 1000).toBeLessThan(13);
  });

  it('a stored day of a newer format is refused', () => {
    expect(() => unpackDay(new Uint8Array([9, 0, 0, 0]).buffer)).toThrow('a format that is not known');
    expect(() => unpackDay(packDay(add(NO_CLICKS, facts)).slice(0, 50).buffer)).toThrow(RangeError);
  });

  it('a stored day keeps its sums in a block of days', () => {
    const days = new Map([
      [0, add(NO_CLICKS, facts)],
      [31, add(NO_CLICKS, [fact({ hour: 23, kind: 2 }, 5_000_000)])],
      [7, addToDay(NO_CLICKS, { facts: facts.slice(0, 3), links: new Map([[400, [1, 0, 9]]]) }, 5000)],
    ]);
    const block = unpackBlock(packBlock(days).slice().buffer);
    expect([...block.keys()].toSorted((a, b) => a - b)).toEqual([0, 7, 31]);
    for (const [place, day] of days) {
      expect(totalOf(block.get(place)!)).toEqual(totalOf(day));
      for (const by of SUMMED) expect(sorted(block.get(place)!, by), by).toEqual(sorted(day, by));
    }
    expect(block.get(7)!.facts).toEqual([]);
    expect(sumsOf(block.get(31)!, 'country').get(2)).toEqual([0, 0, 5_000_000]);
    expect(fact({ kind: 1 })[KIND]).toBe(1);
  });
});
