import { AppError } from '../../errors.ts';
import { MAX_ROW_BYTES, throwBadText } from './file-line.ts';
import type { TextLine } from './line-reader.ts';

/** Where a file of JSON may have its list, by the names of the fields around it. */
const LISTS: ReadonlySet<string> = new Set(['', 'data', 'links', 'results', 'urls', 'shortUrls.data']);

const DEEPEST_LIST = 2;

const MAX_DEPTH = 64;

/** What is around the list, such as the number of its pages. */
const MAX_REST_BYTES = 64 * 1024;

const LONGEST_NAME = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPEN: Readonly<Record<number, number>> = { 0x5b: 0x5d, 0x7b: 0x7d };
const CLOSE_LIST = 0x5d;
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Around the list: the byte that closes it, and the name of the field that is being read. */
interface Frame {
  readonly close: number;
  name: string;
}

/**
 * Yields the items of the list in a file of JSON as texts, while the file arrives: at most one item is in memory. What is
 * around the list is parsed at the end, so that the file is JSON as a whole.
 */
export class JsonReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #frames: Frame[] = [];
  readonly #item = new Bytes(MAX_ROW_BYTES);
  readonly #rest = new Bytes(MAX_REST_BYTES);
  readonly #name = new Bytes(LONGEST_NAME);
  #isText = false;
  #isEscaped = false;
  /** The depth of the list; null outside of it. */
  #listDepth: number | null = null;
  #hasList = false;
  /** Whether an item follows a comma. */
  #isItemDue = false;
  #number = 0;
  /** The offsets of the chunk, of the byte that is being read, and of the begin of its item. */
  #offset = 0;
  #at = 0;
  #begin = 0;

  /** Throws `malformed_body` once the file cannot become JSON with a list. */
  *read(chunk: Uint8Array): Generator<TextLine, void> {
    if (this.#rest.isTooLong) throw notJson();
    for (let at = 0; at < chunk.length; at++) {
      at = this.#skipText(chunk, at);
      const byte = chunk[at];
      if (byte === undefined) break;
      this.#at = this.#offset + at;
      if (this.#isText) this.#readText(byte);
      else if (this.#listDepth === this.#frames.length && (byte === COMMA || byte === CLOSE_LIST)) {
        yield* this.#endItem(byte);
      } else this.#readMark(byte);
    }
    this.#offset += chunk.length;
  }

  /** Throws `malformed_body` if the file is not JSON with a list. */
  end(): void {
    if (this.#isText || this.#frames.length > 0) throw notJson();
    if (this.#rest.isTooLong) throw notJson();
    const rest = this.#decode(this.#rest.bytes);
    try {
      JSON.parse(rest);
    } catch (cause) {
      throw notJson(cause);
    }
    if (!this.#hasList) throw withoutList();
  }

  /** Keeps the bytes of a text up to the next one that may end it, and returns the index of that byte. */
  #skipText(chunk: Uint8Array, from: number): number {
    if (!this.#isText || this.#isEscaped || this.#listDepth === null) return from;
    let to = from;
    while (to < chunk.length && chunk[to] !== QUOTE && chunk[to] !== BACKSLASH) to++;
    this.#item.addAll(chunk.subarray(from, to));
    return to;
  }

  #readText(byte: number): void {
    this.#keep(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
    if (this.#isText && this.#listDepth === null) this.#name.add(byte);
  }

  #readMark(byte: number): void {
    const top = this.#frames.at(-1);
    if (byte === QUOTE) {
      this.#isText = true;
      this.#name.clear();
    } else if (byte === COLON && top && this.#listDepth === null) {
      top.name = this.#name.isTooLong ? '?' : String.fromCharCode(...this.#name.bytes);
    } else if (CLOSING.has(byte)) {
      if (top?.close !== byte) throw notJson();
      this.#frames.pop();
    }
    if (this.#listDepth === null || this.#frames.length > this.#listDepth || !BLANK.has(byte)) this.#keep(byte);
    const close = OPEN[byte];
    if (close !== undefined) this.#open(close);
  }

  #open(close: number): void {
    const isList = !this.#hasList && close === CLOSE_LIST && this.#isPlaceOfList();
    this.#frames.push({ close, name: '' });
    if (this.#frames.length > MAX_DEPTH) {
      throw new AppError('malformed_body', `The JSON has more than ${MAX_DEPTH} levels. Send a plain list of links.`);
    }
    if (!isList) return;
    this.#hasList = true;
    this.#listDepth = this.#frames.length;
    this.#begin = this.#at + 1;
  }

  #isPlaceOfList(): boolean {
    return this.#frames.length <= DEEPEST_LIST && LISTS.has(this.#frames.map(({ name }) => name).join('.'));
  }

  *#endItem(byte: number): Generator<TextLine, void> {
    const isEmpty = this.#item.length === 0;
    if (isEmpty && (byte === COMMA || this.#isItemDue)) throw notJson();
    if (!isEmpty) {
      this.#number += 1;
      const text = this.#item.isTooLong ? null : this.#decode(this.#item.bytes);
      yield { number: this.#number, begin: this.#begin, end: this.#at, text };
      this.#item.clear();
    }
    this.#begin = this.#at + 1;
    this.#isItemDue = byte === COMMA;
    if (byte === COMMA) return;
    this.#listDepth = null;
    this.#frames.pop();
    this.#keep(byte);
  }

  #keep(byte: number): void {
    (this.#listDepth === null ? this.#rest : this.#item).add(byte);
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch (cause) {
      return throwBadText(this.#number, cause);
    }
  }
}

/** Bytes up to a bound; more are counted, not kept. */
class Bytes {
  length = 0;
  readonly #bytes: Uint8Array;

  constructor(max: number) {
    this.#bytes = new Uint8Array(max);
  }

  get isTooLong(): boolean {
    return this.length > this.#bytes.length;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  add(byte: number): void {
    if (this.length < this.#bytes.length) this.#bytes[this.length] = byte;
    this.length += 1;
  }

  addAll(bytes: Uint8Array): void {
    const room = this.#bytes.length - this.length;
    if (room > 0) this.#bytes.set(bytes.subarray(0, room), this.length);
    this.length += bytes.length;
  }

  clear(): void {
    this.length = 0;
  }
}

function notJson(cause?: unknown): AppError {
  return new AppError('malformed_body', 'The file is not valid JSON. Send it as the other service has written it.', {
    cause,
  });
}

function withoutList(): AppError {
  return new AppError(
    'malformed_body',
    'The JSON has no list of links. Send a list, or an object with a list as data.',
  );
}
