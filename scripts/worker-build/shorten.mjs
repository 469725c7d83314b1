// Shortens the modules that esbuild has written. Each of them is compressed alone, so what they import from each other
// weighs most.
import { minifySync } from 'rolldown/utils';

/** The text that esbuild puts for `[hash]`. */
const HASH = /-([0-9A-Z]{8})(?=\.mjs$)/;

/**
 * Gives modules a number instead of a hash, which can hardly be compressed and stands in each import. A number has as
 * many characters as a hash, so that source maps stay right.
 *
 * @param files the texts of modules and source maps, by their names
 * @param metafile what esbuild says about them
 */
export function numberModules(files, metafile) {
  const hashes = [...files.keys()].flatMap((name) => HASH.exec(name)?.[1] ?? []);
  const numbers = new Map(hashes.map((hash, index) => [hash, String(index).padStart(8, '0')]));
  const renamed = (text) =>
    text.replaceAll(/-([0-9A-Z]{8})(?=\.mjs\b)/g, (whole, hash) =>
      numbers.has(hash) ? `-${numbers.get(hash)}` : whole,
    );
  return {
    files: new Map([...files].map(([name, text]) => [renamed(name), name.endsWith('.map') ? text : renamed(text)])),
    metafile: JSON.parse(renamed(JSON.stringify(metafile))),
  };
}

/**
 * Shortens the names in modules once more: in the order in which they are imported, they are compressed better than as
 * esbuild chooses them.
 */
export function minifyModules(files) {
  const result = new Map(files);
  for (const [name, text] of files) {
    if (!name.endsWith('.mjs')) continue;
    const { code, map, errors } = minifySync(name, text, {
      module: true,
      compress: { target: 'es2024' },
      mangle: { toplevel: true },
      codegen: { asciiOnly: !isMostlyEscapes(text) },
      sourcemap: true,
      inputMap: JSON.parse(files.get(`${name}.map`)),
    });
    if (errors.length > 0) throw new Error(`${name} cannot be shortened: ${errors[0].message}`);
    result.set(name, `${code}\n//# sourceMappingURL=${name}.map\n`);
    result.set(`${name}.map`, JSON.stringify(map));
  }
  return result;
}

/**
 * True if a text takes more memory with its escapes than with the characters themselves: of those beyond Latin-1, V8 keeps
 * a text in twice the memory.
 */
function isMostlyEscapes(text) {
  const withoutEscapes = text.replaceAll(/\\u[0-9A-F]{4}/g, '_');
  return 2 * withoutEscapes.length < text.length;
}
