import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { partsOfFiles, type Part, type Share } from './part-of.ts';

const PARTS = 6;

declare module 'vitest' {
  interface ProvidedContext {
    share: Share;
  }
}

const ALL: Part = { part: 1, of: 1 };

/**
 * The share that `TEST_SHARE` names: `2/3` for a part of the cases with all files, or `/3` for the one of three parts that
 * follows from the commit. By default that is one of six. Without a commit it is all.
 */
export function readShare(named = '', commit = commitOf(join(import.meta.dirname, '../..'))): Share {
  const found = /^([1-9]|1[0-2])?\/([1-9]|1[0-2])$/.exec(named);
  const part = Number(found?.[1] ?? 1);
  const of = Number(found?.[2] ?? PARTS);
  if ((named !== '' && found === null) || part > of)
    throw new Error(`TEST_SHARE is ${named}. It has to be a part such as 2/3, or /3 or 1/1, of at most 12.`);
  if (found?.[1] !== undefined) return { part, of, files: ALL };
  if (commit === null) return { ...ALL, files: ALL };
  // By other digits, so that each file comes with each part of its cases.
  const number = Number.parseInt(commit.slice(0, 8), 16);
  const files = partsOfFiles(of);
  return { part: (number % of) + 1, of, files: { part: (Math.floor(number / of) % files) + 1, of: files } };
}

function commitOf(folder: string): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}
