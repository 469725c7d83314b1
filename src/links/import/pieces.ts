import { BEGINNING_BYTES, contentOf, isComment, type Content } from './content-kind.ts';
import { CsvReader } from './csv-reader.ts';
import { utf8Of } from './file-bytes.ts';
import type { FileFormat } from './file-kinds.ts';
import { JsonReader } from './json-reader.ts';
import type { Line } from './file-line.ts';
import { LineReader } from './line-reader.ts';

/**
 * Cuts a large file of links into pieces, each a file that can be imported by itself. The operator's tool and the page
 * use it, so that it needs neither Node nor a Worker.
 */

/** A file of links, cut where its rows end. */
export interface CutFile {
  /** As UTF-8, without a byte order mark. */
  readonly text: Uint8Array;
  /** How many rows it has. A header and empty rows do not count. */
  readonly rowCount: number;
  /** Where each row begins and ends in the text. */
  readonly begins: readonly number[];
  readonly ends: readonly number[];
  /** The number of each row, as `Line.number`. */
  readonly numbers: readonly number[];
  /** What each piece has before its rows, and behind them. */
  readonly head: Uint8Array;
  readonly foot: Uint8Array;
  /** The number of the last row of the head; 0 without one. */
  readonly headNumber: number;
}

/** Some rows of a file. */
export interface Piece {
  /** Null for a single row that is longer than a piece may be: refuse it as `rowTooLong`, and continue. */
  readonly bytes: Uint8Array | null;
  /** How many rows of the file are before the piece, and how many up to its end. */
  readonly from: number;
  readonly to: number;
  /** What to add to the number of a row in the piece, to have its number in the file. */
  readonly rowsBefore: number;
  /** The numbers of its first and its last row in the file. */
  readonly first: number;
  readonly last: number;
}

/** Reads a file, and finds its rows. Throws `malformed_body` as an import of the whole file would. */
export function cutFile(kind: FileFormat, bytes: Uint8Array): CutFile {
  const text = utf8Of(bytes);
  return CUTTERS[contentOf(kind, text.subarray(0, BEGINNING_BYTES))](text);
}

/** The piece that begins after so many rows; null at the end of the file. */
export function pieceFrom(
  { text, rowCount, begins, ends, numbers, head, foot, headNumber }: CutFile,
  from: number,
  { maxRows, maxBytes }: { readonly maxRows: number; readonly maxBytes: number },
): Piece | null {
  if (from >= rowCount) return null;
  const begin = begins[from]!;
  const end = begin + maxBytes - head.length - foot.length;
  let to = from;
  while (to < rowCount && to - from < maxRows && ends[to]! <= end) to++;
  const isTooLong = to === from;
  if (isTooLong) to = from + 1;
  return {
    bytes: isTooLong ? null : concat([head, text.subarray(begin, ends[to - 1]), foot]),
    from,
    to,
    rowsBefore: numbers[from]! - headNumber - 1,
    first: numbers[from]!,
    last: numbers[to - 1]!,
  };
}

const NONE = new Uint8Array();
const ASCII = new TextEncoder();

const CUTTERS: Readonly<Record<Content, (text: Uint8Array) => CutFile>> = {
  csv(text) {
    let header = { number: 0, end: 0 };
    const reader = new CsvReader(({ number, end, cellCount, isRow }) => {
      if (!isRow) header = { number, end };
      return cellCount;
    });
    const rows = placesOf(reader.read(text), reader.end());
    return { ...rows, text, head: text.subarray(0, header.end), foot: NONE, headNumber: header.number };
  },
  ndjson: (text) => cutLines(text, new LineReader()),
  list: (text) => cutLines(text, new LineReader(isComment)),
  json(text) {
    const reader = new JsonReader();
    const rows = placesOf(reader.read(text));
    reader.end();
    const { head, foot } = reader.around;
    return { ...rows, text, head: ASCII.encode(head), foot: ASCII.encode(foot), headNumber: 0 };
  },
};

const cutLines = (text: Uint8Array, reader: LineReader): CutFile => ({
  ...placesOf(reader.read(text), reader.end()),
  text,
  head: NONE,
  foot: NONE,
  headNumber: 0,
});

// Keeps three numbers of each row, since the contents would take more memory than the file.
function placesOf(...parts: readonly Iterable<Line>[]) {
  const [begins, ends, numbers]: [number[], number[], number[]] = [[], [], []];
  for (const part of parts) {
    for (const { begin, end, number } of part) {
      begins.push(begin);
      ends.push(end);
      numbers.push(number);
    }
  }
  return { rowCount: numbers.length, begins, ends, numbers };
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
