import {
  CLICKS,
  FORMER_DIMENSIONS,
  HOUR,
  KIND,
  KINDS,
  LINK,
  OTHER,
  placeOf,
  QR,
  SOURCE_DIMENSIONS,
  type Fact,
} from '../facts.ts';

/**
 * By what the clicks of a day are summed; `link` only for those of a whole client. Rows name each by its place, and those
 * of version 1.3.0 end at `link`.
 */
export const SUMMED = ['hour', ...FORMER_DIMENSIONS, 'link', ...SOURCE_DIMENSIONS] as const;
export type Summed = (typeof SUMMED)[number];

export const EVERY_SUM: ReadonlySet<Summed> = new Set(SUMMED);

/** Clicks by kind, in the order of `KINDS`. */
export type Counts = [humans: number, bots: number, previews: number];

/** Clicks by kind, as they leave the object. */
export interface Clicks {
  readonly humans: number;
  readonly bots: number;
  readonly previews: number;
}

/** The clicks of an hour, a word or a link. */
export interface ValueClicks extends Clicks {
  readonly value: string;
}

export function toClicks([humans, bots, previews]: Counts): Clicks {
  return { humans, bots, previews };
}

/** Clicks by the number of a value: an hour, a word, or a link. */
export type Sums = Map<number, Counts>;

/** The number of values of each kind that a day keeps in each dimension; clicks of further values count as `other`. */
export const MAX_VALUES = 200;

/** Counts clicks of a value. */
export function countIn(sums: Sums, value: number, kind: number, clicks: number): void {
  const known = sums.get(value);
  if (known !== undefined) known[kind as 0] += clicks;
  else sums.set(value, KINDS.map((_, each) => (each === kind ? clicks : 0)) as Counts);
}

/** Adds counts to others, which change. */
export function addCounts(sum: Counts, added: Counts): void {
  for (const kind of KINDS.keys()) sum[kind as 0] += added[kind as 0];
}

/** Sums facts by hour or by a dimension. */
export function sumFacts(facts: readonly Fact[], by: Exclude<Summed, 'link'>): Sums {
  const sums: Sums = new Map();
  addFacts(sums, facts, by);
  return sums;
}

/** Adds facts to sums by hour or by a dimension, which change. */
export function addFacts(sums: Sums, facts: readonly Fact[], by: Exclude<Summed, 'link'>): void {
  const place = by === 'hour' ? HOUR : placeOf(by);
  for (const fact of facts) countIn(sums, fact[place]!, fact[KIND]!, fact[CLICKS]!);
}

/** Adds sums to others, which stay unchanged. */
export function addSums(sums: Sums, added: Sums): Sums {
  const both: Sums = new Map([...sums].map(([value, counts]) => [value, [...counts]]));
  for (const [value, counts] of added)
    for (const [kind, clicks] of counts.entries()) countIn(both, value, kind, clicks);
  return both;
}

/** The values that need no place: `other`, and what the service itself says. */
const PLACELESS: Partial<Readonly<Record<Summed, ReadonlySet<number>>>> = { via: new Set([OTHER, LINK, QR]) };
const ONLY_OTHER: ReadonlySet<number> = new Set([OTHER]);

/** Adds sums to others as far as there is place for their values. */
export function addLimited(before: Sums, added: Sums, by: Summed): Sums {
  const excess = excessOf(before, added, by);
  if (excess === null) return addSums(before, added);
  const limited: Sums = new Map();
  for (const [value, counts] of added) {
    for (const [kind, clicks] of counts.entries()) {
      if (clicks > 0) countIn(limited, excess[kind]!.has(value) ? OTHER : value, kind, clicks);
    }
  }
  return addSums(before, limited);
}

/**
 * The values for which there is no place, in a set for each kind; null if there is one for all. Values that are there stay;
 * new ones fill the remaining places, the most clicked first.
 */
export function excessOf(before: Sums, added: Sums, by: Summed): readonly ReadonlySet<number>[] | null {
  if (before.size + added.size <= MAX_VALUES) return null;
  const placeless = PLACELESS[by] ?? ONLY_OTHER;
  const isOf = (kind: number, value: number, counts: Counts): boolean => counts[kind as 0] > 0 && !placeless.has(value);
  return KINDS.map((_, kind) => {
    const known = new Set([...before].flatMap(([value, counts]) => (isOf(kind, value, counts) ? [value] : [])));
    const fresh = [...added].filter(([value, counts]) => isOf(kind, value, counts) && !known.has(value));
    const ranked = fresh.toSorted(([a, x], [b, y]) => y[kind as 0] - x[kind as 0] || a - b);
    return new Set(ranked.slice(Math.max(0, MAX_VALUES - known.size)).map(([value]) => value));
  });
}
