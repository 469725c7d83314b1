import { AppError } from '../../errors.ts';
import { fieldError } from '../../input/validation.ts';
import { quote } from '../../text/quote.ts';
import { listOf } from './file-line.ts';
import { SAY_LIST, SAY_WHAT_IT_IS } from './mapping.ts';

/** The message about a file whose columns no format has: how to say what it is, and its first row. */

const MAX_CELLS = 8;

type Row = readonly (readonly [column: string, value: string])[];

/**
 * The error of a file with the cure, and its first row, if it has one.
 *
 * @param firstCell the first cell of the header, if the file has one
 */
export function unrecognised({ code, message, faults }: AppError, row: Row | null, firstCell = ''): AppError {
  const isUrl = /^https?:\/\//i.test(firstCell.trim());
  return new AppError(code, [message, ...(isUrl ? [SAY_LIST] : []), cureOf(row)].join(' '), { faults });
}

/** The error of a file whose first row has no destination. */
export function withoutDestination(row: Row): AppError {
  return unrecognised(
    fieldError('missing_field', 'url', 'url is required: the first row has no field of that name.'),
    row,
  );
}

/** The names of the columns of a file, for errors of what was said of them. */
export function columnsSentence(names: Iterable<string>): string {
  const all = [...names].filter((name) => name !== '').map((name) => quote(name));
  if (all.length === 0) return 'It has no columns with names.';
  return `Its columns are ${all.length > MAX_CELLS ? `${all.slice(0, MAX_CELLS).join(', ')} …` : listOf(all)}.`;
}

/** The advice to name what a file is, and its first row. Cells are quoted, and cut as names in errors are. */
export function cureOf(row: Row | null): string {
  if (row === null || row.length === 0) return SAY_WHAT_IT_IS;
  const cells = row.slice(0, MAX_CELLS).map(([column, value]) => `${quote(column)}: ${quote(value)}`);
  return `${SAY_WHAT_IT_IS} Its first row is ${cells.join(', ')}${row.length > MAX_CELLS ? ' …' : ''}.`;
}
