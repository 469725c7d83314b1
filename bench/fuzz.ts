import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run, UsageError } from '../scripts/cli-error.ts';

/**
 * `npm run bench:fuzz`: the fuzz test of `npm test` with 20,000 requests (`--requests N` for others), new ones each
 * time. Each must be answered within a second. `--seed N` repeats the requests of an earlier run.
 */
await run(async () => {
  const { requests = '20000', seed = String(Date.now() % 2 ** 31) } = readArguments();
  if (![requests, seed].every((text) => /^\d{1,10}$/.test(text))) {
    throw new UsageError('--requests and --seed take whole numbers.');
  }
  console.log(`${requests} requests; seed ${seed}`);
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
  const args = ['run', '--project', 'worker', 'test/http/fuzz.test.ts'];
  const env = { ...process.env, FUZZ_REQUESTS: requests, FUZZ_SEED: seed };
  process.exitCode = spawnSync(process.execPath, [vitest, ...args], { stdio: 'inherit', env }).status ?? 1;
});

function readArguments() {
  try {
    return parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } }).values;
  } catch (cause) {
    throw new UsageError('The fuzz bench takes --requests N and --seed N, and nothing else.', { cause });
  }
}
