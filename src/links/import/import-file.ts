import type { Site } from '../../network/hosts.ts';
import { AppError } from '../../errors.ts';
import { MAX_ROWS } from './bounds.ts';
import type { Chunks } from './file-bytes.ts';
import type { FileFormat } from './file-kinds.ts';
import { readRows, type RawRow } from './file-rows.ts';
import { Reading, type ColumnReport, type FileOptions, type FormatReport } from './formats/reading.ts';
import type { FileRow, SkippedRow } from './import-row.ts';

/** The check of a row takes ten times as long as its bytes suggest. */
const MAX_UNADMITTED_ROWS = 250;

/** A file of links. */
export interface LinkFile {
  readonly format: FormatReport;
  readonly columns: readonly ColumnReport[];
  /** The notes on what is not kept of the whole file, and the readings of its dates, for people. */
  readonly notes: readonly string[];
  /** True if its links were on a host, so that a row that does not name it needs one of the caller. */
  readonly needsHost: boolean;
  /** True if dates of it can stand in several orders, such as 03/04/2030. */
  readonly hasOrders: boolean;
  readonly rows: readonly FileRow[];
  readonly skipped: readonly SkippedRow[];
}

interface ReadingBounds {
  readonly maxRows?: number;
  readonly rowsBefore?: number;
  readonly admit?: () => Promise<void>;
}

/**
 * Reads a file of links as a stream: CSV with a header, whose columns may have any order, NDJSON, or JSON with a list.
 * Its format is recognised by its columns, or those of its first row. Empty lines are skipped. It keeps the link or the
 * error of each row, and its text only while it waits for the order of its dates. Throws, for the file as a whole,
 * `malformed_body`, `missing_field`, `repeated_field`,
 * `unknown_field`, `too_many_rows`, `invalid_dates`, and what `chunks` throws.
 *
 * @param maxRows how many rows the file may have
 * @param rowsBefore of a piece of a file: what to add to the numbers of its rows, as `Piece.rowsBefore`
 * @param admit called before more than `MAX_UNADMITTED_ROWS` rows are checked; throws to refuse the file
 */
export async function parseLinkFile(
  chunks: Chunks,
  kind: FileFormat,
  site: Site,
  { maxRows = MAX_ROWS, rowsBefore = 0, admit, ...options }: FileOptions & ReadingBounds = {},
): Promise<LinkFile> {
  const read: (FileRow | SkippedRow | null)[] = [];
  const waiting: { readonly place: number; readonly row: RawRow }[] = [];
  const reading = new Reading(options, site, rowsBefore > 0);
  for await (const [number, fields] of readRows(chunks, kind, reading)) {
    if (read.length === maxRows) throw tooManyRows(maxRows);
    if (read.length === MAX_UNADMITTED_ROWS) await admit?.();
    const row = reading.read(rowsBefore + number, fields);
    if (row === null) waiting.push({ place: read.length, row: [rowsBefore + number, fields] });
    read.push(row);
  }
  reading.settle();
  for (const { place, row } of waiting) read[place] = reading.read(...row);
  const rows = read.filter((row) => row !== null && 'content' in row);
  const skipped = read.filter((row) => row !== null && 'reason' in row);
  const { format, columns, notes, needsHost, hasOrders } = reading;
  return { format, columns, notes, needsHost, hasOrders, rows, skipped };
}

function tooManyRows(maxRows: number): AppError {
  return new AppError('too_many_rows', `A file may have at most ${maxRows} rows. Import it in parts.`);
}
