import { BEGINNING_BYTES, contentOf, isComment, type Content } from './content-kind.ts';
import { CsvReader, type CsvRow } from './csv-reader.ts';
import { DateOrders, type SeenDates } from './dates/orders.ts';
import { utf8Of } from './file-bytes.ts';
import type { FileFormat } from './file-kinds.ts';
import { JsonReader } from './json-reader.ts';
import type { Line } from './file-line.ts';
import { LineReader, type TextLine } from './line-reader.ts';

/**
 * Cuts a large file of links into pieces, each a file that can be imported by itself. The operator's tool and the page
 * use it, so that it needs neither Node nor a Worker.
 */

/** A file of links, cut where its rows end. */
export interface CutFile {
  /** As UTF-8, without a byte order mark. */
  readonly text: Uint8Array;
  /** The number of its rows. A header and empty rows do not count. */
  readonly rowCount: number;
  /** Where each row begins and ends in the text. */
  readonly begins: readonly number[];
  readonly ends: readonly number[];
  /** The number of each row, as `Line.number`. */
  readonly numbers: readonly number[];
  /** The bytes of each piece before its rows, and behind them. */
  readonly head: Uint8Array;
  readonly foot: Uint8Array;
  /** The number of the last row of the head; 0 without one. */
  readonly headNumber: number;
  /** In which orders the dates of its columns can be read, for those with dates of several orders. */
  readonly dates: SeenDates;
}

/** Some rows of a file. */
export interface Piece {
  /** Null for a single row that is longer than a piece may be: refuse it as `rowTooLong`, and continue. */
  readonly bytes: Uint8Array | null;
  /** The number of rows of the file before the piece, and up to its end. */
  readonly from: number;
  readonly to: number;
  /** The number to add to the number of a row in the piece, to have its number in the file. */
  readonly rowsBefore: number;
  /** The numbers of its first and its last row in the file. */
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a file, and finds its rows. Throws `malformed_body` as an import of the whole file would.
 *
 * @param charset its encoding, if it is not in UTF-8. Its pieces then have a byte order mark, which counts more than what
 * is said of the file, as they are in UTF-8.
 */
export function cutFile(kind: FileFormat, bytes: Uint8Array, charset?: string): CutFile {
  const dates = new DateOrders();
  const text = utf8Of(bytes, charset);
  const { head, ...cut } = CUTTERS[contentOf(kind, text.subarray(0, BEGINNING_BYTES))](text, dates);
  return { ...cut, head: charset === undefined ? head : concat([MARK, head]), dates: dates.columns };
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
const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

type Cutter = (text: Uint8Array, dates: DateOrders) => Omit<CutFile, 'dates'>;

const CUTTERS: Readonly<Record<Content, Cutter>> = {
  csv(text, dates) {
    let header: { readonly number: number; readonly end: number; readonly cells: readonly string[] };
    header = { number: 0, end: 0, cells: [] };
    const reader = new CsvReader(({ number, end, cells, isRow }) => {
      header = { ...(isRow ? { number: 0, end: 0 } : { number, end }), cells };
      return cells.length;
    });
    const rows = placesOf<CsvRow>([reader.read(text), reader.end()], ({ cells }) => {
      for (const [index, cell] of cells?.entries() ?? []) dates.add(header.cells[index] ?? '', cell);
    });
    return { ...rows, text, head: text.subarray(0, header.end), foot: NONE, headNumber: header.number };
  },
  ndjson: (text, dates) => cutLines(text, new LineReader(), dates),
  list: (text, dates) => cutLines(text, new LineReader(isComment), dates),
  json(text, dates) {
    const reader = new JsonReader();
    const rows = placesOf([reader.read(text)], (item) => addDatesIn(item, dates));
    reader.end();
    const { head, foot } = reader.around;
    return { ...rows, text, head: ASCII.encode(head), foot: ASCII.encode(foot), headNumber: 0 };
  },
};

const cutLines = (text: Uint8Array, reader: LineReader, dates: DateOrders): Omit<CutFile, 'dates'> => ({
  ...placesOf([reader.read(text), reader.end()], (line) => addDatesIn(line, dates)),
  text,
  head: NONE,
  foot: NONE,
  headNumber: 0,
});

// The fields of JSON whose text may be a date. Some programs write a slash with a backslash.
const DATE_FIELDS = /"((?:[^"\\]|\\.){1,200})"\s*:\s*"(\d\d?(?:[.-]|\\?\/)(?:[^"\\]|\\\/){4,60})"/g;

function addDatesIn({ text }: TextLine, dates: DateOrders): void {
  for (const [, name = '', value = ''] of text?.matchAll(DATE_FIELDS) ?? [])
    dates.add(name, value.replaceAll('\\/', '/'));
}

// Keeps three numbers of each row, since the contents would take more memory than the file.
function placesOf<Row extends Line>(parts: readonly Iterable<Row>[], look: (row: Row) => void) {
  const [begins, ends, numbers]: [number[], number[], number[]] = [[], [], []];
  for (const part of parts) {
    for (const row of part) {
      const { begin, end, number } = row;
      look(row);
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
