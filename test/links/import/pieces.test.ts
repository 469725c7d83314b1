import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { readCsv, type RawRow } from '../../../src/links/import/csv-file.ts';
import type { FileFormat } from '../../../src/links/import/file-kinds.ts';
import { MAX_ROW_BYTES } from '../../../src/links/import/file-line.ts';
import { readJson, readNdjson } from '../../../src/links/import/json-file.ts';
import { cutFile, pieceFrom, type Piece } from '../../../src/links/import/pieces.ts';

/** A file that is imported in pieces has the rows, with the numbers, that the whole file has. */

const READERS = { csv: readCsv, ndjson: readNdjson, json: readJson };
const BOUNDS = { maxRows: 2, maxBytes: 1_000_000 };

async function readWhole(kind: FileFormat, bytes: Uint8Array): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  for await (const row of READERS[kind]([bytes], { isOwn: false, begin: () => {} })) rows.push(row);
  return rows;
}

function piecesOf(kind: FileFormat, bytes: Uint8Array, bounds = BOUNDS): Piece[] {
  const file = cutFile(kind, bytes);
  const pieces: Piece[] = [];
  for (let piece = pieceFrom(file, 0, bounds); piece; piece = pieceFrom(file, piece.to, bounds)) pieces.push(piece);
  expect(pieces.at(-1)?.to ?? 0).toBe(file.rowCount);
  return pieces;
}

async function readPieces(kind: FileFormat, bytes: Uint8Array): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  for (const piece of piecesOf(kind, bytes)) {
    const { from, to, first, last, rowsBefore } = piece;
    const read = (await readWhole(kind, piece.bytes!)).map(([number, row]): RawRow => [number + rowsBefore, row]);
    expect([read.length, read[0]![0], read.at(-1)![0]]).toEqual([to - from, first, last]);
    rows.push(...read);
  }
  return rows;
}

async function expectSame(kind: FileFormat, text: string | Uint8Array): Promise<void> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const outcomes = await Promise.allSettled([readWhole(kind, bytes), readPieces(kind, bytes)]);
  const [whole, pieces] = outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value.map(([number, row]) => [number, outcomeOf(row)]);
    if (outcome.reason instanceof AppError) return outcome.reason.message;
    throw outcome.reason;
  });
  expect(pieces).toEqual(whole);
}

const outcomeOf = (row: RawRow[1]): unknown => (row instanceof AppError ? row.message : row);

const ROWS = 'a,https://e.com/a\nb,https://e.com/b\nc,https://e.com/c\nd,https://e.com/d\ne,https://e.com/e\n';

describe('the pieces of a CSV', () => {
  it.each<[what: string, file: string | Uint8Array]>([
    ['a header alone', 'slug,url\n'],
    ['a blank line before the header', `\nslug,url\n${ROWS}`],
    ['a line of separators before the header', `,\nslug,url\n${ROWS}`],
    ['a line that names the separator, and a blank one', `sep=;\n\nslug;url\n${ROWS.replaceAll(',', ';')}`],
    ['a line that names the separator', `sep=,\r\nslug,url\r\n${ROWS.replaceAll('\n', '\r\n')}`],
    ['lone carriage returns', `slug,url\r${ROWS.replaceAll('\n', '\r')}`],
    ['line ends of all kinds', `slug,url\ra,b\nc,d\n\n\r\n\re,f\r\n\ng,h\r\r\ni,j`],
    ['line ends within quotes', `slug,url\n"a\n\n1",b\n\n"c\r\n",d\ne,"""\n"""\n"f" ,g`],
    ['a byte order mark', `\ufeffslug,url\n${ROWS}`],
    ['UTF-16', Buffer.from(`\ufeffslug\turl\r\n${'größe\t😀\r\n'.repeat(5)}`, 'utf16le')],
    ['rows that are empty but for separators', `slug,url,,\na,b,,\n,,,\n\n,,,\nc,d,,\n,,,\ne,f,,\n`],
    ['ragged rows', `slug,url\na\nb,c\nd,e,f,g\nh,i\n`],
    ['a row that is longer than a link can be', `slug,url\na,b\nc,${'x'.repeat(MAX_ROW_BYTES)}\nd,e\n`],
    ['nothing', ''],
    ['line ends alone', '\r\n\n'],
    ['misplaced quotes', `slug,url\n"a"x,b\n\nc,d\n"e\nf" ,"g"h\n"i`],
    ['too many columns', `url${',x'.repeat(70)}\n`],
    ['a header without an end', `url,${'x'.repeat(70_000)}`],
    ['bad UTF-8', Buffer.from('75726c0a610a62ff0a', 'hex')],
    ['half a character of UTF-16', Buffer.from('fffe750072', 'hex')],
    ['half a surrogate pair of UTF-16', Buffer.from('fffe75000a003dd80a00', 'hex')],
    ['a NUL', 'slug,url\na,b\0\n'],
    ['a workbook', Buffer.from('504b03041400', 'hex')],
    ['two bytes', 'a\n'],
  ])('the pieces of a CSV have the rows of the whole: %s', async (_, file) => {
    await expectSame('csv', file);
  });

  it('the pieces of a CSV have the rows of the whole, whatever is in the file', async () => {
    const part = fc.constantFrom('a', 'é', ',', ';', '"', '""', '"b"', '\n', '\r', '\r\n', ' ', 'sep=,');
    const file = fc.array(part, { maxLength: 60 }).map((parts) => `slug,url\n${parts.join('')}`);
    await fc.assert(
      fc.asyncProperty(
        file,
        fc.constantFrom('', '\n', ',\r\n', 'sep=,\n', 'sep=,\n\n', '\ufeff'),
        async (text, start) => expectSame('csv', start + text),
      ),
      { numRuns: 1000 },
    );
  });

  it('the pieces of a CSV begin with the header, and have no empty rows between it and their rows', () => {
    const file = `\nslug,url\n\n\na,b\n\nc,d\n\n\ne,f\n\n`;
    const pieces = piecesOf('csv', Buffer.from(file));
    expect(pieces.map(({ bytes }) => Buffer.from(bytes!).toString())).toEqual([
      '\nslug,url\na,b\n\nc,d\n',
      '\nslug,url\ne,f\n',
    ]);
  });

  it('the pieces of a CSV are as long as they may be, and a longer row is one without content', () => {
    const long = `d,${'x'.repeat(30)}`;
    const pieces = piecesOf('csv', Buffer.from(`h,i\na,1\nb,2\nc,3\n\n${long}\ne,5\n`), { maxRows: 9, maxBytes: 12 });
    const shown = pieces.map(({ bytes, first, last }) => [bytes && Buffer.from(bytes).toString(), first, last]);
    expect(shown).toEqual([
      ['h,i\na,1\nb,2\n', 2, 3],
      ['h,i\nc,3\n', 4, 4],
      [null, 6, 6],
      ['h,i\ne,5\n', 7, 7],
    ]);
  });
});

describe('the pieces of NDJSON and JSON', () => {
  const item = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.record({ url: fc.string(), tags: fc.array(fc.string()) }));

  it('the pieces of NDJSON and JSON have the rows of the whole as NDJSON, with empty lines and without a last line end', async () => {
    const lines = fc.array(
      fc.oneof(
        item.map((it) => JSON.stringify(it)),
        fc.constantFrom('', ' ', '\r', '{'),
      ),
    );
    await fc.assert(fc.asyncProperty(lines, async (all) => expectSame('ndjson', all.join('\n'))));
  });

  it.each([
    '[]',
    '{"page":1,"data":[{"a":1}, {"a":2} ,\n{"a":"],["},3,{"a":4}],"next":[5]}',
    '[{"a":1},{"a":2},{"a":3},]',
    '[{"a":1},{"a":2},{"a":3}',
    '{"a":1}',
    `[1,{"a":"${'x'.repeat(MAX_ROW_BYTES)}"},{"a":3}]`,
    '{"n":1,"links":{"link_1":{"a":1}, "link_2" :{"a":"},"},\n"link_3":{"a":[{}]} },"stats":{"b":2}}',
    '{"links":{"link_1":{"a":1},{"a":2}}}',
  ])('the pieces of NDJSON and JSON have the rows of the whole as JSON: %s', async (text) => {
    await expectSame('json', text);
  });

  it('the pieces of NDJSON and JSON have the rows of the whole as JSON with any items', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item), fc.nat(2), async (list, blanks) =>
        expectSame('json', JSON.stringify({ data: list }, null, blanks)),
      ),
    );
  });
});
