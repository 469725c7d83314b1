import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A copy of the project, whose sources may be changed. */
export interface ProjectCopy {
  readonly folder: string;
  /** The source files of the Worker, as paths in the project. */
  readonly sources: readonly string[];
  /** The text of a TypeScript file of the project, as it was copied. */
  readonly textOf: (file: string) => string;
  /** Writes other texts for as long as `work` takes. */
  readonly withTexts: <T>(texts: ReadonlyMap<string, string>, work: () => Promise<T>) => Promise<T>;
  readonly remove: () => void;
}

/** Copies a project with its tests into a new temporary folder. Packages are those of the project. */
export function copyProject(root: string): ProjectCopy {
  const folder = mkdtempSync(join(tmpdir(), 'terse-mutants-'));
  const files = git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z')
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  const texts = new Map(
    files.filter((file) => /\.tsx?$/.test(file)).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Tests list the project's files by git.
  git(folder, 'init', '--quiet');
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
  git(folder, 'add', '--all');

  return {
    folder,
    sources: files.filter((file) => /^src\/.*\.tsx?$/.test(file) && !file.endsWith('.d.ts')),
    textOf: (file) => texts.get(file)!,
    withTexts: async (others, work) => {
      try {
        for (const [file, text] of others) writeFileSync(join(folder, file), text);
        return await work();
      } finally {
        for (const file of others.keys()) writeFileSync(join(folder, file), texts.get(file)!);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}
