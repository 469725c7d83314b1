// Puts the API viewer's one file among the assets, unless it is there: Scalar's reference, from a package that has it ready
// made. Its own package would bring 270 others along, of which this file is the outcome. Any Node from 20 on can run this.
import { mkdirSync, openSync, readFileSync, readSync, closeSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = '@scalar/fastify-api-reference';
const target = `${root}public/assets/scalar.js`;

const { version } = JSON.parse(readFileSync(`${root}node_modules/${PACKAGE}/package.json`, 'utf8'));
const head = `/* Scalar API reference, from ${PACKAGE} ${version}, MIT licence: https://github.com/scalar/scalar */\n`;

if (headOf(target, head.length) !== head) {
  mkdirSync(`${root}public/assets`, { recursive: true });
  // Whole or not at all: somebody may start another at the same time.
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, head + (await bundle()));
  renameSync(draft, target);
}

// The package is a plugin for another server, which it gives a route with the file. Here it gives it to us.
async function bundle() {
  const { default: register } = await import(PACKAGE);
  const routes = [];
  const server = { route: (route) => routes.push(route), hasPlugin: () => false, log: console, initialConfig: {} };
  register(server, { configuration: { url: '/openapi.json' } }, () => {});
  const route = routes.find(({ url }) => url.endsWith('/js/scalar.js'));
  const reply = { header: () => reply, send: (body) => body };
  const file = route?.handler(undefined, reply);
  if (typeof file !== 'string') throw new Error(`${PACKAGE} does not give its file any more`);
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
