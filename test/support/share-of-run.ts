import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Share } from './part-of.ts';

const PARTS = 3;

declare module 'vitest' {
  interface ProvidedContext {
    share: Share;
  }
}

/** The share that `TEST_SHARE` names, such as `2/3`; else the one of the commit, and all of it without one. */
export function readShare(named: string | undefined, commit = commitOf(join(import.meta.dirname, '../..'))): Share {
  if (named !== undefined && named !== '') {
    const [, part = 0, of = 0] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(named)?.map(Number) ?? [];
    if (part === 0 || part > of) throw new Error(`TEST_SHARE is ${named}. It has to be a part such as 2/3, or 1/1.`);
    return { part, of };
  }
  return commit === null
    ? { part: 1, of: 1 }
    : { part: (Number.parseInt(commit.slice(0, 8), 16) % PARTS) + 1, of: PARTS };
}

function commitOf(folder: string): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}
