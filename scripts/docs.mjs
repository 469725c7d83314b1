// Writes the pages below /docs as static files: the guides from docs/*.md, and the reference from the API document. Any
// Node from 20 on can run this: the sources are TypeScript and JSX, so esbuild bundles them first. scripts/assets.mjs runs
// it after the files that the pages name. The origin of the service, if it is known, is in DOCS_ORIGIN.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}dist/docs.stamp`;
const origin = process.env.DOCS_ORIGIN || null;

const code = bundle();
const guides = Object.fromEntries(
  readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => [name, read(`docs/${name}`)]),
);
const document = read('public/assets/openapi.json');
const pictures = readdirSync(`${root}docs/images`);

const inputs = createHash('sha256')
  .update(JSON.stringify([code, origin, guides, document, pictures]))
  .digest('hex');
if (contentOf(stamp) !== inputs || contentOf(`${root}public/docs.html`) === null) {
  const { writeSite } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  const files = await writeSite({ guides, document: JSON.parse(document), origin });
  for (const name of pictures) files[`docs/images/${name}`] = read(`docs/images/${name}`);
  for (const [path, text] of Object.entries(files)) writeIfOther(join(root, 'public', path), text);
  removeOthers(files);
  mkdirSync(`${root}dist`, { recursive: true });
  writeFileSync(stamp, inputs);
}

function bundle() {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: ['scripts/docs/site.tsx'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    write: false,
  });
  return outputFiles[0].text;
}

/** Removes pages of another version. */
function removeOthers(files) {
  const folder = `${root}public/docs`;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const name = path.slice(`${root}public/`.length).replaceAll('\\', '/');
    if (entry.isFile() && files[name] === undefined) rmSync(path, { force: true });
  }
}

function writeIfOther(file, text) {
  if (contentOf(file) === text) return;
  mkdirSync(dirname(file), { recursive: true });
  // Renamed at the end, since another process can write the same file at the same time.
  const draft = `${root}dist/${process.pid}.${createHash('sha256').update(file).digest('hex').slice(0, 16)}`;
  mkdirSync(`${root}dist`, { recursive: true });
  writeFileSync(draft, text);
  renameSync(draft, file);
}

function read(path) {
  return readFileSync(root + path, 'utf8');
}

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
