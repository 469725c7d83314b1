import { AppError } from '../../errors.ts';
import { MAX_ROW_BYTES, misplacedQuotes, throwBadText, type Line } from './file-line.ts';
import { columnsOfTable, LEAST_COLUMNS } from './headless-tables.ts';
import { BEGINS_NULL_WORD, isNullWord, isNullWordAt } from './null-words.ts';

/**
 * The import has a reader of its own, since no library was found that reports every bad row: after a misplaced quote or
 * a row that is too long, papaparse, csv-parse and web-csv-toolbox stop, skip the rest of the file or misread it, and
 * without a bound they keep a row of any length in memory. papaparse also misreads files with several kinds of line end.
 */

/** A row of a CSV. */
export interface CsvRow extends Line {
  /** At most as many as the header has columns; null if the row is longer than `MAX_ROW_BYTES`. */
  readonly cells: readonly string[] | null;
  /** The number of cells of the row, without empty ones behind the last column. */
  readonly cellCount: number;
}

/** The row that names the columns, or those of a table that is known by its rows. */
export interface CsvHeader extends CsvRow {
  readonly cells: readonly string[];
  /** Between the cells; null if there is only one. */
  readonly separator: string | null;
  /** True if the file has no such row, so that this one is yielded as well. */
  readonly isRow: boolean;
}

const [TAB, LF, CR, SPACE, QUOTE, COMMA, SEMICOLON, BAR] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3b, 0x7c];

const SEPARATORS: readonly number[] = [COMMA, SEMICOLON, TAB, BAR];

// For each byte, whether it is an ordinary one in an unquoted cell.
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => Number(![LF, CR, ...SEPARATORS].includes(byte)));
const A_QUOTE = Uint8Array.of(QUOTE);

/** More rows than an error lists. */
const MAX_BAD_QUOTES = 20;

/** More columns than an import knows. */
const MAX_COLUMNS = 64;

// The state of the reader: at the start of a cell, in an unquoted or a quoted cell, or after a quote in a quoted one.
const [AT_START, PLAIN, QUOTED, BEHIND_QUOTE] = [0, 1, 2, 3];

/**
 * Reads a CSV (RFC 4180) as a stream of bytes, and keeps at most one row in memory. Line ends of all kinds may be
 * mixed. The separator is the first comma, semicolon, tab or `|` of the header; below a header without one these are
 * ordinary characters, except behind a quoted cell and at the end of a row. Spaces around a cell are left out, those
 * in its quotes are kept. `NULL` and `\N` without quotes are an empty cell. Another quote in an unquoted cell is an
 * ordinary character; the row of a misplaced quote is recorded, and reading continues.
 *
 * @param columnsOf takes the header, and returns how many cells of a row to keep
 */
export class CsvReader {
  /** The numbers of the rows with a misplaced quote. */
  readonly #badQuotes = new Set<number>();
  readonly #columnsOf: (header: CsvHeader) => number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #bytes = new Uint8Array(MAX_ROW_BYTES);
  #separator: number | null = null;
  #columns: number | null = null;
  #state = AT_START;
  #isAfterCr = false;
  #number = 1;
  /** The offsets of the chunk, and of the start of the row. */
  #offset = 0;
  #begin = 0;
  #length = 0;
  #isTooLong = false;
  /** True if a cell behind the last column has content. */
  #hasSurplus = false;
  /** The end of each cell of the row in `#bytes`. */
  #ends: number[] = [];
  /** Which cells of the first row are without quotes. */
  readonly #arePlain: boolean[] = [];
  #cellCount = 0;

  constructor(columnsOf: (header: CsvHeader) => number) {
    this.#columnsOf = columnsOf;
  }

  /**
   * Yields the rows below the header that end in these bytes, except those with only empty cells. Throws
   * `malformed_body`.
   */
  *read(chunk: Uint8Array): Generator<CsvRow, void> {
    for (let at = 0; at < chunk.length; at++) {
      at = this.#skipRun(chunk, at);
      const byte = chunk[at];
      if (byte === undefined) break;
      if (byte === LF && this.#isAfterCr) {
        this.#isAfterCr = false;
        this.#begin = this.#offset + at + 1;
      } else if ((byte === LF || byte === CR) && this.#state !== QUOTED) {
        const row = this.#endRow(this.#offset + at + 1);
        this.#isAfterCr = byte === CR;
        if (row) yield row;
      } else {
        this.#isAfterCr = false;
        this.#take(byte);
      }
    }
    this.#offset += chunk.length;
  }

  /**
   * Yields the last row, if no line end follows it. Throws `malformed_body`, also for all rows with a misplaced quote,
   * and for a file without a header.
   */
  *end(): Generator<CsvRow, void> {
    if (this.#state === QUOTED) this.#recordBadQuote();
    const row = this.#endRow(this.#offset);
    if (row) yield row;
    if (this.#badQuotes.size > 0) throw misplacedQuotes([...this.#badQuotes]);
    if (this.#columns === null) {
      throw new AppError('malformed_body', 'The file is empty. Begin with a line that names the columns.');
    }
  }

  /** Keeps the bytes up to the next one that may end a cell or a quote, and returns the index of that byte. */
  #skipRun(chunk: Uint8Array, from: number): number {
    if (this.#isAfterCr || (this.#state !== PLAIN && this.#state !== QUOTED)) return from;
    let to = from;
    if (this.#state === QUOTED) {
      const found = chunk.indexOf(QUOTE, from);
      to = found === -1 ? chunk.length : found;
    } else {
      while (to < chunk.length && IS_PLAIN[chunk[to]!]) to++;
    }
    if (to > from) this.#keep(chunk.subarray(from, to));
    return to;
  }

  #take(byte: number): void {
    if (this.#state === QUOTED) {
      this.#state = BEHIND_QUOTE;
    } else if (this.#separates(byte)) {
      if (this.#columns === null) this.#separator = byte;
      this.#endCell();
    } else if (byte === QUOTE && this.#state === AT_START) {
      this.#state = QUOTED;
    } else if (byte === QUOTE && this.#state === BEHIND_QUOTE) {
      this.#state = QUOTED;
      this.#keep(A_QUOTE);
    } else if (this.#state === BEHIND_QUOTE) {
      // Blanks may follow a quoted cell.
      if (byte !== SPACE) this.#recordBadQuote();
    } else if (byte !== SPACE || this.#state === PLAIN) {
      this.#state = PLAIN;
      this.#keep(Uint8Array.of(byte));
    }
  }

  #separates(byte: number): boolean {
    if (this.#separator !== null) return byte === this.#separator;
    const isBehindCell = this.#state === BEHIND_QUOTE || (this.#state === AT_START && this.#cellCount > 0);
    return SEPARATORS.includes(byte) && (this.#columns === null || isBehindCell);
  }

  // Bounded, since a file can have millions of such rows, all of them otherwise empty.
  #recordBadQuote(): void {
    if (this.#badQuotes.size < MAX_BAD_QUOTES) this.#badQuotes.add(this.#number);
  }

  #keep(bytes: Uint8Array): void {
    if (this.#cellCount >= this.#maxCells) {
      this.#hasSurplus = true;
      return;
    }
    if (this.#length + bytes.length > MAX_ROW_BYTES) this.#isTooLong = true;
    else this.#bytes.set(bytes, this.#length);
    if (!this.#isTooLong) this.#length += bytes.length;
  }

  #endCell(): void {
    if (this.#state === PLAIN) this.#trimCell();
    if (this.#columns === null) this.#arePlain[this.#cellCount] = this.#state === PLAIN;
    this.#state = AT_START;
    this.#cellCount += 1;
    if (this.#cellCount <= this.#maxCells) this.#ends.push(this.#length);
    else if (this.#columns === null)
      throw new AppError(
        'malformed_body',
        `The header has more than ${MAX_COLUMNS} columns. Leave out those that are not fields of a link.`,
      );
  }

  #trimCell(): void {
    const begin = this.#ends.at(-1) ?? 0;
    if (this.#cellCount >= this.#maxCells || this.#isTooLong) return;
    const isBlank = (byte?: number) => byte === SPACE || (this.#separator === null && SEPARATORS.includes(byte!));
    while (this.#length > begin && isBlank(this.#bytes[this.#length - 1])) this.#length -= 1;
    if (this.#columns === null || !BEGINS_NULL_WORD[this.#bytes[begin]!]) return;
    if (isNullWordAt(this.#bytes, begin, this.#length)) this.#length = begin;
  }

  get #maxCells(): number {
    return this.#columns ?? MAX_COLUMNS;
  }

  #endRow(end: number): CsvRow | null {
    this.#endCell();
    const isEmpty = this.#length === 0 && !this.#isTooLong && !this.#hasSurplus;
    const row = isEmpty ? null : this.#toRow(end);
    this.#number += 1;
    this.#begin = end;
    this.#length = 0;
    this.#isTooLong = false;
    this.#hasSurplus = false;
    this.#ends.length = 0;
    this.#cellCount = 0;
    return row === null || this.#columns !== null ? row : this.#takeHeader(row);
  }

  #takeHeader({ cells, ...row }: CsvRow): CsvRow | null {
    // Excel reads the separator from a first line "sep=;", and does not show that line.
    if (row.cellCount === 2 && cells?.[0] === 'sep=') {
      this.#number -= 1;
      return null;
    }
    if (cells === null) {
      throw new AppError(
        'malformed_body',
        `The header is longer than ${MAX_ROW_BYTES} bytes. Begin the file with a line of column names.`,
      );
    }
    const separator = this.#separator === null ? null : String.fromCharCode(this.#separator);
    const columns = cells.length < LEAST_COLUMNS ? null : columnsOfTable(cells);
    this.#columns = this.#columnsOf({ ...row, cells: columns ?? cells, separator, isRow: columns !== null });
    return columns === null
      ? null
      : { ...row, cells: cells.map((cell, index) => (this.#arePlain[index] && isNullWord(cell) ? '' : cell)) };
  }

  #toRow(end: number): CsvRow {
    const cellAt = (end: number, index: number) => this.#bytes.subarray(index === 0 ? 0 : this.#ends[index - 1], end);
    const cells = this.#isTooLong ? null : this.#ends.map((end, index) => this.#decode(cellAt(end, index)));
    const cellCount = this.#hasSurplus ? this.#cellCount : Math.min(this.#cellCount, this.#maxCells);
    return { number: this.#number, begin: this.#begin, end, cells, cellCount };
  }

  #decode(cell: Uint8Array): string {
    try {
      return this.#decoder.decode(cell);
    } catch (cause) {
      return throwBadText(this.#number, cause);
    }
  }
}
