import { OTHER_WORD } from '../statistics/facts.ts';
import type { Filters } from '../statistics/questions/filters.ts';
import type { Clicks } from '../statistics/days/sums.ts';
import type { StatsRow } from './breakdown.ts';
import { addCounts } from './link-clicks.ts';

/** True if filters are about more than the kinds of visitors, which every sum has. */
export const filtersBeyondVisitorKind = (filters: Filters): boolean =>
  Object.keys(filters).some((name) => name !== 'visitor');

/** Rows that add up to all clicks: those that no row has are in the last one, `other`. */
export function withOtherRow(rows: readonly StatsRow[], all: Clicks): StatsRow[] {
  const [named, others] = [rows.filter(({ key }) => key !== OTHER_WORD), rows.filter(({ key }) => key === OTHER_WORD)];
  const [shown, known] = [addCounts(rows), addCounts(others)];
  const rest = (kind: keyof Clicks): number => known[kind] + Math.max(0, all[kind] - shown[kind]);
  const other = addCounts([{ humans: rest('humans'), bots: rest('bots'), previews: rest('previews') }]);
  return other.total === 0 ? named : [...named, { key: OTHER_WORD, ...other }];
}
