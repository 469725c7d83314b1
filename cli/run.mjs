// Runs the command in the repository. It is bundled first if a file that the bundle includes is newer.
import { readFileSync, statSync } from 'node:fs';

const folder = new URL('./', import.meta.url);
const bundle = new URL('dist/terse.js', folder);

try {
  if (isStale()) await import(new URL('build.mjs', folder).href);
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('The packages are not installed: run "npm ci" in the folder of the repository.');
  process.exit(1);
}
await import(bundle.href);

function isStale() {
  const built = timeOf(bundle);
  const inputs = new URL('dist/inputs.json', folder);
  if (built === undefined || timeOf(inputs) === undefined) return true;
  // A file that was moved or deleted makes the bundle stale too.
  return JSON.parse(readFileSync(inputs, 'utf8')).some((file) => !(timeOf(new URL(file, folder)) <= built));
}

function timeOf(url) {
  return statSync(url, { throwIfNoEntry: false })?.mtimeMs;
}
