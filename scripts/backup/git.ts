import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/** Warns of a backup that git would add to a repository. */
export function warnOfGit(file: string): void {
  // 0: ignored, 1: not ignored, 128: no repository.
  const { status } = spawnSync('git', ['check-ignore', '--quiet', basename(file)], { cwd: dirname(file) });
  if (status !== 1) return;
  console.error(
    `git does not ignore ${file}, which has password hashes in it: move it out of the repository, or have git ignore it.`,
  );
}
