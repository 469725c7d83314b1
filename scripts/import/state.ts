import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import * as z from 'zod';
import { toCsvLines } from '../../src/text/spreadsheet.ts';
import { UsageError } from '../cli-error.ts';

/**
 * The progress of an import, in a file beside its file, and the refused rows in another one. A piece is noted after its
 * answer; one that was sent and not noted is sent again, and its links exist already.
 */

const schema = z.strictObject({
  /** Of the file, the client, the options and the service: an import continues only with the same ones. */
  sha256: z.string(),
  key_id: z.string(),
  /** By which the service joins the pieces to one event for webhooks. */
  import_id: z.uuid(),
  /** The format that the file was recognised as, as `from`; null for mapped columns. */
  from: z.string().nullable(),
  /** The number of rows behind the head that are done. */
  next: z.int(),
  created: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  /** The rows of deleted links. */
  skipped: z.int(),
  /** The rows that are imported without something that the file has. */
  noted: z.int(),
  /** The rows of whose clicks only the total is kept. */
  only_totals: z.int(),
  /** The lengths of the reports, of refused rows and of notes. */
  report_bytes: z.int(),
  notes_bytes: z.int(),
});

export type ImportState = z.output<typeof schema>;

export const stateFileOf = (file: string): string => `${file}.import-state`;

/** The hash that names an import. */
export function nameImport(bytes: Buffer, more: object): string {
  return createHash('sha256').update(bytes).update(JSON.stringify(more)).digest('hex');
}

/** Reads the state of an import that was interrupted; null if there is none. Throws `UsageError` for another import. */
export function readState(file: string, sha256: string): ImportState | null {
  const path = stateFileOf(file);
  if (!existsSync(path)) return null;
  const state = parseState(readFileSync(path, 'utf8'));
  if (state?.sha256 === sha256) return state;
  throw new UsageError(
    `${path} belongs to an import of another version of this file, or with other options: give the same ones to continue, or delete ${path} to begin anew.`,
  );
}

function parseState(text: string): ImportState | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Writes the state, so that a crash leaves the former one or this one. Throws `UsageError`. */
export function writeState(file: string, state: ImportState): void {
  const path = stateFileOf(file);
  writeWhole(`${path}.new`, JSON.stringify(state));
  renameSync(`${path}.new`, path);
}

export function removeState(file: string): void {
  rmSync(stateFileOf(file), { force: true });
}

/** A row of a report, and a sentence for people. */
type ReportedRow = readonly [row: number, sentence: string];

/** Begins a report, or cuts off what was written after the last noted piece. */
export function openReport(path: string, bytes: number): void {
  if (bytes === 0) rmSync(path, { force: true });
  else if (existsSync(path)) truncateSync(path, bytes);
}

/** Adds rows to the report, and returns its length. Without any the file is not created. */
export function addToReport(
  { path, length }: { readonly path: string; readonly length: number },
  column: string,
  rows: readonly ReportedRow[],
): number {
  if (rows.length === 0) return length;
  const lines = toCsvLines(rows);
  const text = (length === 0 ? toCsvLines([['row', column]]) : '') + lines;
  writeWhole(path, text, 'a');
  return length + Buffer.byteLength(text);
}

function writeWhole(path: string, text: string, flag = 'w'): void {
  const bytes = Buffer.from(text);
  try {
    const handle = openSync(path, flag);
    try {
      writeSync(handle, bytes);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    throw new UsageError(`${path} cannot be written: put the file in a folder that you can write.`, { cause });
  }
}
