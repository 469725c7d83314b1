import { AppError } from '../../errors.ts';
import { utf16Of } from './charsets.ts';
import { UnreadBytes } from './unread-bytes.ts';

/** Byte order marks, each with the encoding of the text after it. */
const MARKS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: null },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** The first bytes of a workbook: a ZIP archive (.xlsx, .ods) or a compound file (.xls). */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** The bytes of a file, in chunks. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const LONGEST_MARK = 4;

/**
 * Yields a text file as UTF-8, without a byte order mark. UTF-16 with a byte order mark, which Excel writes as "Unicode
 * text", is converted. The reader checks whether UTF-8 is valid. Throws `malformed_body`.
 *
 * @param charset the encoding of a file without a byte order mark, as `charsetOf`; UTF-8 if it is absent
 */
export async function* toUtf8(chunks: Chunks, charset?: string): AsyncGenerator<Uint8Array, void> {
  const text = new Utf8Reader(charset);
  for await (const chunk of chunks) yield text.read(chunk);
  yield text.end();
}

/** `toUtf8` for a file that is in memory as a whole; UTF-8 is not copied. */
export function utf8Of(bytes: Uint8Array, charset?: string): Uint8Array {
  const text = new Utf8Reader(charset);
  const [first, last] = [text.read(bytes), text.end()];
  return first.length > 0 ? first : last;
}

class Utf8Reader {
  /** The first bytes, until there are enough to find a mark. */
  #start = new Uint8Array();
  #translator: Translator | null = null;
  readonly #charset: string | undefined;

  constructor(charset: string | undefined) {
    this.#charset = charset;
  }

  read(chunk: Uint8Array): Uint8Array {
    if (this.#translator) return refuseNul(this.#translator.translate(chunk));
    const start = this.#start.length === 0 ? chunk : joined(this.#start, chunk);
    if (start.length >= LONGEST_MARK) return this.#begin(start);
    this.#start = Uint8Array.from(start);
    return new Uint8Array();
  }

  end(): Uint8Array {
    const begun = this.#translator ? new Uint8Array() : this.#begin(this.#start);
    return joined(begun, this.#translator!.end());
  }

  #begin(start: Uint8Array): Uint8Array {
    this.#translator = translatorOf(start, this.#charset);
    return refuseNul(this.#translator.translate(start.subarray(this.#translator.markBytes)));
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

interface Translator {
  readonly markBytes: number;
  readonly translate: (bytes: Uint8Array) => Uint8Array;
  readonly end: () => Uint8Array;
}

function translatorOf(start: Uint8Array, charset: string | undefined): Translator {
  const begins = (mark: readonly number[]) => mark.every((byte, index) => start[index] === byte);
  if (WORKBOOKS.some(begins)) {
    throw new AppError(
      'malformed_body',
      'The file is a spreadsheet workbook. Save the sheet as CSV, and send that file.',
    );
  }
  const said = charset === undefined || charset === 'utf-8' ? null : charset;
  const { mark, encoding } = MARKS.find(({ mark }) => begins(mark)) ?? { mark: [], encoding: said };
  if (encoding === null) return { markBytes: mark.length, translate: (bytes) => bytes, end: () => new Uint8Array() };
  const [decoder, encoder] = [new TextDecoder(encoding, { fatal: true, ignoreBOM: true }), new TextEncoder()];
  const decode = (bytes: Uint8Array, isEnd: boolean) => {
    try {
      return encoder.encode(decoder.decode(bytes, { stream: !isEnd }));
    } catch (cause) {
      const name = encoding.startsWith('utf-16') ? 'UTF-16' : encoding;
      throw new UnreadBytes(
        `The file is not valid ${name}. Name its encoding with charset, or save it as UTF-8.`,
        encoding,
        cause,
      );
    }
  };
  return {
    markBytes: mark.length,
    translate: (bytes) => decode(bytes, false),
    end: () => decode(new Uint8Array(), true),
  };
}

function refuseNul(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0)) return bytes;
  const encoding = utf16Of(bytes);
  if (encoding === null) throw new AppError('malformed_body', 'The file holds a NUL character. Save it as UTF-8.');
  const sentence = `The file seems to be UTF-16 without a byte order mark. Name its encoding, as charset=${encoding}, or save it as UTF-8.`;
  throw new UnreadBytes(sentence, encoding);
}
