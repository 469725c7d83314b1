import type { ManagedRow } from '../managed.ts';

/** How many rows one page of a list looks at, whatever it finds. */
export const MAX_SCANNED = 500;

/** A row that a page has looked at: which of them it is, from 1 on, and whether it is asked for. */
export type ScannedRow = ManagedRow & { readonly scanned: number; readonly fits: number };

/**
 * Cuts a page out of the rows that were read. The list goes on if more than `limit` rows fit, or if as many rows were
 * scanned as a page may.
 *
 * @returns the rows of the page, and the row after which the list goes on, if it does
 */
export function cutScanned(
  rows: readonly ScannedRow[],
  limit: number,
): { found: readonly ScannedRow[]; last: ScannedRow | undefined } {
  const fitting = rows.filter(({ fits }) => fits === 1);
  const found = fitting.slice(0, limit);
  const last = fitting.length > limit ? found.at(-1) : rows.find(({ scanned }) => scanned === MAX_SCANNED);
  return { found, last };
}
