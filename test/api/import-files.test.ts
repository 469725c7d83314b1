import { describe, expect, it } from 'vitest';
import { importFile, openClient, sendFile, outcomesOf } from '../support/files.ts';
import { rowsOf } from '../support/seed.ts';

/** Which files an import takes, and how it refuses the others: as a whole, and with nothing written. */

const URL_LINE = 'https://example.com/';
const CURE =
  'If another service has written the file, name it with from, such as from=bitly, or name its columns with map_url, ' +
  'map_slug and others, such as map_url=COLUMN.';
const bytes = (...pieces: readonly (string | readonly number[])[]) =>
  Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece))));

it.each(['constructor', '__proto__', 'toString'])('takes a file of the type %s by its name', async (type) => {
  const manager = await openClient();
  const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: ${type}\r\n\r\n`;
  const response = await sendFile(manager, `${part}url\n${URL_LINE}\r\n--x--\r\n`, {
    type: 'multipart/form-data; boundary=x',
  });
  expect(response.status).toBe(200);
  expect(outcomesOf(await response.json())).toEqual(['created']);
});

describe('an import as CSV', () => {
  it.each<[what: string, file: string | Uint8Array, outcomesOf: readonly string[]]>([
    ['a byte order mark', bytes([0xef, 0xbb, 0xbf], `url\n${URL_LINE}\n`), ['created']],
    ['CRLF', `url,campaign_name\r\n${URL_LINE},a\r\n${URL_LINE},b\r\n`, ['created', 'created']],
    ['lone carriage returns', `url,campaign_name\r${URL_LINE},a\r${URL_LINE},b`, ['created', 'created']],
    ['line ends of all kinds', `url,campaign_name\r\n${URL_LINE},a\n"${URL_LINE}",b\r\n`, ['created', 'created']],
    ['no line end at its end', `url\n${URL_LINE}`, ['created']],
    ['empty lines', `\n\nurl\n\n${URL_LINE}\n\r\n\n`, ['created']],
    ['a line end within quotes', `url,metadata\n${URL_LINE},"{\r\n""a"":\n1}"\n${URL_LINE},\n`, ['created', 'created']],
    ['quotes around everything', `"url","campaign_name"\r\n"${URL_LINE}","a ""b"", c"\r\n`, ['created']],
    [
      'a quote within a cell',
      `url,campaign_name\r\n${URL_LINE},5" nails\r\n${URL_LINE},"a ""b"""\r\n${URL_LINE},c\r\n`,
      ['created', 'created', 'created'],
    ],
    ['a byte order mark before a quote', bytes([0xef, 0xbb, 0xbf], `"url"\r\n"${URL_LINE}"\r\n`), ['created']],
    ['a header and no more', 'slug,url\n', []],
    ['a URL in each line', `${URL_LINE}a,b\n\n# c\nexample.com/d\n`, ['created', 'created']],
    ['bars between cells', `title|url\na|${URL_LINE}\n"b|c"|${URL_LINE}\n`, ['created', 'created']],
    ['a header without a line end', 'slug,url', []],
    [
      'ragged rows',
      `url,sec_id\n${URL_LINE}\n${URL_LINE},a\n${URL_LINE},a,b\n`,
      ['malformed_row', 'created', 'malformed_row'],
    ],
  ])('an import as CSV takes %s', async (_, file, expected) => {
    const manager = await openClient();
    const response = await sendFile(manager, file);
    expect(response.status).toBe(200);
    expect(outcomesOf(await response.json())).toEqual(expected);
  });

  it('an import as CSV keeps what is quoted byte for byte', async () => {
    const manager = await openClient();
    const metadata = '{\r\n"a":\n1,\r"b": " ,\\"" }';
    const file = `url,metadata\r\n${URL_LINE},"${metadata.replaceAll('"', '""')}"\r\n`;
    expect((await importFile(manager, file)).results[0]?.link?.metadata).toBe(metadata);
  });

  it.each([
    ['an empty file', '', 'malformed_body: The file is empty. Begin with a line that names the columns.'],
    ['nothing but line ends', '\r\n\n', 'malformed_body: The file is empty. Begin with a line that names the columns.'],
    [
      'a byte order mark alone',
      bytes([0xef, 0xbb, 0xbf]),
      'malformed_body: The file is empty. Begin with a line that names the columns.',
    ],
    [
      'a header without an end',
      `url,${'x'.repeat(70_000)}`,
      'malformed_body: The header is longer than 65536 bytes. Begin the file with a line of column names.',
    ],
    [
      'bad UTF-8',
      bytes('url\nhttps://example.com/', [0xff], '\n'),
      'malformed_body: Row 2 of the file is not valid UTF-8. Save it as UTF-8, or name its encoding, such as charset=windows-1252.',
    ],
    [
      'half a character of UTF-16',
      bytes([0xff, 0xfe], [0x75, 0, 0x72]),
      'malformed_body: The file is not valid UTF-16. Name its encoding with charset, or save it as UTF-8.',
    ],
    [
      'UTF-16 that does not say so',
      bytes([0x75, 0, 0x72, 0]),
      'malformed_body: The file seems to be UTF-16 without a byte order mark. Name its encoding, as charset=utf-16le, or save it as UTF-8.',
    ],
    [
      'a workbook',
      bytes([0x50, 0x4b, 0x03, 0x04, 0x14, 0]),
      'malformed_body: The file is a spreadsheet workbook. Save the sheet as CSV, and send that file.',
    ],
    ['NUL', `url\nhttps://example.com/\0\n`, 'malformed_body: The file holds a NUL character. Save it as UTF-8.'],
    [
      'an unknown column',
      `url,colour\n${URL_LINE},red\n`,
      `unknown_field: There is no column "colour" here. Leave it out. ${CURE} Its first row is "url": "${URL_LINE}", "colour": "red".`,
    ],
    [
      'columns without rows',
      'Name;Long link\n',
      'unknown_field: There are no columns "Name" and "Long link" here. Leave them out. url is required: add a column ' +
        `of that name to the header. ${CURE}`,
    ],
    [
      'a first row with long and strange cells',
      `Long link,${'n'.repeat(80)},c,d,e,f,g,h,i,j\n"https://example.com/\u202e<b>",${'x'.repeat(80)},"two\nlines",,,,,,,\n`,
      `unknown_field: There are no columns "Long link", "${'n'.repeat(64)}…", "c", "d", "e", "f", "g", "h", "i" and "j" here. ` +
        `Leave them out. url is required: add a column of that name to the header. ${CURE} Its first row is ` +
        `"Long link": "https://example.com/ <b>", "${'n'.repeat(64)}…": "${'x'.repeat(64)}…", "c": "two lines", ` +
        '"d": "", "e": "", "f": "", "g": "", "h": "" ….',
    ],
    [
      'a header with several faults',
      `slug, Colour,slug,"size (cm)",\na,b,c,d,e\n`,
      'unknown_field: There are no columns "Colour" and "size (cm)" here. Leave them out. ' +
        'The header has the column "slug" twice. Leave one out. url is required: add a column of that name to the header. ' +
        `${CURE} Its first row is "slug": "a", "Colour": "b", "slug": "c", "size (cm)": "d", "": "e".`,
    ],
    [
      'a column twice, in other words',
      `URL,url\n${URL_LINE},${URL_LINE}\n`,
      'repeated_field: The header has the column "url" twice. Leave one out.',
    ],
    [
      'too many columns',
      `url${',x'.repeat(70)}\n`,
      'malformed_body: The header has more than 64 columns. Leave out those that are not fields of a link.',
    ],
    [
      'misplaced quotes in several rows',
      `url,slug\n"${URL_LINE}"x,a\n\n${URL_LINE},b\n"a\nb" ,"c"d\n"${URL_LINE}`,
      'malformed_body: Rows 2, 5 and 6 have misplaced quotes. Put quotes around the whole cell, and write "" for a quote in it.',
    ],
    [
      'a column twice',
      `url,slug,url\n${URL_LINE},,${URL_LINE}\n`,
      'repeated_field: The header has the column "url" twice. Leave one out.',
    ],
    [
      'no column for the target',
      'slug\nabc\n',
      'missing_field: url is required: add a column of that name to the header.',
    ],
    [
      'a quote without an end',
      `url,sec_id\n${URL_LINE},a\n"${URL_LINE},b\n`,
      'malformed_body: Row 3 has a misplaced quote. Put quotes around the whole cell, and write "" for a quote in it.',
    ],
    [
      'text after a quote',
      `url,sec_id\n"${URL_LINE}"x,a\n`,
      'malformed_body: Row 2 has a misplaced quote. Put quotes around the whole cell, and write "" for a quote in it.',
    ],
    [
      'a bad quote in the header',
      `"url"x\n${URL_LINE}\n`,
      'malformed_body: Row 1 has a misplaced quote. Put quotes around the whole cell, and write "" for a quote in it.',
    ],
    [
      '5,001 rows',
      `url\n${`${URL_LINE}\n`.repeat(5001)}`,
      'too_many_rows: A file may have at most 5000 rows. Import it in parts.',
    ],
  ])('an import as CSV refuses %s as a whole', async (_, file, error) => {
    const manager = await openClient();
    const before = await rowsOf('links');
    const response = await sendFile(manager, file);
    expect(await response.json()).toEqual({ result: 'Failed', error });
    expect(response.status).toBe(400);
    expect(await rowsOf('links')).toEqual(before);
  });

  it('an import as CSV is not worn out by a file of line ends, or of cells', async () => {
    const manager = await openClient();
    const lines = await sendFile(manager, `url\n${'\r\n'.repeat(5_000_000)}`);
    expect([lines.status, await lines.json()]).toMatchObject([200, { results: [] }]);
    const header = await sendFile(manager, ','.repeat(10_000_000));
    expect(await header.json()).toEqual({
      result: 'Failed',
      error: expect.stringMatching(/^malformed_body: .*columns/),
    });
    expect(outcomesOf(await importFile(manager, `url\n${'"",'.repeat(3_000_000)}\n${URL_LINE}\n`))).toEqual([
      'created',
    ]);
    for (const cells of [`${'""'.repeat(5_000_000)},`, `"${'x'.repeat(10_000_000)}",`]) {
      const answer = await importFile(manager, `url\n${cells}\n${URL_LINE}\n`);
      expect(outcomesOf(answer)).toEqual(['malformed_row', expect.stringMatching(/^(created|unchanged)$/)]);
    }
  });
});
