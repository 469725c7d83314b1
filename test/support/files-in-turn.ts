import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { shardOf } from './file-order.ts';
import { partOf, type Share } from './part-of.ts';

/** Files of tests with processes that each take minutes, and that few changes concern: a run has a share of them. */
const IN_TURN = [
  'deploy-interrupted',
  'deploy-versions',
  'deploy-from-release',
  'bench',
  'report',
  'release-databases',
].map((name) => `test/system/${name}.test.ts`);

/** How many parts of the cases belong to one of the other files: where these are a third, a run has all of them. */
const PARTS_OF_A_FILE = 3;

/**
 * The files with processes and browsers that a run leaves out: those that are not in its share of the exhaustive tests
 * (test/support/share.ts), or none if its arguments name some.
 */
export function filesToLeaveOut(root: string, { part, of }: Share, args: readonly string[]): string[] {
  const all = globSync('test/{system,browser}/**/*.test.ts', { cwd: root });
  const names = ['test/', ...all.map((file) => basename(file, '.test.ts'))];
  const isName = (argument: string) => !argument.startsWith('-') && names.some((name) => argument.includes(name));
  if (args.some(isName)) return [];
  const parts = Math.ceil(of / PARTS_OF_A_FILE);
  const others = all.filter((file) => !IN_TURN.includes(file));
  const ofOthers = shardOf(others, (file) => file, ((part - 1) % parts) + 1, parts);
  const has = new Set([...partOf(IN_TURN, { part, of }), ...ofOthers]);
  return all.filter((file) => !has.has(file));
}
