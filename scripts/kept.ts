import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What scripts have made of the project's files and keep for the next start, since it takes seconds to make. Its name has
 * the hash of those files, so that it is never older than they are. `npm ci` removes it.
 */
export const KEPT = 'node_modules/.kept';

/** As long as what no start uses is kept. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Where something is kept, and notes that it is used.
 *
 * @param root the project's folder
 * @param name what it is, such as `worker`
 * @param sources the files and folders that it is made of, in `root`
 */
export function keptPath(root: string, name: string, sources: readonly string[]): string {
  return join(root, KEPT, `${name}-${hashOf(root, sources)}`);
}

/** Whether it is there. It then is kept for another week. */
export function isKept(path: string): boolean {
  try {
    utimesSync(path, new Date(), new Date());
    return true;
  } catch {
    return false;
  }
}

/**
 * Keeps a file or folder, and removes what was not used for a week. Nothing is kept where nothing can be written.
 *
 * @param write creates the file or folder at the given path
 */
export function keep(path: string, write: (draft: string) => void): void {
  const draft = `${path}.${process.pid}`;
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true });
    // Another start may do the same now, so that it appears at once or not at all.
    write(draft);
    renameSync(draft, path);
    for (const old of readdirSync(folder).map((name) => join(folder, name))) {
      const usedAt = statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
      if (usedAt < Date.now() - MAX_AGE_MS) rmSync(old, { recursive: true, force: true });
    }
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}

function hashOf(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesOf(root, source))) {
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
