// Copies the API viewer, one file, to the assets, unless it is there: Scalar's API reference, from a package that
// contains it ready built. Its own package would bring 270 others, which this file is built from. Any Node from 20 on
// can run this.
import { mkdirSync, openSync, readFileSync, readSync, closeSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = '@scalar/fastify-api-reference';
const target = `${root}public/assets/scalar.js`;

const { version } = JSON.parse(readFileSync(`${root}node_modules/${PACKAGE}/package.json`, 'utf8'));
const head = `/* Scalar API reference, from ${PACKAGE} ${version}, MIT licence: https://github.com/scalar/scalar */\n`;

if (headOf(target, head.length) !== head) {
  mkdirSync(`${root}public/assets`, { recursive: true });
  // Renamed at the end, since another process can write the same file at the same time.
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, head + (await bundle()));
  renameSync(draft, target);
}

// The package is a plugin for another server, and registers a route with the file there. Here the route gives the file
// to this script.
async function bundle() {
  const { default: register } = await import(PACKAGE);
  const routes = [];
  const server = { route: (route) => routes.push(route), hasPlugin: () => false, log: console, initialConfig: {} };
  register(server, { configuration: { url: '/openapi.json' } }, () => {});
  const route = routes.find(({ url }) => url.endsWith('/js/scalar.js'));
  const reply = { header: () => reply, send: (body) => body };
  const file = route?.handler(undefined, reply);
  if (typeof file !== 'string') throw new Error(`${PACKAGE} no longer contains its file`);
  return file;
}

function headOf(file, length) {
  try {
    const opened = openSync(file, 'r');
    const bytes = Buffer.alloc(length);
    readSync(opened, bytes);
    closeSync(opened);
    return bytes.toString();
  } catch {
    return null;
  }
}
