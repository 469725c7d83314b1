import { AppError } from '../../errors.ts';
import { fieldError, quote } from '../../validation.ts';
import { SAY_WHAT_IT_IS } from './mapping.ts';

/** What is said of a file whose columns no format has: how to say what it is, and its first row. */

const MAX_CELLS = 8;

type Row = readonly (readonly [column: string, value: string])[];

/** The error of a file with the cure, and its first row, if it has one. */
export const unrecognised = ({ code, message, faults }: AppError, row: Row | null): AppError =>
  new AppError(code, `${message} ${cureOf(row)}`, { faults });

/** The error of a file whose first row has no destination. */
export function withoutDestination(row: Row): AppError {
  return unrecognised(
    fieldError('missing_field', 'url', 'url is required: the first row has no field of that name.'),
    row,
  );
}

/** How to say what a file is, and its first row. Cells are quoted, and cut as names in errors are. */
export function cureOf(row: Row | null): string {
  if (row === null || row.length === 0) return SAY_WHAT_IT_IS;
  const cells = row.slice(0, MAX_CELLS).map(([column, value]) => `${quote(column)}: ${quote(value)}`);
  return `${SAY_WHAT_IT_IS} Its first row is ${cells.join(', ')}${row.length > MAX_CELLS ? ' …' : ''}.`;
}
