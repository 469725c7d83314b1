import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/** Warns if git would add a backup to a repository. */
export function warnOfGit(file: string): void {
  // The status is 0 if it is ignored, 1 if it is not, 128 without a repository.
  const { status } = spawnSync('git', ['check-ignore', '--quiet', basename(file)], { cwd: dirname(file) });
  if (status !== 1) return;
  console.error(
    `git does not ignore ${file}, which has password hashes in it: move it out of the repository, or have git ignore it.`,
  );
}
