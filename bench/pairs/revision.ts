import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../scripts/cli-error.ts';
import type { Sandbox } from '../sandbox.ts';

/** The files of an earlier commit, with the packages of this one. */
interface Revision {
  readonly folder: string;
  /** Seven or more characters of the commit's name. */
  readonly commit: string;
}

const HASHES = 'src/http/asset-hashes.js';

/** The name of the requested commit. Throws `UsageError` if there is none. */
export function findCommit(revision: string): string {
  try {
    const args = ['rev-parse', '--short', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch (cause) {
    throw new UsageError(`--beside takes a commit of this repository, and ${revision} is none.`, { cause });
  }
}

export function unpackRevision(sandbox: Sandbox, commit: string): Revision {
  const folder = join(sandbox.folder, `revision-${commit}`);
  mkdirSync(folder);
  const files = execFileSync('git', ['archive', commit], { maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: files });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  // Generated here, as wrangler runs the step that does it in this project; redirects name no assets.
  if (existsSync(join(folder, 'src/http'))) cpSync(HASHES, join(folder, HASHES));
  return { folder, commit };
}
