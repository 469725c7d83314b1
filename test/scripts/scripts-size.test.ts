import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { PLATFORM_LANGUAGES } from '../../src/languages/list.ts';
import { ROOT } from './support/project.ts';

const FOLDER = join(ROOT, 'public/assets');

const sizeOf = (name: string) => gzipSync(readFileSync(join(FOLDER, name))).length;

/** The scripts that each language has. */
const OTHERS = PLATFORM_LANGUAGES.filter((language) => language !== 'en');
const inLanguages = (name: string) => [`${name}.js`, ...OTHERS.map((language) => `${name}-${language}.js`)];

it('the scripts of the pages are these', () => {
  const scripts = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
  const others = ['docs-search.js', 'docs-try.js', 'docs.js', 'front-qr.js', 'front.js', 'scalar.js'];
  const ours = ['import', 'passkeys', 'platform'].flatMap(inLanguages);
  expect(scripts.toSorted()).toEqual([...others, ...ours].toSorted());
});

// Those of all pages of the platform, of the one that imports files, of those with passkeys, and of the front page.
it.each([...inLanguages('platform'), ...inLanguages('import'), ...inLanguages('passkeys'), 'front.js', 'front-qr.js'])(
  '%s takes less than 17 KB, compressed',
  (name) => {
    expect(sizeOf(name)).toBeGreaterThan(1000);
    expect(sizeOf(name)).toBeLessThan(17 * 1024);
  },
);
