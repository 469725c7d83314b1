import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The projects of `npm test` that execute sources in the process of the test. */
const PROJECTS = ['worker', 'isolated', 'scripts'].flatMap((name) => ['--project', name]);

type Outcome = 'passed' | 'failed' | 'late';

interface Run {
  /** Paths of test files; all of them if there are none. */
  readonly files?: readonly string[];
  /** Further options of Vitest. */
  readonly options?: readonly string[];
  readonly timeoutMs?: number;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

/** Runs tests in a copy of the project. Throws if the signal is aborted. */
export function runTests(folder: string, { files = [], options = [], timeoutMs, signal }: Run): Promise<Outcome> {
  signal.throwIfAborted();
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--passWithNoTests', ...PROJECTS, ...options, ...files];
  // A group of its own, since what the tests start has to end with them.
  const env = { ...process.env, PWD: folder };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore', detached: true });
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All have ended.
    }
  };
  let isLate = false;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          isLate = true;
          kill();
        }, timeoutMs);
  signal.addEventListener('abort', kill, { once: true });
  return new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      kill();
      if (signal.aborted) reject(signal.reason as Error);
      else resolve(isLate ? 'late' : code === 0 ? 'passed' : 'failed');
    });
  });
}
