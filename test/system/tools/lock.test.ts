import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLock, takeLock } from '../../../scripts/lock.ts';
import {
  ended,
  listen,
  makeFolder,
  runProcess,
  startProcess,
  strangersEnv,
  until,
} from '../../scripts/support/processes.ts';
import { NODE, ROOT } from '../../scripts/support/project.ts';

/** A process that takes the lock of a folder and keeps it. */
async function startHolder(state: string, origin: string | null) {
  const url = JSON.stringify(`file://${join(ROOT, 'scripts/lock.ts')}`);
  const script = `
    import { takeLock } from ${url};
    await takeLock(${JSON.stringify(state)}, ${JSON.stringify(origin)});
    console.log('taken');
    setInterval(() => {}, 1000);
  `;
  const child = startProcess(NODE, ['--input-type=module', '-e', script], { cwd: ROOT, env: strangersEnv() });
  const [said, complaints] = [listen(child.stdout), listen(child.stderr)];
  const end = ended(child);
  await until('the process has the lock', () => said() === 'taken\n' || child.exitCode !== null);
  expect(complaints()).toBe('');
  return { pid: child.pid ?? 0, kill: (signal: NodeJS.Signals) => (child.kill(signal), end) };
}

it('the lock names the process that works on a state, and null once it has ended', async () => {
  const state = makeFolder();
  expect(await readLock(state)).toBeNull();
  const lock = await takeLock(state, 'http://localhost:8788');
  expect(await readLock(state)).toEqual({
    pid: process.pid,
    origin: 'http://localhost:8788',
    started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  lock.release();
  expect(await readLock(state)).toBeNull();
});

it('the lock creates nothing when it only reads', async () => {
  const state = join(makeFolder(), 'none');
  expect(await readLock(state)).toBeNull();
  expect(existsSync(state)).toBe(false);
});

it('the lock refuses a second server with one sentence that names the first, its process and the cure', async () => {
  const state = makeFolder();
  const { pid, kill } = await startHolder(state, 'http://localhost:8788');
  await expect(takeLock(state, 'http://localhost:8789')).rejects.toThrow(
    `Process ${pid} already serves the data in ${state}, at http://localhost:8788: stop it first, or use another folder with --persist-to DIR.`,
  );
  await kill('SIGTERM');
});

it('the lock refuses a server while a tool holds the lock', async () => {
  const state = makeFolder();
  const { pid, kill } = await startHolder(state, null);
  await expect(takeLock(state, 'http://localhost:8789')).rejects.toThrow(
    `Process ${pid} uses the data in ${state}: wait until it exits, or use another folder with --persist-to DIR.`,
  );
  await kill('SIGTERM');
});

it.each(['SIGTERM', 'SIGKILL'] as const)('the lock is taken over from a process ended by %s', async (signal) => {
  const state = makeFolder();
  const { kill } = await startHolder(state, 'http://localhost:8788');
  await kill(signal);
  expect(await readLock(state)).toBeNull();
  const lock = await takeLock(state, null);
  expect(await readLock(state)).toMatchObject({ pid: process.pid, origin: null });
  lock.release();
});

it('the lock is taken over from a dead process whose id was reused', async () => {
  const state = makeFolder();
  const { kill } = await startHolder(state, 'http://localhost:8788');
  await kill('SIGKILL');
  const left = { pid: process.pid, origin: 'http://localhost:8788', started_at: '2026-01-01T00:00:00.000Z' };
  writeFileSync(join(state, 'server.json'), JSON.stringify(left));
  expect(await readLock(state)).toBeNull();
  (await takeLock(state, null)).release();
});

it('the lock goes to one of many processes that take it at once', async () => {
  const state = makeFolder();
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map((port) => takeLock(state, `http://localhost:${port}`)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : ''))).toContainEqual(
    expect.stringMatching(/Process \d+ already serves the data in .*, at http:\/\/localhost:\d: /),
  );
});

it('the lock leaves no more than the empty lock file behind', async () => {
  const state = makeFolder();
  (await takeLock(state, null)).release();
  expect(readdirSync(state).toSorted()).toEqual(['server.lock', 'v3']);
});

it('the lock has an error that says to choose another folder if it cannot be written', async () => {
  const state = makeFolder();
  mkdirSync(join(state, 'server.lock'));
  await expect(takeLock(state, null)).rejects.toThrow(
    `The folder ${state} cannot be written: choose another with --persist-to DIR.`,
  );
});

it('the lock is not taken by a user who may not write its file', async () => {
  const state = makeFolder();
  chmodSync(state, 0o777);
  const { kill } = await startHolder(state, 'http://localhost:8788');
  chmodSync(join(state, 'server.lock'), 0o444);
  const url = JSON.stringify(`file://${join(ROOT, 'scripts/lock.ts')}`);
  const script = `
    import { takeLock } from ${url};
    // Root may write every file.
    if (process.getuid() === 0) process.setuid(65534);
    await takeLock(${JSON.stringify(state)}, null).then(() => console.log('taken'), ({ message }) => console.log(message));
  `;
  const { stdout } = await runProcess(NODE, ['--input-type=module', '-e', script], { cwd: ROOT });
  expect(stdout).toBe(`The folder ${state} cannot be written: choose another with --persist-to DIR.\n`);
  chmodSync(join(state, 'server.lock'), 0o644);
  expect(await readLock(state)).toMatchObject({ origin: 'http://localhost:8788' });
  await kill('SIGTERM');
});

it('the lock says which file to remove if it is not a lock file', async () => {
  const state = makeFolder();
  const file = join(state, 'server.lock');
  writeFileSync(file, 'x'.repeat(5000));
  await expect(takeLock(state, null)).rejects.toThrow(`${file} is damaged: remove it, and try again.`);
});
