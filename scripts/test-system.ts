import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { run } from './cli-error.ts';

/**
 * `npm run test:system [-- FILE …]`: the tests that take longer than those of `npm test`. The browser's files run one after
 * the other, since they share a browser and a service; beside the other projects they take no time of their own.
 */

const RUNS = [
  ['--project', 'browser'],
  ['--maxWorkers', '3', '--project', 'faults', '--project', 'system'],
];

await run(async () => {
  const root = join(import.meta.dirname, '..');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const files = process.argv.slice(2);
  // A file is in one of the runs only.
  const rest = files.length === 0 ? [] : ['--passWithNoTests', ...files];
  const children = RUNS.map((args) =>
    spawn(process.execPath, [vitest, 'run', ...args, ...rest], { cwd: root, stdio: 'inherit' }),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => children.forEach((child) => child.kill(signal)));
  }
  const codes = await Promise.all(
    children.map((child) => new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)))),
  );
  process.exitCode = Math.max(...codes);
});
