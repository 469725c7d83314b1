import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SETTING_NAMES } from '../../src/config.ts';
import { STATUS_BY_CODE } from '../../src/errors.ts';
import { ROOT } from './support/project.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The cells of the table row that begins with a cell. */
const rowOf = (first: string) => readme.split('\n').find((line) => line.startsWith(`| ${first} `)) ?? '';

it('lists every error code, beside its status, and no other', () => {
  const listed = [...new Set(Object.values(STATUS_BY_CODE))].flatMap((status) =>
    [...rowOf(String(status)).matchAll(/`(\w+)`/g)].map(([, code]) => [code, status]),
  );
  expect(Object.fromEntries(listed)).toEqual(STATUS_BY_CODE);
});

it.each(SETTING_NAMES)('explains the setting %s', (name) => {
  expect(rowOf(`\`${name}\``)).not.toBe('');
});

it('names each endpoint once', () => {
  const cells = [...readme.matchAll(/^\| (`(?:GET|PATCH|POST)`?.*?) +\|/gm)].map(([, cell]) => cell);
  expect(cells.length).toBeGreaterThan(30);
  expect(cells).toEqual([...new Set(cells)]);
});
