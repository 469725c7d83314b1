import { toCsvLines } from '../text/spreadsheet.ts';
import type { StatsRow } from './breakdown.ts';

const COUNTS = ['total', 'humans', 'bots', 'previews'] as const;

interface Listed {
  readonly by: string;
  readonly rows: readonly StatsRow[];
  readonly compare?: { readonly rows: readonly StatsRow[] } | null;
}

/** The rows of click statistics as CSV, with those that they are compared with beside them. */
export function toCsv({ by, rows, compare = null }: Listed): string {
  const fields = compare === null ? columns(by) : [...columns(by), ...columns(by).map((name) => `compared_${name}`)];
  const data = compare === null ? rows.map(cells) : pairs(rows, compare.rows);
  return toCsvLines([fields, ...data]);
}

const columns = (by: string): string[] => [by, ...COUNTS];

type Cell = string | number;

const NO_CELLS: readonly Cell[] = ['', ...COUNTS.map(() => '')];

function cells(row: StatsRow | undefined): readonly Cell[] {
  return row === undefined ? NO_CELLS : [row.key ?? '', ...COUNTS.map((count) => row[count])];
}

// The last rows belong together: what is kept of the first days may not say what the query asks for.
function pairs(rows: readonly StatsRow[], others: readonly StatsRow[]): Cell[][] {
  const length = Math.max(rows.length, others.length);
  return Array.from({ length }, (_, index) => [
    ...cells(rows[index - length + rows.length]),
    ...cells(others[index - length + others.length]),
  ]);
}
