// Prepares the files for browsers: bundles the scripts of the pages, copies the API viewer, and writes the hash of each
// file for the Worker, whose pages name the files by it. wrangler runs this before it bundles the Worker (wrangler.toml),
// and Vitest before its tests, so that the hashes are never older than the files; what is written is not in git. Any Node
// from 20 on can run this.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

await import('./viewer.mjs');

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}public/assets/`;
// A longer one would only take space in pages: the names of two versions of one file must differ.
const HASH_LENGTH = 10;

// Of all pages, and of the page that imports files.
for (const name of ['platform.js', 'import.js']) writeIfOther(folder + name, bundle(`browser/${name}`));

// For the page of changes.
const changelog = readFileSync(`${root}src/changelog/changelog.json`, 'utf8');
writeIfOther(`${folder}changelog.json`, JSON.stringify(JSON.parse(changelog)));

const hashes = readdirSync(folder)
  .filter((name) => /^[\w-]+\.(?:css|js|svg|ico)$/.test(name))
  .toSorted()
  .map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(folder + name))
      .digest('hex')
      .slice(0, HASH_LENGTH),
  ]);

writeIfOther(
  `${root}src/http/asset-hashes.js`,
  `// Written by scripts/assets.mjs.\nexport const HASHES = ${JSON.stringify(Object.fromEntries(hashes), null, 2)};\n`,
);

function bundle(entry) {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0].text;
}

function writeIfOther(file, text) {
  if (contentOf(file) === text) return;
  // Renamed at the end, since another process can write the same file at the same time.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
