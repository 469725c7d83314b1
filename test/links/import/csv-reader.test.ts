import { expect, it } from 'vitest';
import { CsvReader } from '../../../src/links/import/csv-reader.ts';

it('notes the first rows with misplaced quotes, and not millions of them', () => {
  const reader = new CsvReader(() => 1);
  expect([...reader.read(Buffer.from(`url\n${'""x\n'.repeat(50_000)}`))]).toEqual([]);
  expect(() => [...reader.end()]).toThrow(
    'Rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 … have misplaced quotes. Put quotes around the whole cell, and write "" for a quote in it.',
  );
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
