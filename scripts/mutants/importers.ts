import { dirname, join } from 'node:path/posix';

const IMPORTS = /^(?:import|export) (?!type )[^;]*?'(\.{1,2}\/[^']+)';|\bimport\('(\.{1,2}\/[^']+)'\)/gm;

/** The source files that import each source file, except for its types alone. */
export function importersOf(
  sources: readonly string[],
  textOf: (file: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const pairs = sources.flatMap((importer) =>
    [...textOf(importer).matchAll(IMPORTS)].map(([, path, later]) => ({
      importer,
      imported: join(dirname(importer), (path ?? later)!),
    })),
  );
  const groups = Map.groupBy(pairs, ({ imported }) => imported);
  return new Map([...groups].map(([imported, each]) => [imported, [...new Set(each.map(({ importer }) => importer))]]));
}
