import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { optionFault, run, UsageError } from './cli-error.ts';
import { copyProject, type ProjectCopy } from './mutants/copy.ts';
import { drawMutants } from './mutants/draw.ts';
import { mutantsOf, withMutant, type Mutant } from './mutants/mutate.ts';
import { recordReach, testsFor, type Reach } from './mutants/reach.ts';
import { describeResults, type Fate, type Result } from './mutants/report.ts';
import { runTests } from './mutants/tests.ts';

/**
 * `npm run test:mutants -- --count 200 --seed N`: changes the sources at random places, one at a time, and runs the
 * tests that execute the place, to find what no test would notice. All is done in a copy of the project.
 */

const USAGE = `Usage: npm run test:mutants -- [--count N] [--seed N] [--in FOLDER] [--record]

  --count N     how many changes (20)
  --seed N      the same seed draws the same changes of the same sources (1)
  --in FOLDER   only in files whose path begins with this, such as src/links/ (src/)
  --record      finds again which tests execute which function, by a run of all tests; otherwise that of the
                last record is used, and for a file that has changed since all tests that execute the file`;

const ROOT = join(import.meta.dirname, '..');
const RECORD = join(ROOT, 'node_modules/.cache/mutants/reach.json');

// Most mutants fail in one of the first tests; only for the others all are run.
const FIRST_TESTS = 5;
// A start takes some seconds, on a busy machine many.
const START_MS = 120_000;
const PATIENCE = 5;

interface Options {
  readonly count: number;
  readonly seed: number;
  readonly in: string;
  readonly record: boolean;
}

if (import.meta.main) {
  await run(async () => {
    const options = readOptions(process.argv.slice(2));
    if (options === null) return console.log(USAGE);
    const interrupted = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => interrupted.abort(new UsageError('Interrupted.')));
    }
    const copy = copyProject(ROOT);
    try {
      const results = await tryMutants(copy, options, interrupted.signal);
      console.log(`\n${describeResults(results, copy.textOf)}`);
    } finally {
      copy.remove();
    }
  });
}

/** Reads the arguments; null for `--help`. Throws `UsageError`. */
export function readOptions(args: readonly string[]): Options | null {
  const values = parse(args);
  if (values.help) return null;
  const numberOf = (name: 'count' | 'seed', least: number) => {
    const value = Number(values[name]);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new UsageError(`--${name} takes a number from ${least}.`);
  };
  return { count: numberOf('count', 1), seed: numberOf('seed', 0), in: values.in, record: values.record };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        count: { type: 'string', default: '20' },
        seed: { type: 'string', default: '1' },
        in: { type: 'string', default: 'src/' },
        record: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw optionFault('test:mutants', error);
  }
}

async function tryMutants(copy: ProjectCopy, options: Options, signal: AbortSignal): Promise<Result[]> {
  const all = copy.sources
    .filter((file) => file.startsWith(options.in))
    .flatMap((file) => mutantsOf(file, copy.textOf(file)));
  const drawn = drawMutants(all, options.count, options.seed);
  if (drawn.length === 0) throw new UsageError(`There is nothing to change in ${options.in}.`);
  const reach = await readReach(copy, options, signal);
  const results: Result[] = [];
  for (const mutant of drawn) {
    const result = await tryMutant(copy, mutant, reach, signal);
    results.push(result);
    console.log(`${results.length}/${drawn.length} ${mutant.file}:${mutant.line} (${mutant.kind}): ${result.fate}`);
  }
  return results;
}

async function readReach(copy: ProjectCopy, { record }: Options, signal: AbortSignal): Promise<Reach> {
  if (!record && existsSync(RECORD)) return JSON.parse(readFileSync(RECORD, 'utf8')) as Reach;
  console.log('All tests are run once, to find which functions each of them executes …');
  const reach = await recordReach(copy, signal);
  mkdirSync(dirname(RECORD), { recursive: true });
  writeFileSync(RECORD, JSON.stringify(reach));
  if (reach.failing.length > 0)
    console.log(`These fail without a change, and are left out: ${reach.failing.join(', ')}`);
  return reach;
}

async function tryMutant(copy: ProjectCopy, mutant: Mutant, reach: Reach, signal: AbortSignal): Promise<Result> {
  const text = copy.textOf(mutant.file);
  const tests = testsFor(mutant, text, reach);
  const fate = await copy.withTexts(new Map([[mutant.file, withMutant(text, mutant)]]), async (): Promise<Fate> => {
    for (const some of [tests.slice(0, FIRST_TESTS), tests.slice(FIRST_TESTS)]) {
      if (some.length === 0) continue;
      const files = some.map(({ file }) => file);
      const seconds = some.reduce((sum, each) => sum + each.seconds, 0);
      const timeoutMs = START_MS + PATIENCE * seconds * 1000;
      const outcome = await runTests(copy.folder, { files, options: ['--bail=1'], timeoutMs, signal });
      if (outcome !== 'passed') return outcome === 'late' ? 'timed out' : 'killed';
    }
    return 'survived';
  });
  return { mutant, fate, tests: tests.length };
}
