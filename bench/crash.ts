import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run, UsageError } from '../scripts/cli-error.ts';

/** `npm run bench:crash`: the crash test of `npm run test:system` with 20 crashes, or with `--crashes N`. */
await run(async () => {
  const { crashes = '20' } = readArguments();
  if (!/^[1-9]\d{0,2}$/.test(crashes)) throw new UsageError('--crashes takes a whole number from 1 to 999.');
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
  const args = ['run', '--project', 'system', 'test/system/crash.test.ts'];
  const env = { ...process.env, CRASHES: crashes };
  process.exitCode = spawnSync(process.execPath, [vitest, ...args], { stdio: 'inherit', env }).status ?? 1;
});

function readArguments() {
  try {
    return parseArgs({ options: { crashes: { type: 'string' } } }).values;
  } catch (cause) {
    throw new UsageError('The crash bench takes --crashes N, and nothing else.', { cause });
  }
}
