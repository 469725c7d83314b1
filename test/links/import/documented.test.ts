import { expect, it } from 'vitest';
import page from '../../../docs/import.md?raw';
import type { Format } from '../../../src/links/import/formats/format.ts';
import { Reading } from '../../../src/links/import/formats/reading.ts';
import { FORMATS } from '../../../src/links/import/formats/table.ts';

const site = { requestUrl: new URL('https://terse.test/'), publicUrl: null };

/** The fields of a link that a format keeps, besides the destination and the address. */
function keptBy({ id, columns }: Format): string[] {
  const reading = new Reading({ from: id }, site);
  reading.begin(Object.keys(columns));
  const fields = new Set(reading.columns.map(({ field }) => field));
  return [...fields].filter((field) => field !== null && !['url', 'slug', 'custom_domain'].includes(field)) as string[];
}

it('documents what each format keeps', () => {
  const rows = [...page.matchAll(/^\| (\S+) +\| `([a-z_]+)` +\|[^|]*\| (`.*?) +\|$/gm)];
  const documented = rows
    .filter(([, name]) => name !== 'service')
    .map(([, name, id, kept = '']) => ({ id, name, kept: kept.replaceAll('`', '').split(', ').toSorted() }));
  expect(documented).toEqual(
    FORMATS.map((format) => ({ id: format.id, name: format.name, kept: keptBy(format).toSorted() })),
  );
});
