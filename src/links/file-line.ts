import { AppError } from '../errors.ts';

/** What every row of a file has, whatever its format. */
export interface Line {
  /** From 1 on, as a spreadsheet or an editor counts: with the header, and with empty rows. */
  readonly number: number;
}

/** The longest row of a file, in bytes, without its quotes; the longest link is a quarter of it. */
export const MAX_ROW_BYTES = 64 * 1024;

export function tellBadText(number: number, cause: unknown): never {
  throw new AppError('malformed_body', `Row ${number} of the file is not valid UTF-8. Save it as UTF-8.`, { cause });
}

/** A row that is longer than any link. */
export function rowTooLong(): AppError {
  return new AppError('malformed_row', `The row is longer than ${MAX_ROW_BYTES} bytes, and no link is.`);
}
