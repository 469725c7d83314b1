import { AppError } from '../../errors.ts';
import { parseJson } from '../../text/json.ts';
import type { RawRow } from './csv-file.ts';
import { toUtf8, type Chunks } from './file-bytes.ts';
import { rowTooLong } from './file-line.ts';
import { columnNamesIn, columnsIn } from './formats/columns.ts';
import type { Columned } from './formats/reading.ts';
import { cureOf, withoutDestination } from './unrecognised.ts';
import { JsonReader } from './json-reader.ts';
import { LineReader, type TextLine } from './line-reader.ts';

/** Reads NDJSON: one object a line. */
export async function* readNdjson(chunks: Chunks, reading: Columned): AsyncGenerator<RawRow, void> {
  const reader = new LineReader();
  const toRaw = rawRows(reading, 'The line is not a JSON object. Write one object a line.');
  for await (const chunk of toUtf8(chunks, reading.charset)) for (const line of reader.read(chunk)) yield toRaw(line);
  for (const line of reader.end()) yield toRaw(line);
}

/** Reads JSON with a list of objects. Rows are counted from 1. */
export async function* readJson(chunks: Chunks, reading: Columned): AsyncGenerator<RawRow, void> {
  const reader = new JsonReader();
  const toRaw = rawRows(reading, 'The item of the list is not a JSON object.');
  for await (const chunk of toUtf8(chunks, reading.charset)) for (const item of reader.read(chunk)) yield toRaw(item);
  reader.end();
}

function rawRows(reading: Columned, complaint: string): (line: TextLine) => RawRow {
  let hasBegun = false;
  return ({ number, text }) => {
    if (text === null) return [number, rowTooLong()];
    const item = objectIn(text);
    if (item === null) return [number, new AppError('malformed_row', complaint)];
    // The first object has the columns of all.
    if (!hasBegun) begin(reading, item);
    hasBegun = true;
    return [number, reading.isOwn ? { ...item } : columnsIn(item)];
  };
}

// Rows with further fields are errors, each by itself: the file is refused only if it cannot be one of this service.
function begin(reading: Columned, item: object): void {
  reading.begin(columnNamesIn(item));
  const names = Object.keys(item);
  if ((reading.unknownOf?.(names).length ?? 0) === 0) return;
  const row = Object.entries(item).map(([name, value]) => [name, exampleOf(value)] as const);
  if (!names.includes('url')) throw withoutDestination(row);
  reading.note?.(cureOf(row));
}

const exampleOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function objectIn(text: string): object | null {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
