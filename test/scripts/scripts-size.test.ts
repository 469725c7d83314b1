import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ROOT } from './support/project.ts';

const FOLDER = join(ROOT, 'public/assets');

const sizeOf = (name: string) => gzipSync(readFileSync(join(FOLDER, name))).length;

it('the scripts of the pages are these', () => {
  const scripts = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
  expect(scripts.toSorted()).toEqual([
    'docs-search.js',
    'docs-try.js',
    'docs.js',
    'front-qr.js',
    'front.js',
    'import.js',
    'platform.js',
    'scalar.js',
  ]);
});

// Those of all pages of the platform, of the one that imports files, and of the front page.
it.each(['platform.js', 'import.js', 'front.js', 'front-qr.js'])('%s takes less than 16 KB, compressed', (name) => {
  expect(sizeOf(name)).toBeGreaterThan(1000);
  expect(sizeOf(name)).toBeLessThan(16 * 1024);
});
