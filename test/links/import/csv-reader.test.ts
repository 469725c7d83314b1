import { expect, it } from 'vitest';
import { CsvReader } from '../../../src/links/import/csv-reader.ts';

it('notes the first rows with misplaced quotes, and not millions of them', () => {
  const reader = new CsvReader(() => 1);
  expect([...reader.read(Buffer.from(`url\n${'""x\n'.repeat(50_000)}`))]).toEqual([]);
  expect(() => [...reader.end()]).toThrow(
    'Rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 … have misplaced quotes. Put quotes around the whole cell, and write "" for a quote in it.',
  );
});

it.each(['\n', '\r', '\r\n'])('each row has its bytes with its line end, which is %j', (lineEnd) => {
  const rows = [`"a${lineEnd}b",c${lineEnd}`, `d,e${lineEnd}`, 'f,g'];
  const file = Buffer.from(`url,slug${lineEnd}${rows.join('')}`);
  const reader = new CsvReader(() => 2);
  const read = [...reader.read(file.subarray(0, 20)), ...reader.read(file.subarray(20)), ...reader.end()];
  // The second character of a line end comes when the row has been yielded.
  const bytes = read.map(({ begin, end }) => file.toString('utf8', begin, end).replace(/\r$/, lineEnd));
  expect(bytes).toEqual(rows);
});

it('below a header of one column, a separator is one only behind a quoted cell and at the end of a row', () => {
  const reader = new CsvReader(() => 1);
  const file = 'url\nplain,;x\n,begins\n"quoted";\n"quoted", \t|\n"quoted"\n"quoted",more\nended;;\n';
  expect([...reader.read(Buffer.from(file))].map(({ cells, cellCount }) => [...(cells ?? []), cellCount])).toEqual([
    ['plain,;x', 1],
    [',begins', 1],
    ['quoted', 1],
    ['quoted', 1],
    ['quoted', 1],
    ['quoted', 2],
    ['ended', 1],
  ]);
  expect([...reader.end()]).toEqual([]);
});
