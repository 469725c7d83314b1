import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of Linux whose files are in memory. */
const MEMORY = '/dev/shm';
// The tests of a run keep some hundred megabytes at once.
const FREE_BYTES = 4_000_000_000;
const AVAILABLE_BYTES = 8_000_000_000;

/**
 * Puts the temporary files of a run into memory where there is room for them, since a database waits for the disk at each
 * commit, which takes longer than all else in most tests. TMPDIR in the environment names another folder.
 */
export function keepTemporaryFilesInMemory(): void {
  if ((process.env['TMPDIR'] ?? '') !== '' || !hasRoom()) return;
  const folder = mkdtempSync(join(MEMORY, 'terse-tests-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  if (runsPrograms(folder)) process.env['TMPDIR'] = folder;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= FREE_BYTES && process.availableMemory() >= AVAILABLE_BYTES;
  } catch {
    return false;
  }
}

// Some machines mount it so that no program starts from there, and tests start programs.
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '', { mode: 0o700 });
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}
