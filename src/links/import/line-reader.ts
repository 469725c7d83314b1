import { MAX_ROW_BYTES, throwBadText, type Line } from './file-line.ts';

/** A line of a file. */
export interface TextLine extends Line {
  /** Null if it is longer than `MAX_ROW_BYTES`. */
  readonly text: string | null;
}

const LF = 0x0a;

/**
 * Splits the bytes of a text into lines as they arrive, and keeps at most one line in memory. Empty lines are skipped.
 *
 * @param isLeftOut whether a line is skipped too
 */
export class LineReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #bytes = new Uint8Array(MAX_ROW_BYTES);
  #number = 1;
  /** The offsets of the start of the line, and of the next byte. */
  #begin = 0;
  #offset = 0;
  /** The length of the line so far, in bytes, including those that were not kept. */
  #length = 0;
  readonly #isLeftOut: (line: string) => boolean;

  constructor(isLeftOut: (line: string) => boolean = () => false) {
    this.#isLeftOut = isLeftOut;
  }

  /** Yields the lines that end in these bytes. Throws `malformed_body`. */
  *read(chunk: Uint8Array): Generator<TextLine, void> {
    for (let from = 0; from < chunk.length;) {
      const found = chunk.indexOf(LF, from);
      const to = found === -1 ? chunk.length : found + 1;
      this.#keep(chunk.subarray(from, found === -1 ? undefined : found));
      this.#offset += to - from;
      if (found === -1) return;
      yield* this.end();
      from = to;
    }
  }

  /** Yields the last line, if no line end follows it. Throws `malformed_body`. */
  *end(): Generator<TextLine, void> {
    // A file may consist only of line ends.
    const text = this.#length === 0 ? '' : this.#length > MAX_ROW_BYTES ? null : this.#decode().trim();
    if (text !== '' && (text === null || !this.#isLeftOut(text)))
      yield { number: this.#number, begin: this.#begin, end: this.#offset, text };
    this.#number += 1;
    this.#begin = this.#offset;
    this.#length = 0;
  }

  #keep(piece: Uint8Array): void {
    if (this.#length + piece.length <= MAX_ROW_BYTES) this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
  }

  #decode(): string {
    try {
      return this.#decoder.decode(this.#bytes.subarray(0, this.#length));
    } catch (cause) {
      return throwBadText(this.#number, cause);
    }
  }
}
