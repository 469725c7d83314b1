import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ROOT } from './support/project.ts';

const FOLDER = join(ROOT, 'public/assets');

/** The viewer of the API document, which is on no page of the platform. */
const OF_THE_VIEWER = new Set(['scalar.js', 'docs.js']);

it('all scripts of the pages take less than 16 KB, compressed', () => {
  const scripts = readdirSync(FOLDER).filter((name) => name.endsWith('.js') && !OF_THE_VIEWER.has(name));
  expect(scripts).toEqual(['platform.js']);
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(FOLDER, name))).length, 0);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(16 * 1024);
});
