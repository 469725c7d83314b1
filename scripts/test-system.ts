import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './cli-error.ts';

/**
 * `npm run test:system [-- FILE …]`: the tests that take longer than those of `npm test`. All runs begin at once, since most
 * of what these tests do is to wait for processes and stores, and fewer runs would leave a core idle. The files of the
 * browser are in two runs, each with a browser and a service of its own. What failed is printed again once all have ended,
 * since the run that ends first has its failures in the middle of the output, and to stdout, as Vitest's own results are: a
 * log of stdout alone has it too.
 */

const RUNS = [
  ['--project', 'browser', '--shard', '1/2'],
  ['--project', 'browser', '--shard', '2/2'],
  ['--maxWorkers', '2', '--project', 'faults'],
  ['--maxWorkers', '3', '--project', 'system'],
];

/** Of an error, so many lines are printed again. */
const MAX_LINES = 40;

/** The report of Vitest's reporter `json`, as far as it is read here. */
interface Report {
  readonly testResults: readonly {
    /** The file's path. */
    readonly name: string;
    readonly status: 'passed' | 'failed';
    /** Why the file could not run; empty if it ran. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

if (import.meta.main) {
  await run(async () => {
    const root = join(import.meta.dirname, '..');
    const reports = mkdtempSync(join(tmpdir(), 'terse-test-system-'));
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const files = process.argv.slice(2);
    // A file is in one of the runs only.
    const rest = files.length === 0 ? [] : ['--passWithNoTests', ...files];
    const runs = RUNS.map((args, index) => {
      const report = join(reports, `${index}.json`);
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      const child = spawn(process.execPath, [vitest, 'run', ...args, ...reporters, ...rest], {
        cwd: root,
        stdio: 'inherit',
      });
      const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
      return { args, report, child, ended };
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => runs.forEach(({ child }) => child.kill(signal)));
    }
    await Promise.all(runs.map(({ ended }) => ended));
    for (const { args, report, ended } of runs) {
      const code = await ended;
      if (code === 0) continue;
      process.exitCode = code;
      const failures = existsSync(report) ? failuresOf(JSON.parse(readFileSync(report, 'utf8')) as Report, root) : '';
      console.log(`\nFailed (${args.join(' ')}):\n${failures || 'no test; the output above has the error.'}`);
    }
    rmSync(reports, { recursive: true });
  });
}

/** Each failed test with its file and the first lines of its error; a line for a file that could not run. */
export function failuresOf({ testResults }: Report, root: string): string {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = name.replace(`${root}/`, '');
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`${file}\n${indented(message)}`];
      return failed.map(
        ({ fullName, failureMessages = [] }) => `${file}: ${fullName}\n${indented(...failureMessages)}`,
      );
    })
    .join('\n');
}

function indented(...messages: readonly string[]): string {
  return messages
    .flatMap((message) => message.split('\n').slice(0, MAX_LINES))
    .map((line) => `    ${line}`)
    .join('\n');
}
