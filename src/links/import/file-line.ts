import { AppError } from '../../errors.ts';
import { UnreadBytes } from './unread-bytes.ts';

/** The part of a row that is the same in every format. */
export interface Line {
  /** Counted from 1 as in a spreadsheet or an editor: the header and empty rows count. */
  readonly number: number;
  /** Where it is in the text, in bytes: from `begin` up to `end`. A comma between items is not a part of them. */
  readonly begin: number;
  readonly end: number;
}

/** The longest row of a file, in bytes. The longest link, with all aliases, takes half of it. */
export const MAX_ROW_BYTES = 64 * 1024;

export function throwBadText(number: number, cause: unknown): never {
  const sentence = `Row ${number} of the file is not valid UTF-8. Save it as UTF-8, or name its encoding, such as charset=windows-1252.`;
  throw new UnreadBytes(sentence, 'windows-1252', cause);
}

/** The error of a row that is longer than any link can be. */
export function rowTooLong(): AppError {
  return new AppError('malformed_row', `The row is longer than ${MAX_ROW_BYTES} bytes. Shorten it.`);
}

/** Such as "2, 5 and 6". */
export function listOf(items: readonly (string | number)[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

const MAX_NAMED = 10;

/** The error of a file in which these rows have a misplaced quote. */
export function misplacedQuotes(rows: readonly number[]): AppError {
  const all = rows.length > MAX_NAMED ? `${rows.slice(0, MAX_NAMED).join(', ')} …` : listOf(rows);
  return new AppError(
    'malformed_body',
    `${rows.length === 1 ? `Row ${all} has a misplaced quote` : `Rows ${all} have misplaced quotes`}. ` +
      'Put quotes around the whole cell, and write "" for a quote in it.',
  );
}
