import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';
import english from '../../src/languages/platform/en.ts';
import { ROOT } from './support/project.ts';

const FOLDER = 'src/platform';

/** The page of components is for people who change them, and in English. */
const IN_ENGLISH = /^src\/platform\/kit-page\//;

/** The properties whose texts people read or hear. */
const SHOWN =
  'children|title|label|named|within|hint|lead|caption|placeholder|alt|"aria-label"|term|heading|note|advice|sentence|text|description|summary';

/** Sentences that the API says too, which the pages translate when they show them. */
const OF_API = new Set(Object.values(english.faults).map(String));

/** Code, and what browsers call themselves. */
const CODE = /^(?:Mozilla\/|curl |-F |Node$|terse )/;

/** Names of technology, which are the same in every language. */
const NAMES = new Set([
  'CSV',
  'NDJSON',
  'JSON',
  'PNG',
  'SVG',
  'TXT',
  'CNAME',
  'QR',
  'URL',
  'UTM',
  'HTTP',
  'Ctrl K',
  'API',
]);

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));

const isKey = (text: string) => /^[a-zA-Z]+\.[\w.-]+$/.test(text);
const isKnown = (text: string) => isKey(text) || NAMES.has(text) || OF_API.has(text) || CODE.test(text);

/** The texts in a source that look as if people read them. */
function textsIn(path: string): string[] {
  const { code } = transformSync(readFileSync(join(ROOT, path), 'utf8'), {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
  });
  // Sentences of errors are those of the API, or for developers.
  const own = code.replaceAll(/(?:new (?:App)?Error|fieldError)\((?:[^()]|\([^()]*\))*\)/g, '');
  const texts = [
    ...own.matchAll(new RegExp(`(?:${SHOWN}): \\[?\\s*(["'\`])(.*?)\\1`, 'g')),
    // A sentence.
    ...own.matchAll(/(["'`])([A-Z][a-z’]* (?:[a-z’]+ )[^"'`]*[.?…])\1/g),
    // A text beside others in an element.
    ...own.matchAll(/^\s*(["'`])([^"'`]*)\1,?$/gm),
  ].map(([, , text = '']) => text.replaceAll(/\$\{[^}]*\}/g, '').trim());
  return texts.filter((text) => /[A-Za-z]{3}/.test(text) && /[A-Z ]/.test(text) && !isKnown(text));
}

it('the pages have no words of their own: all of them are in the dictionary', () => {
  const paths = filesIn(FOLDER).filter((path) => !IN_ENGLISH.test(path));
  expect(paths.length).toBeGreaterThan(200);
  expect(paths.flatMap((path) => textsIn(path).map((text) => `${path}: ${text}`))).toEqual([]);
});
