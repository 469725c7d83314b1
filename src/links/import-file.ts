import Papa from 'papaparse';
import type { Site } from '../domains/host.ts';
import { AppError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { quote, type Fields } from '../validation.ts';
import { unguard } from './csv.ts';
import { isColumn, parseRow, type ImportedLink } from './import-row.ts';

const MAX_ROWS = 5000;
// Of more columns than there are.
const MAX_COMMAS = 32 * MAX_ROWS;

/**
 * Reads a file of links: CSV (RFC 4180) with a line that names the columns, in any order, or NDJSON. Empty lines are no rows.
 * Of each row, the link or its fault. Throws, for the file as a whole, `malformed_body`, `missing_field`,
 * `repeated_field`, `unknown_field`, `too_many_rows`.
 */
export function parseLinkFile(bytes: Uint8Array, format: 'csv' | 'ndjson', site: Site): (ImportedLink | AppError)[] {
  const text = decode(format === 'csv' ? withLineFeeds(bytes) : bytes);
  if (text.includes('\0')) throw new AppError('malformed_body', 'The file holds a NUL character. Save it as UTF-8.');
  const rows = format === 'csv' ? readCsv(text) : readNdjson(text);
  return rows.map((row) => (row instanceof AppError ? row : parseRow(row, site)));
}

function readCsv(text: string): (Fields | AppError)[] {
  let header: readonly string[] | null = null;
  const rows: (Fields | AppError)[] = [];
  let failure: AppError | null = null;
  Papa.parse<string[]>(text, {
    delimiter: ',',
    newline: '\n',
    // The library's short cut would cut the whole text at once, however many lines it has.
    fastMode: false,
    step: ({ data, errors: [error] }, parser) => {
      if (data.length === 1 && data[0] === '') return;
      if (error) failure = new AppError('malformed_body', `${placeOf(header, rows)} has a quote that does not fit.`);
      else if (header === null) [header, failure] = [data, faultOfHeader(data)];
      else if (rows.length === MAX_ROWS) failure = tooManyRows();
      else rows.push(toFields(header, data));
      if (failure) parser.abort();
    },
  });
  if (failure) throw failure as AppError;
  if (header === null)
    throw new AppError('malformed_body', 'The file is empty. Begin with a line that names the columns.');
  return rows;
}

const placeOf = (header: unknown, rows: readonly unknown[]) =>
  header === null ? 'The header' : `Row ${rows.length + 1}`;

// A byte order mark is left out.
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new AppError('malformed_body', 'The file is not valid UTF-8. Save it as UTF-8.', { cause });
  }
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const [LINE_FEED, CARRIAGE_RETURN, QUOTE, COMMA] = [0x0a, 0x0d, 0x22, 0x2c];

// Line ends outside quotes become one kind, as the library takes but one in a file. Done to the bytes, and commas counted
// on the way: a file of nothing but cells would be many times as large once it is cut into texts. As to the library, a quote
// in a cell that does not begin with one is a character like any other.
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length);
  let [length, commas, isQuoted] = [0, 0, false];
  let cellStart = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE && bytes[cellStart] === QUOTE) isQuoted = !isQuoted;
    if (isQuoted) {
      result[length++] = byte;
      continue;
    }
    if (byte === COMMA) commas += 1;
    if (byte === COMMA || byte === LINE_FEED || byte === CARRIAGE_RETURN) cellStart = i + 1;
    if (byte !== CARRIAGE_RETURN) result[length++] = byte;
    else if (bytes[i + 1] !== LINE_FEED) result[length++] = LINE_FEED;
  }
  if (commas > MAX_COMMAS) throw tooManyRows();
  return result.subarray(0, length);
}

function faultOfHeader(names: readonly string[]): AppError | null {
  const unknown = names.find((name) => !isColumn(name));
  if (unknown !== undefined) {
    return new AppError('unknown_field', `There is no column ${quote(unknown)} here. Leave it out.`);
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return new AppError('repeated_field', `The column ${quote(repeated)} is there twice.`);
  return names.includes('url')
    ? null
    : new AppError('missing_field', 'url is required: the header has no such column.');
}

function toFields(header: readonly string[], cells: readonly string[]): Fields | AppError {
  if (cells.length !== header.length) {
    return new AppError('malformed_row', `The row has ${cells.length} cells, and the header ${header.length}.`);
  }
  return Object.fromEntries(header.map((name, index) => [name, readCell(name, unguard(cells[index] ?? ''))]));
}

function readCell(name: string, text: string): unknown {
  if (name === 'aliases') return text.split(' ').filter((alias) => alias !== '');
  // Spreadsheets write them in capitals.
  if (name === 'disabled' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

function readNdjson(text: string): (Fields | AppError)[] {
  const rows: (Fields | AppError)[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? text.length : end).trim();
    start = end === -1 ? text.length : end + 1;
    if (line === '') continue;
    if (rows.length === MAX_ROWS) throw tooManyRows();
    rows.push(readLine(line));
  }
  return rows;
}

function readLine(line: string): Fields | AppError {
  try {
    const value = parseJson(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below.
  }
  return new AppError('malformed_row', 'The line is no JSON object.');
}

function tooManyRows(): AppError {
  return new AppError('too_many_rows', `A file may have at most ${MAX_ROWS} rows. Import it in parts.`);
}
