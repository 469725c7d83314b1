import { AppError } from '../../errors.ts';
import { BoundedBytes } from './bounded-bytes.ts';
import { MAX_ROW_BYTES, throwBadText } from './file-line.ts';
import { SAY_WHAT_IT_IS } from './mapping.ts';
import type { TextLine } from './line-reader.ts';

/** Where a file of JSON may have its list, by the names of the fields around it. */
const LISTS: ReadonlySet<string> = new Set(['', 'data', 'links', 'results', 'urls', 'shortUrls.data']);

const DEEPEST_LIST = 2;

/** Where a file may have an object in place of a list, as YOURLS has: each of its fields is an item. */
const MEMBERS = 'links';
const FIRST_MEMBER = /^links\.link_\d{1,9}$/;

const MAX_DEPTH = 64;

/** The most bytes of what is around the list, such as the number of its pages. */
const MAX_REST_BYTES = 64 * 1024;

const LONGEST_NAME = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPEN_OBJECT = 0x7b;
const OPEN: Readonly<Record<number, number>> = { 0x5b: 0x5d, 0x7b: 0x7d };
const [CLOSE_LIST, CLOSE_OBJECT] = [0x5d, 0x7d];
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
  readonly #item = new BoundedBytes(MAX_ROW_BYTES);
  readonly #rest = new BoundedBytes(MAX_REST_BYTES);
  readonly #name = new BoundedBytes(LONGEST_NAME);
  #isText = false;
  #isEscaped = false;
  /** The depth of the list; null outside of it. */
  #listDepth: number | null = null;
  #hasList = false;
  /** Where the fields begin that may be items: in the file, and in what is around the list; null if there are none. */
  #members: { readonly begin: number; readonly rest: number } | null = null;
  /** The items are fields; the name of the one that is read has ended. */
  #isOfMembers = false;
  #isNamed = false;
  /** An item follows a comma. */
  #isItemDue = false;
  #number = 0;
  /** The offsets of the chunk, of the byte that is being read, and of the start of its item. */
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
      else if (this.#listDepth === this.#frames.length && (byte === COMMA || byte === this.#closeOfList)) {
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

  /** The head and the foot of a file with some of the items. */
  get around(): { readonly head: string; readonly foot: string } {
    return this.#isOfMembers ? { head: '{"links":{', foot: '}}' } : { head: '[', foot: ']' };
  }

  get #closeOfList(): number {
    return this.#isOfMembers ? CLOSE_OBJECT : CLOSE_LIST;
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
    const isName = this.#isOfMembers && this.#listDepth === this.#frames.length && byte === COLON && !this.#isNamed;
    if (isName) this.#endName();
    else if (this.#listDepth === null || this.#frames.length > this.#listDepth || !BLANK.has(byte)) this.#keep(byte);
    const close = OPEN[byte];
    if (close !== undefined) this.#open(close);
  }

  #endName(): void {
    this.#item.clear();
    this.#isNamed = true;
  }

  #open(close: number): void {
    this.#openMembers(close);
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

  #openMembers(close: number): void {
    if (this.#hasList || close !== CLOSE_OBJECT || this.#frames.length > DEEPEST_LIST) return;
    const place = this.#place;
    if (place === MEMBERS) this.#members = { begin: this.#at + 1, rest: this.#rest.length };
    if (this.#members === null || !FIRST_MEMBER.test(place)) return;
    // Behind another field it is not the first.
    if (this.#rest.bytes.subarray(this.#members.rest).includes(COMMA)) return;
    this.#rest.cut(this.#members.rest);
    this.#begin = this.#members.begin;
    this.#item.add(OPEN_OBJECT);
    this.#hasList = this.#isOfMembers = this.#isNamed = true;
    this.#listDepth = this.#frames.length;
  }

  #isPlaceOfList(): boolean {
    return this.#frames.length <= DEEPEST_LIST && LISTS.has(this.#place);
  }

  /** The names of the fields around what is being read. */
  get #place(): string {
    return this.#frames.map(({ name }) => name).join('.');
  }

  *#endItem(byte: number): Generator<TextLine, void> {
    const isEmpty = this.#item.length === 0;
    if (isEmpty && (byte === COMMA || this.#isItemDue)) throw notJson();
    if (!isEmpty && this.#isOfMembers && !this.#isNamed) throw notJson();
    this.#isNamed = false;
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

function notJson(cause?: unknown): AppError {
  return new AppError('malformed_body', 'The file is not valid JSON. Send it as the other service has written it.', {
    cause,
  });
}

function withoutList(): AppError {
  return new AppError(
    'malformed_body',
    `The JSON has no list of links. Send a list, or an object with a list as data. ${SAY_WHAT_IT_IS}`,
  );
}
