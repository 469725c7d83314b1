// Bundles the command into one file, so that its package has no dependencies. `npm pack` runs this, and so does
// bin/terse. Any Node from 20 on can run it, after the packages of the repository are installed.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));
const { version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));

const { outputFiles, metafile } = buildSync({
  absWorkingDir: folder,
  entryPoints: ['src/main.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // commander is CommonJS, and requires modules of Node.
  banner: {
    js: `#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`,
  },
  define: { VERSION: JSON.stringify(version) },
  legalComments: 'none',
  metafile: true,
  write: false,
});

mkdirSync(`${folder}dist`, { recursive: true });
write('terse.js', outputFiles[0].text, 0o755);
write('LICENSES.txt', licences(packagesOf(metafile)), 0o644);
// What bin/terse compares with the bundle.
const inputs = [...Object.keys(metafile.inputs), 'package.json', 'build.mjs', '../LICENSE'];
write('inputs.json', JSON.stringify(inputs), 0o644);

// The names of the packages whose files are in the bundle.
function packagesOf({ inputs }) {
  const names = Object.keys(inputs).flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

// Their licences ask for a copy in what is published.
function licences(names) {
  const own = readFileSync(`${folder}../LICENSE`, 'utf8');
  return [own, ...names.map((name) => `${name}\n\n${licenceOf(name)}`)].join('\n----\n\n');
}

function licenceOf(name) {
  for (const file of ['LICENSE', 'license', 'LICENSE.md']) {
    try {
      return readFileSync(`${folder}../node_modules/${name}/${file}`, 'utf8');
    } catch {
      // The next name.
    }
  }
  throw new Error(`${name} has no licence file.`);
}

function write(name, text, mode) {
  // Renamed at the end, since another process can write the same file at the same time.
  const draft = `${folder}dist/${name}.${process.pid}`;
  writeFileSync(draft, text, { mode });
  renameSync(draft, `${folder}dist/${name}`);
}
