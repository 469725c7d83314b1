import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ROOT } from './support/project.ts';

const FOLDER = join(ROOT, 'public/assets');

/** The viewer of the API document, which is on no page of the platform. */
const OF_THE_VIEWER = new Set(['scalar.js', 'docs.js']);

const sizeOf = (name: string) => gzipSync(readFileSync(join(FOLDER, name))).length;

it('the scripts of the pages are these', () => {
  const scripts = readdirSync(FOLDER).filter((name) => name.endsWith('.js') && !OF_THE_VIEWER.has(name));
  expect(scripts.toSorted()).toEqual(['import.js', 'platform.js']);
});

// That of all pages, and that of the one page that imports files.
it.each(['platform.js', 'import.js'])('%s takes less than 16 KB, compressed', (name) => {
  expect(sizeOf(name)).toBeGreaterThan(1000);
  expect(sizeOf(name)).toBeLessThan(16 * 1024);
});
