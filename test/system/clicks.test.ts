import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

// The bench in its short form, with real local stores.
it('counts every click once, also if every third batch breaks and objects are ended in appends and folds', () => {
  const bench = spawnSync(process.execPath, ['bench/clicks.ts', '--clicks', '1000', '--links', '8'], {
    encoding: 'utf8',
  });
  const lines = bench.stdout.split('\n').filter((line) => line.includes('passed'));
  expect([bench.status, lines]).toEqual([0, ['8 passed, 0 failed', '8 passed, 0 failed']]);
});
