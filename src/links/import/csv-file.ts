import { AppError } from '../../errors.ts';
import { fieldError, type Fields } from '../../input/validation.ts';
import { quote } from '../../text/quote.ts';
import { CsvReader, type CsvHeader, type CsvRow } from './csv-reader.ts';
import { GUARD, unguard, unguardBeginning } from '../../text/spreadsheet.ts';
import { toUtf8, type Chunks } from './file-bytes.ts';
import { listOf, rowTooLong } from './file-line.ts';
import { columnOf } from './formats/columns.ts';
import { valuesOf } from './formats/own-values.ts';
import type { Columned } from './formats/reading.ts';
import { OWN_COLUMNS } from './import-row.ts';
import { unrecognised } from './unrecognised.ts';

/** A row of a file: its number, and its values by the names of columns. */
export type RawRow = readonly [number: number, fields: Fields | AppError];

const MAX_NAMED = 10;

/**
 * Reads CSV with a header. Throws one error with all faults of a header in this service's own format; if it has columns
 * that no format has, with the first row.
 */
export async function* readCsv(chunks: Chunks, reading: Columned): AsyncGenerator<RawRow, void> {
  let header = headerOf([]);
  let refusal: AppError | null = null;
  const reader = new CsvReader((row) => {
    const { cells } = row;
    const parsed = parseHeader(row, reading);
    if (!(parsed instanceof AppError)) header = headerOf(parsed);
    else if ((reading.unknownOf?.(cells.filter((name) => name.trim() !== '')).length ?? 0) === 0) throw parsed;
    else [header, refusal] = [headerOf(cells), parsed];
    return header.names.length;
  });
  const toRaw = (row: CsvRow): RawRow => {
    if (refusal) {
      const named = row.cells?.map((cell, index) => [header.names[index] ?? '', cell] as const) ?? null;
      throw unrecognised(refusal, named, header.names[0]);
    }
    return [row.number, toFields(header, row, reading.isOwn)];
  };
  for await (const chunk of toUtf8(chunks, reading.charset)) for (const row of reader.read(chunk)) yield toRaw(row);
  for (const row of reader.end()) yield toRaw(row);
  if (refusal) throw unrecognised(refusal, null, header.names[0]);
}

/** The columns of a file, and how many cells a row has at least: the last columns may be without names and cells. */
interface Header {
  readonly names: readonly string[];
  readonly leastCells: number;
  /** The places of those without a name. */
  readonly nameless: readonly number[];
}

const headerOf = (names: readonly string[]): Header => ({
  names,
  leastCells: names.findLastIndex((name) => name !== '') + 1,
  nameless: names.flatMap((name, index) => (name === '' ? [index] : [])),
});

/**
 * The columns that a header names, in upper or lower case and with any blanks; '' for a column without a name, such as
 * spreadsheets write after the last one. Returns one error with all faults of the header.
 */
function parseHeader({ cells, separator }: CsvHeader, reading: Columned): readonly string[] | AppError {
  const columns = unguarded(cells);
  reading.begin(columns, { isList: false, separator });
  const names = columns.map(columnOf);
  if (!reading.isOwn) return names.map((name, index) => (names.indexOf(name) === index ? name : ''));
  const unknown = cells.filter((_, index) => names[index] !== '' && !OWN_COLUMNS.has(names[index]!));
  const repeated = names.filter((name, index) => names.indexOf(name) !== index && OWN_COLUMNS.has(name));
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
  return new AppError(first.code, sentences, { faults: faults.flatMap((error) => error.faults) });
}

function unknownColumns(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).map((name) => quote(name));
  const all = names.length > MAX_NAMED ? `${named.join(', ')} …` : listOf(named);
  return names.length === 1
    ? `There is no column ${all} here. Leave it out.`
    : `There are no columns ${all} here. Leave them out.`;
}

function toFields(header: Header, { cells, cellCount }: CsvRow, isOwn: boolean): Fields | AppError {
  const { names, leastCells, nameless } = header;
  if (cellCount < leastCells || cellCount > names.length) {
    return new AppError(
      'malformed_row',
      `The row has ${cellCount} ${cellCount === 1 ? 'cell' : 'cells'}, but the header has ${names.length}. Give the row as many.`,
    );
  }
  if (cells === null) return rowTooLong();
  if (!isOwn) {
    const texts = cells.map(unguardBeginning);
    return Object.fromEntries(names.flatMap((name, index) => (name === '' ? [] : [[name, texts[index]]])));
  }
  const filled = nameless.length === 0 ? undefined : nameless.find((index) => (cells[index] ?? '') !== '');
  if (filled !== undefined) {
    return new AppError(
      'malformed_row',
      `Column ${filled + 1} has no name in the header. Give it one, or leave its cells empty.`,
    );
  }
  return valuesOf(names, unguarded(cells));
}

const unguarded = (cells: readonly string[]): readonly string[] =>
  cells.some((cell) => cell.includes(GUARD)) ? cells.map(unguard) : cells;
