import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { makeFolder, runProcess, until } from './support/processes.ts';

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
  const own = await import('./support/processes.ts');
  const cwd = own.makeFolder();
  const run = own.runProcess('sh', ['-c', ENDLESS], { cwd });
  await runsIn(cwd);
  await own.cleanUp();
  expect((await run).code).toBeNull();
  await expect(own.runProcess('sh', ['-c', 'true'], { cwd })).rejects.toThrow('The tests of this file are over');
  expect(() => own.startProcess('sh', ['-c', 'true'], { cwd })).toThrow('The tests of this file are over');
  expect(() => own.makeFolder()).toThrow('The tests of this file are over');
});

describe('a test that times out', () => {
  const cwd = makeFolder();
  let rest: Promise<unknown> = Promise.resolve();
  let next: Promise<string> | undefined;

  // It has to time out, since only that shows that Vitest aborts the signal of a test, and Vitest has no other way to expect
  // it. The next test checks how this one failed.
  it.fails('a test that times out has run a program that does not end', { timeout: 2000 }, async () => {
    const steps = async () => {
      const run = runProcess('sh', ['-c', ENDLESS], { cwd });
      // A step that does not ask how the program has ended.
      next = run.catch(() => {}).then(makeFolder);
      await run;
    };
    rest = steps();
    rest.catch(() => {});
    await rest;
  });

  it('a test that times out ends the program with its children, and takes no further step', async () => {
    await expect(rest).rejects.toThrow('The test has timed out: its next steps are left out.');
    await expect(next).rejects.toThrow('The test has timed out: its next steps are left out.');
    await until('the program has ended', () => livingIn(cwd).length === 0);
  });
});
