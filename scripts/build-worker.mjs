// Builds the Worker as modules: its entry, which has what a redirect needs, and what is loaded later by `import()`. wrangler
// runs this before it takes the entry (wrangler.toml), since its own bundler has no modules that are loaded later; so do
// `npm start` and the benches. Any Node from 20 on can run this:
//
//     node scripts/build-worker.mjs [ENTRY [FOLDER]] [--meta] [--one-file]
//
// ENTRY is src/index.ts by default and FOLDER dist/worker, from the project's folder. --meta also writes esbuild's meta.json
// (https://esbuild.github.io/api/#metafile); --one-file writes one module, for fixtures of releases.
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { planModules } from './worker-build/plan.mjs';
import {
  bareBuiltins,
  importedStorage,
  laterModules,
  platformZlib,
  withoutAttestation,
  withoutKit,
  withoutSqlComments,
  withoutUnused,
} from './worker-build/plugins.mjs';
import { replaceFolder } from './worker-build/replace-folder.mjs';
import { minifyModules, numberModules } from './worker-build/shorten.mjs';

await import('./assets.mjs');

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  options: { meta: { type: 'boolean', default: false }, 'one-file': { type: 'boolean', default: false } },
  allowPositionals: true,
});
/** The entry of what a deploy uploads. */
const DEPLOYED = 'src/index.ts';
const [entry = DEPLOYED, folder = 'dist/worker'] = positionals;
const outdir = resolve(root, folder);

const options = {
  absWorkingDir: root,
  entryPoints: [entry],
  outdir,
  // Packages have CommonJS in files whose names end in `.js`, which the rule in wrangler.toml must not match.
  outExtension: { '.js': '.mjs' },
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: !values['one-file'],
  format: 'esm',
  target: 'es2024',
  minify: true,
  sourcemap: true,
  // As wrangler's bundler has them: https://developers.cloudflare.com/workers/wrangler/bundling/
  conditions: ['workerd', 'worker', 'browser'],
  mainFields: ['browser', 'module', 'main'],
  define: { 'process.env.NODE_ENV': '"production"', 'navigator.userAgent': '"Cloudflare-Workers"' },
  external: ['cloudflare:*', 'node:*'],
  jsx: 'automatic',
  jsxImportSource: 'hono/jsx',
  metafile: true,
  write: false,
  logLevel: 'warning',
  // A package without side effects stays where it is.
  logOverride: { 'ignored-bare-import': 'silent' },
};

const plugins = [bareBuiltins, withoutUnused, withoutAttestation, withoutSqlComments, importedStorage, platformZlib];
// Local runs have an entry of their own.
if (entry === DEPLOYED) plugins.push(withoutKit);
/** Builds with the files that `planModules` has planned. */
const buildWith = (filesOf) => build({ ...options, plugins: [...plugins, laterModules(root, filesOf)] });

async function buildModules() {
  const draft = await buildWith(new Map());
  return buildWith(planModules(draft.metafile, entry));
}

const { outputFiles, metafile } = values['one-file'] ? await build({ ...options, plugins }) : await buildModules();
const written = outputFiles.map(({ path, text }) => [relative(outdir, path), text]);
const numbered = numberModules(new Map(written), metafile);
const files = minifyModules(numbered.files);

if (values.meta) files.set('meta.json', JSON.stringify(numbered.metafile));
replaceFolder(outdir, files);
