import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { makeFolder, runProcess, until } from './support/processes.ts';

// Its child goes on by itself, and writes into its folder.
const ENDLESS = 'echo begun; (while :; do echo x >> ticks; sleep 0.1; done) & wait';

it('a program that does not end is killed at its deadline with its children, and its output is shown', async () => {
  const cwd = makeFolder();
  const run = runProcess('sh', ['-c', ENDLESS], { cwd, deadlineMs: 1000 });
  await expect(run).rejects.toThrow(/^sh did not end within 1 s\. It said:\nbegun\n/);
  const ticks = () => readFileSync(join(cwd, 'ticks')).length;
  const before = ticks();
  await setTimeout(500);
  expect(ticks()).toBe(before);
});

it('a test that goes on after its end starts nothing, and makes no folder', async () => {
  // An instance of its own, so that the other tests here can go on.
  vi.resetModules();
  const own = await import('./support/processes.ts');
  const cwd = own.makeFolder();
  const run = own.runProcess('sh', ['-c', ENDLESS], { cwd });
  await until('it runs', () => {
    try {
      return readFileSync(join(cwd, 'ticks')).length > 0;
    } catch {
      return false;
    }
  });
  await own.cleanUp();
  expect((await run).code).toBeNull();
  await expect(own.runProcess('sh', ['-c', 'true'], { cwd })).rejects.toThrow('The tests of this file are over');
  expect(() => own.startProcess('sh', ['-c', 'true'], { cwd })).toThrow('The tests of this file are over');
  expect(() => own.makeFolder()).toThrow('The tests of this file are over');
});
