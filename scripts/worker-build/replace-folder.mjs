import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Gives a folder these files and no other ones, all at once. Another process may do the same at the same time, so a folder
 * that has them already is left alone: the other process may read it.
 *
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} files their texts, by their paths in the folder
 */
export function replaceFolder(folder, files) {
  if (hasOnly(folder, files)) return;
  const draft = `${folder}.${process.pid}`;
  const old = `${draft}.old`;
  for (const [name, text] of files) {
    const file = join(draft, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  // Another process may be first in each of these steps.
  renameUnless(['ENOENT'], folder, old);
  renameUnless(['ENOTEMPTY', 'EEXIST'], draft, folder);
  for (const left of [draft, old]) rmSync(left, { recursive: true, force: true });
}

function hasOnly(folder, files) {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const found = entries.filter((entry) => entry.isFile());
    return (
      found.length === files.size &&
      [...files].every(([name, text]) => readFileSync(join(folder, name), 'utf8') === text)
    );
  } catch {
    return false;
  }
}

function renameUnless(codes, from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!codes.includes(error.code)) throw error;
  }
}
