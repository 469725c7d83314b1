import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/project.ts';

/** Files whose exports are taken by name otherwise: by workerd, by Miniflare, by code that a script writes, or all. */
const BY_NAME = [
  // The Worker of the tests, whose classes the platform takes by their names.
  /^test\/support\/worker\.ts$/,
  /^src\/index\.ts$/,
  /^bench\/[\w-]+\/worker\.ts$/,
  /^scripts\/(?:edge-socket|local-edge|confusables|trace\/recorder)\.ts$/,
  /^test\/system\/support\/cloudflare\/plugin\.ts$/,
  /^test\/support\/resources\/[\w-]+\.ts$/,
  // The build puts it in place of a package.
  /^scripts\/worker-build\/zlib\.mjs$/,
  /\.d\.ts$/,
];

const sources = globSync('{*.ts,{bench,browser,cli,client,scripts,src,test}/**/*.{ts,tsx,js,mjs}}', { cwd: ROOT })
  .filter((path) => !path.includes('node_modules'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

it('exports nothing that no other file imports', () => {
  const { imported, whole } = readImports();
  const exported = sources
    .filter(({ path }) => !whole.has(path) && !BY_NAME.some((pattern) => pattern.test(path)))
    .flatMap(({ path, text }) => exportsOf(text).map((name) => `${path}: ${name}`));
  expect(exported.length).toBeGreaterThan(2000);
  expect(exported.filter((each) => !imported.has(each))).toEqual([]);
});

const exportsOf = (text: string): string[] =>
  [
    ...text.matchAll(
      /^export (?:async |abstract )*(?:const|let|function\*?|class|interface|type|enum) ([A-Za-z_][\w$]*)/gm,
    ),
  ].map(([, name = '']) => name);

/** Reads the names that files import from others, as `path: name`, and the files that are imported as a whole. */
function readImports() {
  const [imported, whole] = [new Set<string>(), new Set<string>()];
  for (const { path, text } of sources) {
    const resolve = (from: string) => join(path, '..', from);
    for (const [, names = '', from = ''] of text.matchAll(/\b(?:import|export)\s+([^;'"]*?)\s*from\s*'(\.[^']*)'/g)) {
      if (names.includes('*')) whole.add(resolve(from));
      for (const each of /\{([^}]*)\}/.exec(names)?.[1]?.split(',') ?? []) {
        const [name = ''] = each
          .trim()
          .replace(/^type /, '')
          .split(' as ');
        imported.add(`${resolve(from)}: ${name}`);
      }
    }
    // As in `import('./module.ts')`, also with a type or in a mock.
    for (const [, from = ''] of text.matchAll(/\bimport(?:Original|Actual)?\(\s*'(\.[^']*)'/g))
      whole.add(resolve(from));
  }
  return { imported, whole };
}
