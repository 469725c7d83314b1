import { isUtf8 } from 'node:buffer';
import { UsageError } from '../cli-error.ts';

/** A file of links, cut where its rows end. */
export interface CutFile {
  readonly format: 'csv' | 'ndjson';
  /** The lines that each piece begins with. */
  readonly head: Buffer;
  /** How many rows the head has, as a spreadsheet counts. */
  readonly headRows: number;
  /** The rows behind the head, one after another. */
  readonly rows: Buffer;
  /** Where each row ends in `rows`. */
  readonly ends: readonly number[];
}

/** Some rows of a file. */
export interface Piece {
  readonly bytes: Buffer;
  /** The number of rows behind the head before this piece, and after it. */
  readonly from: number;
  readonly to: number;
}

const [TAB, LF, CR, QUOTE, COMMA, SEMICOLON] = [0x09, 0x0a, 0x0d, 0x22, 0x2c, 0x3b];
const SEPARATORS: ReadonlySet<number> = new Set([COMMA, SEMICOLON, TAB]);

/** Cuts a file into rows. Throws `UsageError`. */
export function cutFile(name: string, given: Buffer): CutFile {
  const bytes = toUtf8(given);
  if (!isUtf8(bytes)) throw new UsageError(`${name} is not valid UTF-8: save it as UTF-8.`);
  if (/\.json$/i.test(name)) throw new UsageError(`${name} is JSON: import it by the API or its page, or as NDJSON.`);
  if (/\.(ndjson|jsonl)$/i.test(name)) {
    return { format: 'ndjson', head: Buffer.alloc(0), headRows: 0, rows: bytes, ends: endsOfLines(bytes) };
  }
  const ends = endsOfRecords(bytes);
  // Spreadsheets do not show a first line "sep=;".
  const hasSeparator = /^"?sep=.{1,3}$/.test(
    bytes
      .subarray(0, ends[0] ?? 0)
      .toString('latin1')
      .trim(),
  );
  const headEnd = ends[hasSeparator ? 1 : 0];
  if (headEnd === undefined) throw new UsageError(`${name} is empty: begin it with a line that names the columns.`);
  const behind = ends.slice(hasSeparator ? 2 : 1).map((end) => end - headEnd);
  return {
    format: 'csv',
    head: withLineEnd(bytes.subarray(0, headEnd)),
    headRows: 1,
    rows: bytes.subarray(headEnd),
    ends: behind,
  };
}

/** The next piece, or null at the end of the file. Throws `UsageError` for a row that is too long. */
export function pieceFrom(
  { head, headRows, rows, ends }: CutFile,
  from: number,
  { maxRows, maxBytes }: { readonly maxRows: number; readonly maxBytes: number },
): Piece | null {
  if (from >= ends.length) return null;
  const start = from === 0 ? 0 : ends[from - 1]!;
  const room = start + maxBytes - head.length;
  let to = from;
  while (to < ends.length && to - from < maxRows && ends[to]! <= room) to++;
  if (to === from) throw new UsageError(`Row ${from + headRows + 1} is longer than a request may be: shorten it.`);
  return { bytes: Buffer.concat([head, rows.subarray(start, ends[to - 1])]), from, to };
}

function toUtf8(bytes: Buffer): Buffer {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return Buffer.from(new TextDecoder('utf-16le').decode(bytes));
  if (mark === 'feff') return Buffer.from(new TextDecoder('utf-16be').decode(bytes));
  return bytes.subarray(0, 3).toString('hex') === 'efbbbf' ? bytes.subarray(3) : bytes;
}

function withLineEnd(head: Buffer): Buffer {
  const last = head.at(-1);
  return last === LF || last === CR ? head : Buffer.concat([head, Buffer.from('\n')]);
}

function endsOfLines(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) ends.push(at + 1);
  if (ends.at(-1) !== bytes.length && bytes.length > 0) ends.push(bytes.length);
  return ends;
}

/** As the service reads a CSV: a line end within quotes is a part of its cell. */
function endsOfRecords(bytes: Buffer): number[] {
  const ends: number[] = [];
  let isCellStart = true;
  let isQuoted = false;
  let separator: number | null = null;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isQuoted) {
      if (byte !== QUOTE) continue;
      if (bytes[at + 1] === QUOTE) at++;
      else isQuoted = false;
    } else if (byte === LF || byte === CR) {
      if (byte === CR && bytes[at + 1] === LF) at++;
      ends.push(at + 1);
      isCellStart = true;
    } else if (separator === null ? SEPARATORS.has(byte) : byte === separator) {
      separator = byte;
      isCellStart = true;
    } else if (byte === QUOTE && isCellStart) {
      isQuoted = true;
      isCellStart = false;
    } else {
      isCellStart = false;
    }
  }
  if (ends.at(-1) !== bytes.length && bytes.length > 0) ends.push(bytes.length);
  return ends;
}
