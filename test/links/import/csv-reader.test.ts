import { expect, it } from 'vitest';
import { CsvReader } from '../../../src/links/import/csv-reader.ts';

it('notes the first rows with misplaced quotes, and not millions of them', () => {
  const reader = new CsvReader(() => 1);
  expect([...reader.read(Buffer.from(`url\n${'""x\n'.repeat(50_000)}`))]).toEqual([]);
  expect(() => [...reader.end()]).toThrow(
    'Rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 … have misplaced quotes. Put quotes around the whole cell, and write "" for a quote in it.',
  );
});
