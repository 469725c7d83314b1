import { expect, it } from 'vitest';
import { CsvReader } from '../../../src/links/import/csv-reader.ts';

it('notes the first rows with misplaced quotes, and not millions of them', () => {
  const reader = new CsvReader(() => 1);
  const rows = [...reader.read(Buffer.from(`url\n${'""x\n'.repeat(50_000)}`)), ...reader.end()];
  expect(rows).toEqual([]);
  expect([...reader.badQuotes].slice(0, 12)).toEqual(Array.from({ length: 12 }, (_, index) => index + 2));
  expect(reader.badQuotes.size).toBeLessThan(100);
});
