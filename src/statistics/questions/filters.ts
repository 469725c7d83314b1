import type { Day } from '../days/day.ts';
import { DIMENSIONS, KINDS, placeOf, UNKNOWN, type Dimension, type Fact, type Kind } from '../facts.ts';
import type { Counts } from '../days/sums.ts';
import { findWords } from '../words.ts';

/** The words that a click has one of, in each dimension that is named; '' is what is not known. */
export type Filters = Partial<Readonly<Record<Dimension, readonly string[]>>> & { readonly visitor?: readonly Kind[] };

/** Filters, with the numbers of their words. */
export interface Matches {
  /** True if only kinds of visitors are filtered, which sums have too. */
  readonly isPlain: boolean;
  readonly fact: (fact: Fact) => boolean;
  /** The kinds of visitors that match; null if all do. */
  readonly kinds: ReadonlySet<number> | null;
}

export function filterOf(sql: SqlStorage, { visitor, ...words }: Filters): Matches {
  const wanted = DIMENSIONS.flatMap((dimension) => {
    const list = words[dimension];
    if (list === undefined) return [];
    const known = findWords(sql, dimension, list);
    const numbers = list.flatMap((word) => (word === '' ? [UNKNOWN] : (known.get(word) ?? [])));
    return [{ place: placeOf(dimension), numbers: new Set(numbers) }];
  });
  return {
    isPlain: wanted.length === 0,
    kinds: visitor === undefined ? null : new Set(visitor.map((kind) => KINDS.indexOf(kind))),
    fact: (fact) => wanted.every(({ place, numbers }) => numbers.has(fact[place]!)),
  };
}

/** The clicks of a day that match filters that are not plain; those of a day without facts do not. */
export function matching(day: Day, { fact }: Matches): Day {
  return { facts: day.facts.filter(fact), hasHours: day.hasHours, sums: new Map() };
}

/** The counts of the kinds that match. */
export function kindsOf(counts: Counts, { kinds }: Pick<Matches, 'kinds'>): Counts {
  return kinds === null ? counts : (counts.map((clicks, kind) => (kinds.has(kind) ? clicks : 0)) as Counts);
}
