import { fork, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PROJECTS } from './projects.ts';
import type { Message, Order } from './session.ts';

// A start takes some seconds, on a busy machine many.
const START_MS = 120_000;
// A test file may take longer than when all were run once, since another job runs, and a workerd starts.
const PATIENCE = 5;
const MIN_PATIENCE_MS = 60_000;
// Tests run in other processes than Vitest, so that no change ends it.
const ATTEMPTS = 2;

/** Runs all tests in a copy of the project, whatever their outcome. Throws if the signal is aborted. */
export async function runAllTests(folder: string, options: readonly string[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const projects = PROJECTS.flatMap((name) => ['--project', name]);
  const args = [vitest, 'run', '--passWithNoTests', ...projects, ...options];
  const child = spawn(process.execPath, args, { ...optionsIn(folder), stdio: 'ignore' });
  const kill = () => killGroup(child);
  signal.addEventListener('abort', kill, { once: true });
  await once(child, 'close');
  signal.removeEventListener('abort', kill);
  kill();
  signal.throwIfAborted();
}

type Outcome = 'passed' | 'failed' | 'late';

interface TimedFile {
  readonly file: string;
  readonly seconds: number;
}

/** Test files of a copy of the project, which one process runs for as long as they end in time. */
interface Tests {
  /**
   * Runs test files in their order, until one fails, or takes much longer than its seconds. `changed` is a source file.
   * Throws if the signal is aborted.
   */
  readonly run: (changed: string, files: readonly TimedFile[]) => Promise<Outcome>;
  readonly close: () => void;
}

/** Opens tests whose process starts with the first run. They close when the signal is aborted. */
export function openTests(folder: string, signal: AbortSignal): Tests {
  let child: ChildProcess | null = null;
  const close = () => {
    if (child) killGroup(child);
    child = null;
  };
  signal.addEventListener('abort', close, { once: true });

  const runOnce = async (changed: string, files: readonly TimedFile[]): Promise<Outcome | 'ended'> => {
    signal.throwIfAborted();
    if (child === null) {
      child = fork(join(folder, 'scripts/mutants/session.ts'), { ...optionsIn(folder), stdio: STDIO });
      child.on('error', () => {});
      const start = await lastMessage(child, [START_MS]);
      signal.throwIfAborted();
      if (start !== 'ready') throw new Error('Vitest did not start in the copy of the project.');
    }
    const last = lastMessage(
      child,
      files.map(({ seconds }) => MIN_PATIENCE_MS + PATIENCE * seconds * 1000),
    );
    const order: Order = { changed, files: files.map(({ file }) => file) };
    child.send(order);
    const outcome = await last;
    signal.throwIfAborted();
    if (outcome === 'late' || outcome === 'ended') close();
    return outcome === 'ready' ? 'ended' : outcome;
  };

  return {
    run: async (changed, files) => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const outcome = await runOnce(changed, files);
        if (outcome !== 'ended') return outcome;
      }
      throw new Error(`Vitest ends in the copy of the project, with ${changed} changed.`);
    },
    close: () => {
      signal.removeEventListener('abort', close);
      close();
    },
  };
}

const STDIO: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];

// A group of its own, since what the tests start has to end with them.
const optionsIn = (folder: string) => ({
  cwd: folder,
  env: { ...process.env, PWD: folder, TEST_SHARE: '1/1' },
  detached: true,
});

/**
 * Waits for the message that is the last of a run. `ended` if the process has ended, `late` if one of its files takes
 * longer than its time.
 */
function lastMessage(
  child: ChildProcess,
  patiencesMs: readonly number[],
): Promise<Exclude<Message, 'file'> | 'late' | 'ended'> {
  return new Promise((resolve) => {
    const settle = (outcome: Exclude<Message, 'file'> | 'late' | 'ended') => {
      clearTimeout(timer);
      child.off('message', hear).off('close', end);
      resolve(outcome);
    };
    let done = 0;
    const wait = () => setTimeout(() => settle('late'), patiencesMs[done] ?? MIN_PATIENCE_MS);
    let timer = wait();
    const hear = (message: Message) => {
      if (message !== 'file') return settle(message);
      clearTimeout(timer);
      done += 1;
      timer = wait();
    };
    const end = () => settle('ended');
    child.on('message', hear).once('close', end);
  });
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
}
