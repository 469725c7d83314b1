import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { shardOf } from './file-order.ts';
import { partOf, shareOfFiles, type Share } from './part-of.ts';

/** Files of tests with processes that each take minutes, and that few changes concern: a run has a share of them. */
const IN_TURN = [
  'deploy-interrupted',
  'deploy-versions',
  'deploy-from-release',
  'bench',
  'report',
  'release-databases',
].map((name) => `test/system/${name}.test.ts`);

/** The files of `npm run test:system`. */
export const SLOW = [
  'test/system/**/*.test.ts',
  'test/browser/**/*.test.ts',
  'test/faults/**/*.test.ts',
  'test/http/linear-time.test.ts',
];

/**
 * The slow files that a run leaves out: those that are not in its share of the exhaustive tests
 * (test/support/share.ts), or none if its arguments name some.
 */
export function filesToLeaveOut(root: string, share: Share, args: readonly string[]): string[] {
  const all = globSync(SLOW, { cwd: root });
  const names = ['test/', ...all.map((file) => basename(file, '.test.ts'))];
  const isName = (argument: string) => !argument.startsWith('-') && names.some((name) => argument.includes(name));
  if (args.some(isName)) return [];
  const others = all.filter((file) => !IN_TURN.includes(file));
  const { part, of } = shareOfFiles(share);
  const has = new Set([...partOf(IN_TURN, share), ...shardOf(others, (file) => file, part, of)]);
  return all.filter((file) => !has.has(file));
}
