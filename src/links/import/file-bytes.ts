import { AppError } from '../../errors.ts';

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
 */
export async function* toUtf8(chunks: Chunks): AsyncGenerator<Uint8Array, void> {
  let start = new Uint8Array();
  let translator: Translator | null = null;
  for await (const chunk of chunks) {
    if (translator) {
      yield refuseNul(translator.translate(chunk));
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < LONGEST_MARK) continue;
    translator = translatorOf(start);
    yield refuseNul(translator.translate(start.subarray(translator.markBytes)));
  }
  translator ??= translatorOf(start);
  if (start.length < LONGEST_MARK) yield refuseNul(translator.translate(start.subarray(translator.markBytes)));
  yield translator.end();
}

interface Translator {
  readonly markBytes: number;
  readonly translate: (bytes: Uint8Array) => Uint8Array;
  readonly end: () => Uint8Array;
}

function translatorOf(start: Uint8Array): Translator {
  const begins = (mark: readonly number[]) => mark.every((byte, index) => start[index] === byte);
  if (WORKBOOKS.some(begins)) {
    throw new AppError(
      'malformed_body',
      'The file is a spreadsheet workbook. Save the sheet as CSV, and send that file.',
    );
  }
  const { mark = [], encoding = null } = MARKS.find(({ mark }) => begins(mark)) ?? {};
  if (encoding === null) return { markBytes: mark.length, translate: (bytes) => bytes, end: () => new Uint8Array() };
  const [decoder, encoder] = [new TextDecoder(encoding, { fatal: true, ignoreBOM: true }), new TextEncoder()];
  const decode = (bytes: Uint8Array, isEnd: boolean) => {
    try {
      return encoder.encode(decoder.decode(bytes, { stream: !isEnd }));
    } catch (cause) {
      throw new AppError('malformed_body', 'The file is not valid UTF-16. Save it as UTF-8.', { cause });
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
  throw new AppError('malformed_body', 'The file holds a NUL character. Save it as UTF-8.');
}
