import type { StatsRow } from '../../clicks/breakdown.ts';
import { addCounts, type Counts } from '../../clicks/link-clicks.ts';
import { OTHER_WORD } from '../../statistics/facts.ts';

const MAX_SHOWN = 10;

/** The rows of a breakdown that a card shows, people first, and all others as one. */
export function shownRows(rows: readonly StatsRow[]): { readonly named: readonly StatsRow[]; readonly others: Counts } {
  const named = rows
    .filter(isNamed)
    .toSorted((a, b) => b.humans - a.humans || b.total - a.total)
    .slice(0, MAX_SHOWN);
  const known = new Set(named);
  return { named, others: addCounts(rows.filter((row) => !known.has(row))) };
}

/** The keys of the rows of links that are shown. */
export function mostClicked(rows: readonly StatsRow[]): string[] {
  return shownRows(rows).named.flatMap(({ key }) => key ?? []);
}

// A row without a key is shown only if it has people or previews: for bots it says nothing.
const isNamed = ({ key, humans, previews }: StatsRow): boolean =>
  key !== OTHER_WORD && (key !== null || humans + previews > 0);
