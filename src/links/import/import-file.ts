import { fieldOf } from '../fields/table.ts';
import type { Site } from '../../hosts.ts';
import { AppError } from '../../errors.ts';
import { parseJson } from '../../json.ts';
import { fieldError, quote, type Fields } from '../../validation.ts';
import { CsvReader, type CsvRow } from './csv-reader.ts';
import { unguard } from '../export/csv.ts';
import { toUtf8, type Chunks } from './file-bytes.ts';
import { MAX_ROW_BYTES, rowTooLong } from './file-line.ts';
import { isColumn, parseRow, type FileRow } from './import-row.ts';
import { LineReader, type TextLine } from './line-reader.ts';

const MAX_ROWS = 5000;
const MAX_NAMED = 10;

export type FileFormat = 'csv' | 'ndjson';

/** By media type. Browsers on Windows send a CSV with Excel's type. */
export const FILE_KINDS: Readonly<Record<string, FileFormat>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/vnd.ms-excel': 'csv',
  'text/tab-separated-values': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
};

/** The format of a file by its name. */
export function formatOf(name: string): FileFormat {
  return /\.(ndjson|jsonl)$/i.test(name) ? 'ndjson' : 'csv';
}

/**
 * Reads a file of links as a stream: CSV with a header, whose columns may have any order, or NDJSON. Empty lines are
 * skipped. It keeps the link or the error of each row, not its text. Throws, for the file as a whole, `malformed_body`,
 * `missing_field`, `repeated_field`, `unknown_field`, `too_many_rows`, and what `chunks` throws.
 */
export async function parseLinkFile(chunks: Chunks, format: FileFormat, site: Site): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  for await (const [number, fields] of format === 'csv' ? readCsv(chunks) : readNdjson(chunks)) {
    if (rows.length === MAX_ROWS) throw tooManyRows();
    rows.push({ number, content: fields instanceof AppError ? fields : parseRow(fields, site) });
  }
  return rows;
}

type RawRow = readonly [number: number, fields: Fields | AppError];

async function* readCsv(chunks: Chunks): AsyncGenerator<RawRow, void> {
  let header: readonly string[] | null = null;
  const reader = new CsvReader((row) => {
    // Excel reads the separator from a first line "sep=;", and does not show that line.
    if (row.cellCount === 2 && row.cells?.[0] === 'sep=') return null;
    header = parseHeader(row);
    return header.length;
  });
  const toRaw = (row: CsvRow): RawRow => [row.number, toFields(header ?? [], row)];
  for await (const chunk of toUtf8(chunks)) for (const row of reader.read(chunk)) yield toRaw(row);
  for (const row of reader.end()) yield toRaw(row);
  if (reader.badQuotes.size > 0) throw badQuotes([...reader.badQuotes]);
  if (header === null) {
    throw new AppError('malformed_body', 'The file is empty. Begin with a line that names the columns.');
  }
}

/**
 * The columns that a header names, in any case and with any blanks; '' for a column without a name, such as
 * spreadsheets write after the last one. Throws one error with all faults of the header.
 */
function parseHeader({ cells }: CsvRow): readonly string[] {
  if (cells === null) {
    throw new AppError(
      'malformed_body',
      `The header is longer than ${MAX_ROW_BYTES} bytes. Begin the file with a line of column names.`,
    );
  }
  const names = cells.map((cell) => cell.trim().toLowerCase().replaceAll(/\s+/g, '_'));
  const unknown = cells.filter((_, index) => names[index] !== '' && !isColumn(names[index]!));
  const repeated = names.filter((name, index) => names.indexOf(name) !== index && isColumn(name));
  const faults: AppError[] = [];
  if (unknown.length > 0) {
    const each = unknown.flatMap((name) => fieldError('unknown_field', name, unknownColumns([name])).faults);
    faults.push(new AppError('unknown_field', unknownColumns(unknown), { faults: each }));
  }
  for (const name of new Set(repeated)) {
    const sentence = `The header has the column ${quote(name)} twice. Leave one out.`;
    faults.push(fieldError('repeated_field', name, sentence));
  }
  if (!names.includes('url')) {
    const sentence = 'url is required: add a column of that name to the header.';
    faults.push(fieldError('missing_field', 'url', sentence));
  }
  const [first] = faults;
  if (!first) return names;
  const sentences = faults.map(({ message }) => message).join(' ');
  throw new AppError(first.code, sentences, { faults: faults.flatMap((error) => error.faults) });
}

function unknownColumns(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).map((name) => quote(name));
  const all = names.length > MAX_NAMED ? `${named.join(', ')} …` : listOf(named);
  return names.length === 1
    ? `There is no column ${all} here. Leave it out.`
    : `There are no columns ${all} here. Leave them out.`;
}

function badQuotes(rows: readonly number[]): AppError {
  const all = rows.length > MAX_NAMED ? `${rows.slice(0, MAX_NAMED).join(', ')} …` : listOf(rows);
  return new AppError(
    'malformed_body',
    `${rows.length === 1 ? `Row ${all} has a misplaced quote` : `Rows ${all} have misplaced quotes`}. ` +
      'Put quotes around the whole cell, and write "" for a quote in it.',
  );
}

function listOf(items: readonly (string | number)[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

function toFields(header: readonly string[], { cells, cellCount }: CsvRow): Fields | AppError {
  if (cellCount !== header.length) {
    return new AppError(
      'malformed_row',
      `The row has ${cellCount} ${cellCount === 1 ? 'cell' : 'cells'}, but the header has ${header.length}. Give the row as many.`,
    );
  }
  if (cells === null) return rowTooLong();
  const nameless = header.findIndex((name, index) => name === '' && cells[index] !== '');
  if (nameless !== -1) {
    return new AppError(
      'malformed_row',
      `Column ${nameless + 1} has no name in the header. Give it one, or leave its cells empty.`,
    );
  }
  const fields = header.map((name, index) => [name, readCell(name, unguard(cells[index] ?? ''))] as const);
  return Object.fromEntries(fields.filter(([name]) => name !== ''));
}

function readCell(name: string, text: string): unknown {
  if (name === 'aliases') return text.split(' ').filter((alias) => alias !== '');
  // Spreadsheets write them in capitals.
  if (isFlag(name) && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

const isFlag = (name: string) => name === 'disabled' || name === 'has_password' || fieldOf(name)?.stored === 'flag';

async function* readNdjson(chunks: Chunks): AsyncGenerator<RawRow, void> {
  const reader = new LineReader();
  for await (const chunk of toUtf8(chunks)) for (const line of reader.read(chunk)) yield toRaw(line);
  for (const line of reader.end()) yield toRaw(line);
}

function toRaw({ number, text }: TextLine): RawRow {
  if (text === null) return [number, rowTooLong()];
  try {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return [number, { ...value }];
  } catch {
    // A malformed line is refused below.
  }
  return [number, new AppError('malformed_row', 'The line is not a JSON object. Write one object a line.')];
}

function tooManyRows(): AppError {
  return new AppError('too_many_rows', `A file may have at most ${MAX_ROWS} rows. Import it in parts.`);
}
