import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failuresOf } from '../../../scripts/test-system.ts';
import { LONG, shardOf } from '../../support/file-order.ts';
import { makeFolder, runProcess, strangersEnv } from '../../scripts/support/processes.ts';
import { linkPackages, NODE, ROOT } from '../../scripts/support/project.ts';

const passed = { fullName: 'a visit is counted', status: 'passed', failureMessages: [] };
const failed = { fullName: 'a click is seen', status: 'failed', failureMessages: ['AssertionError: 1\n  at line 2'] };

it('the report of test:system names each failed test with its file and its error', () => {
  const report = {
    testResults: [
      {
        name: '/project/test/browser/live.test.ts',
        status: 'failed' as const,
        message: '',
        assertionResults: [passed, failed],
      },
      {
        name: '/project/test/browser/links.test.ts',
        status: 'passed' as const,
        message: '',
        assertionResults: [passed],
      },
    ],
  };
  expect(failuresOf(report, '/project')).toBe(
    'test/browser/live.test.ts: a click is seen\n    AssertionError: 1\n      at line 2',
  );
});

it('the report of test:system says of a file that could not run why', () => {
  const message = 'Error: Chromium is not installed';
  const report = {
    testResults: [
      { name: '/project/test/browser/live.test.ts', status: 'failed' as const, message, assertionResults: [] },
    ],
  };
  expect(failuresOf(report, '/project')).toBe(`test/browser/live.test.ts\n    ${message}`);
});

it('the report of test:system says nothing of a report without failures', () => {
  expect(failuresOf({ testResults: [] }, '/project')).toBe('');
});

it('the report of test:system prints what failed again once all runs have ended, to stdout, and exits with 1', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'scripts'));
  for (const file of ['scripts/test-system.ts', 'scripts/cli-error.ts', 'scripts/disk-full.ts'])
    cpSync(join(ROOT, file), join(folder, file));
  linkPackages(folder);
  // The first run ends first, and the last one is in the middle of its test then.
  const tests = {
    // Each half of the browser has one of them.
    'browser-one': 'expect(2).toBe(1)',
    'browser-two': 'expect(1).toBe(1)',
    faults: 'expect(1).toBe(1)',
    system: 'setTimeout(2_000).then(() => expect(3).toBe(1))',
  };
  const projects = ['browser', 'faults', 'system'].map((name) => ({ test: { name, include: [`${name}*.test.ts`] } }));
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify({ test: { projects } })};`);
  for (const [name, body] of Object.entries(tests)) {
    const imports = "import { setTimeout } from 'node:timers/promises'; import { expect, it } from 'vitest';";
    writeFileSync(join(folder, `${name}.test.ts`), `${imports} it('counts for ${name}', () => ${body});`);
  }

  const { code, stdout } = await runProcess(NODE, ['scripts/test-system.ts'], { cwd: folder, env: strangersEnv() });
  expect(code).toBe(1);
  const unequal = (actual: number) => `    AssertionError: expected ${actual} to be 1 // Object.is equality`;
  const [, again = ''] = stdout.split(/(?=\nFailed \(--project browser --shard 1\/2\):\n)/);
  expect(again.split('\n').filter((line) => !line.startsWith('        at '))).toEqual([
    '',
    'Failed (--project browser --shard 1/2):',
    'browser-one.test.ts: counts for browser-one',
    unequal(2),
    '',
    'Failed (--maxWorkers 3 --project system):',
    'system.test.ts: counts for system',
    unequal(3),
    '',
  ]);
});

it('the halves of the browser have each file once, and each has one of the two that take longest', () => {
  const files = readdirSync(join(ROOT, 'test/browser')).filter((name) => name.endsWith('.test.ts'));
  const halfOf = (index: number, of: readonly string[]) =>
    shardOf(of, (file) => join(ROOT, 'test/browser', file), index, 2);
  const [one, two] = [halfOf(1, files), halfOf(2, files)];
  expect([...one, ...two].toSorted()).toEqual(files.toSorted());
  expect([one[0], two[0]]).toEqual(['every-page.test.ts', 'same-as-reload.test.ts']);
  expect(Math.abs(one.length - two.length)).toBeLessThan(2);
  // The runs may find the files in different orders.
  expect(halfOf(1, files.toReversed())).toEqual(one);
});

it('each file that is known to take long is there', () => {
  expect(LONG.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
