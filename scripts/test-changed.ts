import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GROUND } from '../oxlint.config.ts';
import { run, UsageError } from './cli-error.ts';

/**
 * `npm run test:changed [-- BRANCH]`: the tests of `npm test` for what differs from the last commit, or from another
 * one, and for the command line and the tools also those that start them. Vitest's own `--changed` follows imports, and
 * nearly every test imports the whole Worker.
 */

const PROJECTS = ['worker', 'isolated', 'scripts', 'system'];

if (import.meta.main) {
  await run(async () => {
    const [base = 'HEAD', ...more] = process.argv.slice(2);
    if (more.length > 0) throw new UsageError('"npm run test:changed" takes one commit or branch at most.');
    const root = join(import.meta.dirname, '..');
    const wanted = testsOf(changedSince(root, base), root);
    if (wanted.length === 0) return console.log('No test covers the changed files.');
    console.log(`Tests in ${wanted.join(', ')}`);
    const projects = PROJECTS.flatMap((name) => ['--project', name]);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--passWithNoTests', ...projects, ...wanted];
    process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
  });
}

function changedSince(root: string, base: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  try {
    const changed = git('diff', '--name-only', '-z', base);
    return [...changed, ...git('ls-files', '--others', '--exclude-standard', '-z')].filter((file) => file !== '');
  } catch (cause) {
    throw new UsageError(`git cannot compare with ${base}: name a commit or a branch.`, { cause });
  }
}

const SHARED = new Set([...GROUND, 'app', 'time']);

/** The folders and files of tests for some changed files: those of the same room. */
export function testsOf(changed: readonly string[], root: string): string[] {
  const wanted = changed.flatMap((file) => testsOfOne(file, root)).filter((path) => existsSync(join(root, path)));
  const all = [...new Set(wanted)].toSorted();
  return all.filter((path) => !all.some((other) => path !== other && other.endsWith('/') && path.startsWith(other)));
}

function testsOfOne(file: string, root: string): string[] {
  if (/^test\/.*\.test\.ts$/.test(file)) return [file];
  if (file.startsWith('test/releases/')) return ['test/scripts/releases.test.ts'];
  if (/^(docs\/|[^/]+\.md$)/.test(file)) return testsThatRead(/\bPAGES\b|\breadPage\b|\bdocs\/[\w/-]+\.md\b/, root);
  if (/^(cli|bin)\//.test(file)) return ['test/scripts/', 'test/system/cli/'];
  if (file.startsWith('scripts/')) return ['test/scripts/', 'test/system/tools/'];
  if (/^(bench|src\/changelog\/|\.)/.test(file)) return ['test/scripts/'];
  // What all of them build on.
  const [top, room = '', inRoom] = file.split('/');
  const isShared = inRoom === undefined || SHARED.has(room);
  if (top !== 'src' || isShared) return inTest(root);
  return [`test/${room}/`];
}

function testsThatRead(pattern: RegExp, root: string): string[] {
  return inTest(root)
    .filter((path) => path.endsWith('/'))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => `${folder}${name}`),
    )
    .filter((path) => pattern.test(readFileSync(join(root, path), 'utf8')));
}

function inTest(root: string): string[] {
  return readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter(({ name }) => !['support', 'browser', 'system', 'faults', 'releases'].includes(name))
    .map((entry) => `test/${entry.name}${entry.isDirectory() ? '/' : ''}`);
}
