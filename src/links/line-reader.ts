import { MAX_ROW_BYTES, tellBadText, type Line } from './file-line.ts';

/** A line of a file, as it stands there. */
export interface TextLine extends Line {
  /** Null where it is longer than `MAX_ROW_BYTES`. */
  readonly text: string | null;
}

const LF = 0x0a;

/** Reads the lines of a text from its bytes as they come, and keeps no more of it than a line. Empty ones are none. */
export class LineReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #bytes = new Uint8Array(MAX_ROW_BYTES);
  #number = 1;
  /** How many bytes of the line have come, kept or not. */
  #length = 0;

  /** Gives the lines that end in these bytes. Throws `malformed_body`. */
  *read(chunk: Uint8Array): Generator<TextLine, void> {
    for (let from = 0; from < chunk.length;) {
      const found = chunk.indexOf(LF, from);
      this.#keep(chunk.subarray(from, found === -1 ? undefined : found));
      if (found === -1) return;
      yield* this.end();
      from = found + 1;
    }
  }

  /** Gives the line that has begun. Throws `malformed_body`. */
  *end(): Generator<TextLine, void> {
    const text = this.#length > MAX_ROW_BYTES ? null : this.#decode(this.#bytes.subarray(0, this.#length)).trim();
    if (text !== '') yield { number: this.#number, text };
    this.#number += 1;
    this.#length = 0;
  }

  #keep(piece: Uint8Array): void {
    if (this.#length + piece.length <= MAX_ROW_BYTES) this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
  }

  #decode(line: Uint8Array): string {
    try {
      return this.#decoder.decode(line);
    } catch (cause) {
      return tellBadText(this.#number, cause);
    }
  }
}
