import { globSync } from 'node:fs';
import { shardOf } from './file-order.ts';
import { partOf, type Share } from './part-of.ts';

/** Files of tests with processes that each take minutes, and that few changes concern: a run has a share of them. */
export const IN_TURN = [
  'deploy-interrupted',
  'deploy-versions',
  'deploy-from-release',
  'bench',
  'report',
  'release-databases',
].map((name) => `test/system/${name}.test.ts`);

/** Tests inside workerd that take minutes. */
export const FAULTS = ['test/faults/**/*.test.ts', 'test/http/linear-time.test.ts'];

/** The journey in a browser of `npm test`. */
export const SMOKE = 'test/browser/smoke.test.ts';

/** The files of `npm run test:system`. */
export const slowFiles = (root: string): string[] =>
  globSync(['test/system/**/*.test.ts', 'test/browser/**/*.test.ts', ...FAULTS], { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file !== SMOKE);

/** Words of Vitest's command line that name no file, and options with a value that does not either. */
const COMMANDS = new Set(['run', 'list', 'watch', 'dev']);
const WITH_VALUE = new Set(['--project', '--shard', '--maxWorkers', '--reporter', '--outputFile']);

/**
 * The slow files that a run leaves out: those that are not in its share, or none if its arguments name some, by a part of
 * a path or by the names of tests.
 */
export function filesToLeaveOut(root: string, share: Share, args: readonly string[]): string[] {
  const all = slowFiles(root);
  const isNaming = (argument: string, at: number) =>
    /^(?:-t|--testNamePattern)\b/.test(argument) ||
    (!argument.startsWith('-') &&
      !COMMANDS.has(argument) &&
      !WITH_VALUE.has(args[at - 1] ?? '') &&
      all.some((file) => file.includes(argument)));
  if (args.some(isNaming)) return [];
  const others = all.filter((file) => !IN_TURN.includes(file));
  const has = new Set([
    ...partOf(IN_TURN, share),
    ...shardOf(others, (file) => file, share.files.part, share.files.of),
  ]);
  return all.filter((file) => !has.has(file));
}
