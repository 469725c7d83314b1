import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeFolder, runProcess, strangersEnv, until } from '../../scripts/support/processes.ts';
import { linkPackages, NODE, ROOT } from '../../scripts/support/project.ts';

// Its child continues by itself. Both write their ids into the folder.
const ENDLESS = 'echo begun; (while :; do sleep 0.1; done) & echo $$ $! > ids.new; mv ids.new ids; wait';

const runsIn = (folder: string) => until('it runs', () => existsSync(join(folder, 'ids')));

// None has begun where a busy machine has not come to the file.
const livingIn = (folder: string): number[] =>
  existsSync(join(folder, 'ids'))
    ? readFileSync(join(folder, 'ids'), 'utf8').trim().split(' ').map(Number).filter(isAlive)
    : [];

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended stays in the list until its parent has read its status.
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

it('a program that does not end is killed at its deadline with its children, and its output is shown', async () => {
  const cwd = makeFolder();
  const run = runProcess('sh', ['-c', ENDLESS], { cwd, deadlineMs: 10_000 });
  await expect(run).rejects.toThrow(/^sh did not end within 10 s\. It said:\nbegun\n/);
  expect(livingIn(cwd)).toEqual([]);
});

it('a test that continues after the tests of its file starts nothing, and creates no folder', async () => {
  // An instance of its own, so that the other tests here can continue.
  vi.resetModules();
  const own = await import('../../scripts/support/processes.ts');
  const cwd = own.makeFolder();
  const run = own.runProcess('sh', ['-c', ENDLESS], { cwd });
  await runsIn(cwd);
  await own.cleanUp();
  expect((await run).code).toBeNull();
  await expect(own.runProcess('sh', ['-c', 'true'], { cwd })).rejects.toThrow('The tests of this file are over');
  expect(() => own.startProcess('sh', ['-c', 'true'], { cwd })).toThrow('The tests of this file are over');
  expect(() => own.makeFolder()).toThrow('The tests of this file are over');
});

it('a test that times out ends the program with its children, and takes no further step', async () => {
  // In a Vitest of its own, where a test can time out.
  const [folder, cwd] = [makeFolder(), makeFolder()];
  linkPackages(folder);
  const support = join(ROOT, 'test/scripts/support');
  const test = { setupFiles: [join(support, 'setup.ts')], testTimeout: 2000 };
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify({ test })};`);
  writeFileSync(
    join(folder, 'hangs.test.ts'),
    `import { expect, it } from 'vitest';
     import { makeFolder, runProcess } from ${JSON.stringify(join(support, 'processes.ts'))};
     let rest, next;
     it('hangs', async () => {
       const steps = async () => {
         const run = runProcess('sh', ['-c', ${JSON.stringify(ENDLESS)}], { cwd: ${JSON.stringify(cwd)} });
         // A step that does not ask how the program has ended.
         next = run.catch(() => {}).then(makeFolder);
         await run;
       };
       rest = steps();
       rest.catch(() => {});
       await rest;
     });
     it('is over', { timeout: 60_000 }, async () => {
       const leftOut = 'The test has timed out: its next steps are left out.';
       await expect(rest).rejects.toThrow(leftOut);
       await expect(next).rejects.toThrow(leftOut);
     });`,
  );
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter', 'json', '--outputFile', 'report.json'];
  const { code } = await runProcess(NODE, args, { cwd: folder, env: strangersEnv() });
  const report = readFileSync(join(folder, 'report.json'), 'utf8');
  const { testResults } = JSON.parse(report) as { readonly testResults: readonly { assertionResults: object[] }[] };
  expect([code, testResults.flatMap(({ assertionResults }) => assertionResults)]).toMatchObject([
    1,
    [
      { title: 'hangs', status: 'failed', failureMessages: [expect.stringContaining('Test timed out in 2000ms.')] },
      { title: 'is over', status: 'passed' },
    ],
  ]);
  await until('the program has ended', () => livingIn(cwd).length === 0);
});
