import type { StatsRow } from '../../clicks/breakdown.ts';
import { addCounts, type Counts } from '../../clicks/link-clicks.ts';
import { OTHER_WORD } from '../../statistics/facts.ts';

/** The most rows of a card, and of a breakdown that is shown as a whole. */
export const MAX_SHOWN = 6;
export const MAX_LISTED = 100;

interface ShownRows {
  readonly named: readonly StatsRow[];
  readonly others: Counts;
  /** The number of values that have a name. */
  readonly count: number;
}

/** The first rows of a breakdown, ordered by the number that is shown, and all others as one. */
export function shownRows(rows: readonly StatsRow[], kind: keyof Counts, most: number): ShownRows {
  const all = rows.filter(isNamed).toSorted((a, b) => b[kind] - a[kind] || b.total - a.total);
  const named = all.slice(0, most);
  const known = new Set(named);
  return { named, others: addCounts(rows.filter((row) => !known.has(row))), count: all.length };
}

/** The keys of rows. */
export const keysOf = ({ named }: ShownRows): string[] => named.flatMap(({ key }) => key ?? []);

// A row without a key is shown only if it has people or previews: for bots it says nothing.
const isNamed = ({ key, humans, previews }: StatsRow): boolean =>
  key !== OTHER_WORD && (key !== null || humans + previews > 0);
