import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { formatOf } from '../../../src/links/import/file-kinds.ts';
import { parseLinkFile } from '../../../src/links/import/import-file.ts';
import { cutFile, pieceFrom } from '../../../src/links/import/pieces.ts';
import { exportOf, EXPORTS, FORMAT_OF } from '../../support/exports.ts';

/** Each file of another service is taken for one of that service, however it was saved since. */

const site = { requestUrl: new URL('https://terse.test/v1/links/import'), publicUrl: new URL('https://terse.test') };

async function read(name: string, text: string | Uint8Array, options: Parameters<typeof parseLinkFile>[3] = {}) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return parseLinkFile([bytes], formatOf(name), site, options);
}

const idOf = async (name: string, text: string) => (await read(name, text)).format;

/** The rows of a file without line ends in its cells, and how a table of its kind is written. */
function tableOf(name: string) {
  const text = exportOf(name, 'go.example.com');
  const [header = ''] = text.split('\n', 1);
  const mark = /[,;\t|]/.exec(header)?.[0] ?? ',';
  const cell = new RegExp(`\\${mark}("(?:[^"]|"")*"|[^\\${mark}]*)`, 'g');
  const rows = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => [...`${mark}${line}`.matchAll(cell)].map(([, it = '']) => it));
  const write = (table: readonly (readonly string[])[]) => table.map((cells) => `${cells.join(mark)}\n`).join('');
  return { rows, write };
}

const HEADLESS = new Set(['yourls-phpmyadmin.csv', 'urls.txt']);
// A cell of it has two lines, and of the other file the columns alone say what it is.
const TABLES = EXPORTS.filter((name) => /\.[ct]sv$/.test(name) && !HEADLESS.has(name) && name !== 'yourls.csv');

const format = (name: string) => ({ ...FORMAT_OF[name]!, by: 'recognised' });

it('the samples have one of each service, and of each way to export from it', () => {
  expect(Object.keys(FORMAT_OF).toSorted()).toEqual(EXPORTS.toSorted());
});

describe.each(EXPORTS)('%s', (name) => {
  const text = exportOf(name, 'go.example.com');

  it('a file of another service is recognised as what it is, and no other', async () => {
    expect(await idOf(name, text)).toEqual(format(name));
  });

  it('a file of another service is recognised with a byte order mark, line ends of Windows, and both', async () => {
    const windows = text.replaceAll(/\r?\n/g, '\r\n');
    for (const saved of [`\uFEFF${text}`, windows, `\uFEFF${windows}`]) {
      expect(await idOf(name, saved)).toEqual(format(name));
    }
  });

  it('a file of another service is recognised by its pieces, whose rows have the numbers of the file', async () => {
    const bytes = Buffer.from(text);
    const whole = await read(name, text);
    const numbers: number[] = [];
    const cut = cutFile(formatOf(name), bytes);
    for (let piece = pieceFrom(cut, 0, { maxRows: 1, maxBytes: 100_000 }); piece;) {
      const from = piece.from === 0 ? {} : { from: whole.format.id };
      const part = await read(name, piece.bytes!, { ...from, rowsBefore: piece.rowsBefore });
      expect(part.format.id).toBe(whole.format.id);
      numbers.push(...[...part.rows, ...part.skipped].map(({ number }) => number));
      piece = pieceFrom(cut, piece.to, { maxRows: 1, maxBytes: 100_000 });
    }
    const expected = [...whole.rows, ...whole.skipped].map(({ number }) => number);
    expect(numbers).toEqual(expected.toSorted((one, other) => one - other));
  });
});

describe.each(TABLES)('%s', (name) => {
  const { rows, write } = tableOf(name);

  it('a file of another service is recognised with its columns in any order', async () => {
    const reversed = rows.map((cells) => cells.toReversed());
    const rotated = rows.map(([first = '', ...others]) => [...others, first]);
    for (const table of [reversed, rotated]) expect(await idOf(name, write(table))).toEqual(format(name));
  });

  it('a file of another service is recognised with one row', async () => {
    const { format: found, rows: links, skipped } = await read(name, write(rows.slice(0, 2)));
    expect([found, links.length + skipped.length]).toEqual([format(name), 1]);
  });
});

// With other columns, a file of these two is one of this service.
it.each(TABLES.filter((name) => name !== 'tiny-cc-short.csv'))(
  'a file of %s is recognised with further columns',
  async (name) => {
    const { rows, write } = tableOf(name);
    const wider = rows.map((cells, index) => [...cells, index === 0 ? 'Folder' : 'x', index === 0 ? 'QR code' : '']);
    expect(await idOf(name, write(wider))).toEqual(format(name));
  },
);

it("an export of another service is not this service's own, and the reverse", async () => {
  const columns = 'id,short_url,url,slug,custom_domain,title,tags,created_at,clicks,clicks_left,imported_clicks';
  const own = `${columns}\nabc,https://terse.test/own,https://example.com/,own,,T,"a,b",2026-01-01T00:00:00.000Z,3,,4\n`;
  expect(await idOf('own.csv', own)).toEqual({ id: 'terse', name: 'Terse', by: 'recognised' });
  expect(await idOf('own.csv', 'short_url,url\nhttps://terse.test/a,https://example.com/\n')).toMatchObject({
    id: 'terse',
  });
  expect(await idOf('own.csv', 'url;title\nhttps://example.com/;T\n')).toMatchObject({ id: 'terse' });
});

describe('a file that is named as another kind', () => {
  it.each(['golink.ndjson', 'sink.json', 'dub.json', 'yourls-stats.json'])(
    'a file that is named as another kind is read by its content: %s',
    async (name) => {
      const text = exportOf(name, 'go.example.com');
      const names = name.endsWith('.json') ? ['export.txt'] : ['export.json', 'export', 'links.txt'];
      for (const other of names) expect(await idOf(other, text)).toEqual(format(name));
    },
  );

  it('a file that is named as another kind can be one line of JSON, with a link or with a list', async () => {
    const line = '{"Short":"a","Long":"https://example.com/","Owner":"b@example.com","Created":"2022-06-02T01:02:03Z"}';
    expect(await idOf('export.json', line)).toMatchObject({ id: 'golink' });
    const list =
      '{"count":1,"links":[{"slug":"a","url":"https://example.com/","createdAt":1}],"home":"https://example.com/"}';
    expect(await idOf('export.json', list)).toMatchObject({ id: 'sink' });
  });
});

describe('a list of URLs', () => {
  const urlsOf = async (text: string, name = 'urls.txt') => {
    const { format: found, rows } = await read(name, text);
    expect(found).toEqual({ id: 'url_list', name: 'List of URLs', by: 'recognised' });
    return rows.map(({ content }) => (content instanceof AppError ? content.code : content.url));
  };

  it.each<[what: string, text: string, urls: readonly string[]]>([
    ['one URL', 'https://example.com/a', ['https://example.com/a']],
    ['a comma in a URL', 'https://example.com/a,b', ['https://example.com/a,b']],
    [
      'quotes around each',
      '"https://example.com/a"\n"https://example.com/b"\n',
      ['https://example.com/a', 'https://example.com/b'],
    ],
    ['no schemes', 'example.com/a\nexample.org:8080\n', ['https://example.com/a', 'https://example.org:8080/']],
    [
      'comments, blank lines and spaces',
      '\n# a, b\n\n  https://example.com/a  \n#\nexample.com/b\n',
      ['https://example.com/a', 'https://example.com/b'],
    ],
    [
      'a line that is no URL',
      'https://example.com/a\nnot a url\nhttps://example.com/b',
      ['https://example.com/a', 'invalid_url', 'https://example.com/b'],
    ],
    [
      'a mark in some of them',
      'https://example.com/a;b\nhttps://example.com/c|d,e\n',
      ['https://example.com/a;b', 'https://example.com/c|d,e'],
    ],
  ])('a list of URLs can have %s', async (_, text, urls) => {
    expect(await urlsOf(text)).toEqual(urls);
    expect(await urlsOf(text, 'links.csv')).toEqual(urls);
  });

  it.each([
    ['a table without a header', 'https://example.com/a,one\nhttps://example.com/b,two\n'],
    ['two URLs in a line', 'https://s.example/a,https://example.com/b\n'],
    ['a name', 'links\nhttps://example.com/\n'],
  ])('a list of URLs is not %s', async (_, text) => {
    await expect(read('urls.txt', text)).rejects.toThrow(/^There (is no column|are no columns) /);
  });
});
