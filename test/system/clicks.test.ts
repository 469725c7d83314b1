import { expect, it } from 'vitest';
import { runProcess, strangersEnv } from '../scripts/support/processes.ts';
import { NODE, ROOT } from '../scripts/support/project.ts';

// The bench in its short form, with real local stores. At the same time, since most of it is a wait for the queue.
it.concurrent.each([
  ['as it is built', 'built'],
  ['if every third batch breaks and objects are ended in appends and folds', 'broken'],
])('counts every click once %s', async (_when, run) => {
  const args = ['bench/clicks.ts', '--clicks', '1000', '--links', '8', '--only', run];
  const { code, stdout, stderr } = await runProcess(NODE, args, {
    cwd: ROOT,
    env: strangersEnv(),
    deadlineMs: 590_000,
  });
  const lines = stdout.split('\n').filter((line) => line.includes('passed'));
  expect([code, lines, stderr]).toEqual([0, ['8 passed, 0 failed'], expect.any(String)]);
});
