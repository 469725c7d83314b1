import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Folders that only their owner can open, since the local data have hashes of passwords and keys. */

const OF_OTHERS = 0o077;
// Also to execute: the folder may have files of the operator's own.
const OWN_PERMISSIONS = 0o700;
// The folders below --persist-to that hold what this program and Miniflare write.
const OURS: ReadonlySet<string> = new Set(['v3', 'config', 'tmp', 'mails']);

/**
 * Creates the folders of a path that do not exist. Node's own recursive `mkdir` never ends where a folder cannot be created
 * although its parent exists, as below `/proc`. Throws what the file system says.
 */
export function makeFolders(path: string): void {
  const missing: string[] = [];
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory()) break;
    if (found || folder === dirname(folder))
      throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' });
    missing.unshift(folder);
  }
  for (const folder of missing) {
    try {
      mkdirSync(folder);
    } catch (error) {
      // Another process may have created it in between.
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}

/**
 * Lets only the owner open a folder of local data, and what it holds already; what this process and its children create
 * from now on is private too. Links are not followed, and a folder that others share, such as `/tmp`, or that belongs to
 * another user keeps its mode.
 */
export function keepPrivate(folder: string): void {
  process.umask(0o077);
  if (process.getuid === undefined) return;
  const { mode, uid } = statSync(folder);
  const isShared = (mode & 0o1000) !== 0 || uid !== process.getuid() || resolve(folder) === process.cwd();
  if (!isShared) restrict(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && !isShared) restrict(path);
    if (entry.isDirectory() && OURS.has(entry.name)) restrictAll(path);
  }
}

function restrictAll(folder: string): void {
  restrict(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) restrictAll(path);
    else if (entry.isFile()) restrict(path);
  }
}

// A file can disappear, as those of SQLite do, and one of another user stays as it is.
function restrict(path: string): void {
  try {
    const found = lstatSync(path);
    if (!found.isSymbolicLink() && (found.mode & OF_OTHERS) !== 0) chmodSync(path, found.mode & OWN_PERMISSIONS);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== 'ENOENT' && code !== 'EPERM') throw error;
  }
}
