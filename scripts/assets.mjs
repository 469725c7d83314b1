// Prepares the files for browsers: bundles the scripts and the style sheets of the pages, puts their icons into one file,
// copies the API viewer, and writes the hash of each file for the Worker, whose pages name the files by it. Also compiles
// the texts of all languages. wrangler runs this before it bundles the Worker (wrangler.toml), and Vitest before its tests,
// so that what it writes is never older than the files; it is not in git. Any Node from 20 on can run this.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { readBrandLogo } from './brand-logo.mjs';

await import('./viewer.mjs');
await import('./languages.mjs');

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}public/assets/`;
// A longer one would only take space in pages: the names of two versions of one file must differ.
const HASH_LENGTH = 10;

// Of all pages, of the page that imports files, and of those that use passkeys, in each language; of the front page and of
// the docs. The second ones are loaded when they are needed.
const languages = readdirSync(`${root}src/languages/platform`).map((name) => name.replace(/\.ts$/, ''));
for (const language of languages) {
  const texts = JSON.parse(readFileSync(`${root}src/languages/compiled/scripts/${language}.json`, 'utf8'));
  for (const [name, groups] of Object.entries({
    platform: ['scripts', 'copying'],
    import: ['importScript'],
    passkeys: ['passkeyScript'],
  })) {
    const file = language === 'en' ? `${name}.js` : `${name}-${language}.js`;
    writeIfOther(folder + file, bundle(`browser/${name}.js`, { LANGUAGE: language, TEXTS: textsIn(texts, groups) }));
  }
  if (language === 'en')
    writeIfOther(
      `${folder}front.js`,
      bundle('browser/front.js', { LANGUAGE: language, TEXTS: textsIn(texts, ['copying']) }),
    );
}
for (const name of ['front-qr.js', 'docs.js', 'docs-search.js', 'docs-try.js'])
  writeIfOther(folder + name, bundle(`browser/${name}`));

// For the page of changes.
const changelog = readFileSync(`${root}src/changelog/changelog.json`, 'utf8');
writeIfOther(`${folder}changelog.json`, JSON.stringify(JSON.parse(changelog)));

writeIfOther(`${folder}icons.svg`, sprite());

const logo = await readBrandLogo(root).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
for (const name of ['brand-logo.svg', 'brand-logo.png'])
  if (name !== logo?.name) rmSync(folder + name, { force: true });
if (logo !== null) writeIfOther(folder + logo.name, logo.bytes);

// After the files that they name.
for (const [name, source] of Object.entries({
  'platform.css': 'src/platform/platform.css',
  'door.css': 'src/platform/sign-in/door-sheet.css',
  'composer.css': 'src/platform/composer.css',
  'domains.css': 'src/platform/domains.css',
  'list.css': 'src/platform/list.css',
  'qr.css': 'src/platform/qr.css',
  'settings.css': 'src/platform/settings.css',
  'statistics.css': 'src/platform/statistics.css',
  'reference.css': 'src/reference/reference.css',
  'docs.css': 'scripts/docs/docs.css',
  'docs-try.css': 'scripts/docs/try.css',
}))
  writeIfOther(folder + name, sheet(source));

const hashes = readdirSync(folder)
  .filter((name) => /^[\w-]+\.(?:css|js|svg|ico|png|webp|woff2)$/.test(name))
  .toSorted()
  .map((name) => [name, hashOf(name)]);

writeIfOther(
  `${root}src/http/asset-hashes.js`,
  `// Written by scripts/assets.mjs.\nexport const HASHES = ${JSON.stringify(Object.fromEntries(hashes), null, 2)};\n`,
);

// After the hashes, since the pages of the docs name these files.
await import('./docs.mjs');

function hashOf(name) {
  return createHash('sha256')
    .update(readFileSync(folder + name))
    .digest('hex')
    .slice(0, HASH_LENGTH);
}

/** A style sheet with all that it imports, which names files by their hash as pages do. */
function sheet(entry) {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    external: ['/assets/*'],
    write: false,
  });
  return outputFiles[0].text.replaceAll(
    /\/assets\/([\w-]+)\.(\w+)/g,
    (_, stem, extension) => `/assets/${stem}.${hashOf(`${stem}.${extension}`)}.${extension}`,
  );
}

/** The icons of the pages, each by its name. */
function sprite() {
  const { icons, aliases } = JSON.parse(readFileSync(`${root}node_modules/@iconify-json/lucide/icons.json`, 'utf8'));
  const [, list] = /ICON_NAMES = \[([^\]]*)\]/.exec(readFileSync(`${root}src/design/icon-names.ts`, 'utf8'));
  const symbols = [...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => {
    const { body } = icons[name] ?? icons[aliases[name]?.parent] ?? {};
    if (body === undefined) throw new Error(`src/design/icon-names.ts: Lucide has no icon ${name}`);
    return symbol(name, body);
  });
  const [mark] = /<path[^>]*>/.exec(readFileSync(`${folder}icon.svg`, 'utf8'));
  const own = symbol('t', mark.replace('#fff', 'currentColor'), 32);
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}${own}</svg>\n`;
}

function symbol(name, body, size = 24) {
  return `<symbol id="${name}" viewBox="0 0 ${size} ${size}">${body}</symbol>`;
}

/** The texts of some groups. */
function textsIn(texts, groups) {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => groups.includes(key.split('.')[0])));
}

/** @param constants values by names that the scripts use */
function bundle(entry, constants = {}) {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    define: Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
    write: false,
  });
  return outputFiles[0].text;
}

/** @param content a text or bytes */
function writeIfOther(file, content) {
  const bytes = Buffer.from(content);
  if (contentOf(file)?.equals(bytes)) return;
  // Renamed at the end, since another process can write the same file at the same time.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, bytes);
  renameSync(draft, file);
}

function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
