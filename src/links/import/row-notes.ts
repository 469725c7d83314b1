import type { FileRow } from './import-row.ts';

/** The note of many rows, so that summaries have their numbers only. The script of the page reads it too. */
export const ONLY_TOTAL = 'Of its clicks only the total is kept.';

/** All that is not kept of a row, for people. */
export const notesOf = ({ notes, hasOnlyTotal }: Pick<FileRow, 'notes' | 'hasOnlyTotal'>): readonly string[] =>
  hasOnlyTotal ? [...notes, ONLY_TOTAL] : notes;
