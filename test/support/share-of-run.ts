import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Share } from './part-of.ts';

const PARTS = 6;

declare module 'vitest' {
  interface ProvidedContext {
    share: Share;
  }
}

/**
 * The share that `TEST_SHARE` names: such as `2/3`, or `/3` for the one of three that follows from the commit. By default
 * the one of the commit, and all of it without one.
 */
export function readShare(named = '', commit = commitOf(join(import.meta.dirname, '../..'))): Share {
  const found = /^([1-9]\d?)?\/([1-9]\d?)$/.exec(named);
  const of = Number(found?.[2] ?? PARTS);
  const part = Number(found?.[1] ?? 1);
  if ((named !== '' && found === null) || part > of) {
    throw new Error(`TEST_SHARE is ${named}. It has to be a part such as 2/3, or /3 or 1/1.`);
  }
  if (found?.[1] !== undefined) return { part, of };
  return commit === null ? { part: 1, of: 1 } : { part: (Number.parseInt(commit.slice(0, 8), 16) % of) + 1, of };
}

function commitOf(folder: string): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}
