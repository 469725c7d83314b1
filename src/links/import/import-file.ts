import type { Site } from '../../hosts.ts';
import { AppError } from '../../errors.ts';
import { MAX_ROWS } from './bounds.ts';
import type { Chunks } from './file-bytes.ts';
import type { FileFormat } from './file-kinds.ts';
import { readRows } from './file-rows.ts';
import { Reading, type ColumnReport, type FileOptions, type FormatReport } from './formats/reading.ts';
import type { FileRow, SkippedRow } from './import-row.ts';

/** The check of a row takes ten times as long as its bytes suggest. */
const MAX_UNADMITTED_ROWS = 250;

/** A file of links. */
export interface LinkFile {
  readonly format: FormatReport;
  readonly columns: readonly ColumnReport[];
  /** What is not kept of the whole file, for people. */
  readonly notes: readonly string[];
  /** Whether its links were on a host, so that a row that does not name it needs one of the caller. */
  readonly needsHost: boolean;
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
 * error of each row, not its text. Throws, for the file as a whole, `malformed_body`, `missing_field`, `repeated_field`,
 * `unknown_field`, `too_many_rows`, and what `chunks` throws.
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
  const rows: FileRow[] = [];
  const skipped: SkippedRow[] = [];
  const reading = new Reading(options, site, rowsBefore > 0);
  for await (const [number, fields] of readRows(chunks, kind, reading)) {
    const before = rows.length + skipped.length;
    if (before === maxRows) throw tooManyRows(maxRows);
    if (before === MAX_UNADMITTED_ROWS) await admit?.();
    const row = reading.read(rowsBefore + number, fields);
    if ('reason' in row) skipped.push(row);
    else rows.push(row);
  }
  const { format, columns, notes, needsHost } = reading;
  return { format, columns, notes, needsHost, rows, skipped };
}

function tooManyRows(maxRows: number): AppError {
  return new AppError('too_many_rows', `A file may have at most ${maxRows} rows. Import it in parts.`);
}
