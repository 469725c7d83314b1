import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Workers that `npm start` has built, one for each state of the files they are built from. A build takes seconds, and a
 * second start needs none. `npm ci` removes them.
 */
export const BUILT_WORKERS = 'node_modules/.built-workers';

/** What a Worker is built from: its own files, the settings of the build, and the versions of all packages. */
export const SOURCES = [
  'src',
  'scripts/local-edge.ts',
  'changelog/changelog.json',
  'wrangler.toml',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

/** As long as a Worker is kept that no start uses. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Copies the Worker that was built from the current files to a folder, or builds it there.
 *
 * @param root the project's folder
 * @param folder an empty folder
 * @param build writes the Worker to the folder
 */
export async function reuseOrBuild(root: string, folder: string, build: () => Promise<void>): Promise<void> {
  const store = join(root, BUILT_WORKERS);
  const kept = join(store, hashOfSources(root));
  if (existsSync(kept)) {
    utimesSync(kept, new Date(), new Date());
    cpSync(kept, folder, { recursive: true });
    return;
  }
  await build();
  // A file that was changed while the Worker was built may be in it or not.
  if (kept !== join(store, hashOfSources(root))) return;
  const draft = `${kept}.${process.pid}`;
  try {
    cpSync(folder, draft, { recursive: true });
    renameSync(draft, kept);
    removeOld(store);
  } catch {
    // Another start has kept the same, or nothing can be written here: then the next start builds again.
    rmSync(draft, { recursive: true, force: true });
  }
}

function removeOld(store: string): void {
  for (const name of readdirSync(store)) {
    const path = join(store, name);
    const usedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (usedAt < Date.now() - MAX_AGE_MS) rmSync(path, { recursive: true, force: true });
  }
}

function hashOfSources(root: string): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesOf(root, source))) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesOf(root: string, source: string): string[] {
  if (!statSync(join(root, source)).isDirectory()) return [source];
  return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}
