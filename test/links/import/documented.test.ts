import { expect, it } from 'vitest';
import page from '../../../docs/import.md?raw';
import { keptBy } from '../../../scripts/doc-tables.ts';
import { FORMATS } from '../../../src/links/import/formats/table.ts';

it('documents which files are recognised, and what is kept of each', () => {
  const rows = [...page.matchAll(/^\| (\S.*?) +\| `([a-z_]+)` +\| (.*?) +\| (.*?) *\|$/gm)];
  const documented = rows
    .filter(([, name]) => name !== 'service')
    .map(([, name, id, file, kept = '']) => ({ id, name, file, kept: kept.match(/[a-z_]+/g) ?? [] }));
  const expected = FORMATS.map((format) => ({
    id: format.id,
    name: format.name,
    file: format.file,
    kept: keptBy(format),
  }));
  expect(documented).toEqual(expected);
});
