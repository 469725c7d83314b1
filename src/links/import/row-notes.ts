import type { FileRow } from './import-row.ts';

/** The note of many rows, so that summaries have their numbers only. The script of the page reads it too. */
export const ONLY_TOTAL = 'Of its clicks only the total is kept.';

/** All that is not kept of a row, for people. */
export const notesOf = ({ notes, hasOnlyTotal }: Pick<FileRow, 'notes' | 'hasOnlyTotal'>): readonly string[] =>
  hasOnlyTotal ? [...notes, ONLY_TOTAL] : notes;

/** The summary of rows that are not refused. */
interface SaidOfRows {
  readonly skipped: readonly { readonly row: number; readonly reason: string }[];
  readonly noted: readonly { readonly row: number; readonly notes: readonly string[] }[];
  readonly only_totals: readonly number[];
}

/** The text for each row that is skipped, or not kept as a whole, in the order of the rows. */
export function notesByRow({ skipped, noted, only_totals: onlyTotals }: SaidOfRows): [row: number, text: string][] {
  const notes = new Map(noted.map((each) => [each.row, each.notes]));
  for (const row of onlyTotals) notes.set(row, [...(notes.get(row) ?? []), ONLY_TOTAL]);
  const texts: [row: number, text: string][] = [
    ...skipped.map(({ row, reason }): [number, string] => [row, `Skipped: ${reason}`]),
    ...[...notes].map(([row, sentences]): [number, string] => [row, sentences.join(' ')]),
  ];
  return texts.toSorted(([one], [other]) => one - other);
}
