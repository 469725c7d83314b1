import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

// The bench in its short form: every redirect of both runs is counted once, in real D1, KV and Queues.
it('counts every click once, also with a consumer that fails on every third batch', () => {
  const bench = spawnSync(process.execPath, ['bench/clicks.ts', '--clicks', '1000', '--links', '8'], {
    encoding: 'utf8',
  });
  const lines = bench.stdout.split('\n').filter((line) => line.includes('passed'));
  expect([bench.status, lines]).toEqual([0, ['8 passed, 0 failed', '8 passed, 0 failed']]);
});
