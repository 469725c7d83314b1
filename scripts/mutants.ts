import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { optionFault, run, UsageError } from './cli-error.ts';
import { copyProject, type ProjectCopy } from './mutants/copy.ts';
import { drawMutants } from './mutants/draw.ts';
import { importersOf } from './mutants/importers.ts';
import { mutantsOf, withMutant, type Mutant } from './mutants/mutate.ts';
import { recordReach, testsFor, type Reach } from './mutants/reach.ts';
import { describeResults, type Fate, type Result } from './mutants/report.ts';
import { openTests } from './mutants/tests.ts';
import { passesTypeCheck } from './mutants/type-check.ts';
import { placesOf } from './mutants/uses.ts';

/**
 * `npm run test:mutants -- --count 200 --seed N`: changes the sources at random places, one at a time, and runs the
 * tests that execute the place, to find what no test would notice. All is done in copies of the project.
 */

const USAGE = `Usage: npm run test:mutants -- [--count N] [--seed N] [--in FOLDER] [--jobs N] [--record]

  --count N     how many changes (20)
  --seed N      the same seed draws the same changes of the same sources (1)
  --in FOLDER   only in files whose path begins with this, such as src/links/ (src/)
  --jobs N      how many at a time, each in a copy of its own (the number of processors)
  --record      finds again which tests execute which function, by a run of all tests; otherwise that of the
                last record is used, and for a file that has changed since all tests that execute the file`;

const ROOT = join(import.meta.dirname, '..');
const RECORD = join(ROOT, 'node_modules/.cache/mutants/reach.json');

interface Options {
  readonly count: number;
  readonly seed: number;
  readonly in: string;
  readonly jobs: number;
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
    const copies = Array.from({ length: options.jobs }, () => copyProject(ROOT));
    try {
      console.log(`\n${await tryMutants(copies, options, interrupted.signal)}`);
    } finally {
      for (const copy of copies) copy.remove();
    }
  });
}

/** Reads the arguments; null for `--help`. Throws `UsageError`. */
export function readOptions(args: readonly string[]): Options | null {
  const values = parse(args);
  if (values.help) return null;
  const numberOf = (name: 'count' | 'seed' | 'jobs', least: number) => {
    const value = Number(values[name]);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new UsageError(`--${name} takes a number from ${least}.`);
  };
  return {
    count: numberOf('count', 1),
    seed: numberOf('seed', 0),
    in: values.in,
    jobs: numberOf('jobs', 1),
    record: values.record,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        count: { type: 'string', default: '20' },
        seed: { type: 'string', default: '1' },
        in: { type: 'string', default: 'src/' },
        jobs: { type: 'string', default: String(availableParallelism()) },
        record: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw optionFault('test:mutants', error);
  }
}

/** Tries mutants in copies of the project, side by side. Returns the report. */
async function tryMutants(copies: readonly ProjectCopy[], options: Options, signal: AbortSignal): Promise<string> {
  const [{ sources, textOf }] = copies as [ProjectCopy];
  const all = sources.filter((file) => file.startsWith(options.in)).flatMap((file) => mutantsOf(file, textOf(file)));
  const drawn = drawMutants(all, options.count, options.seed);
  if (drawn.length === 0) throw new UsageError(`There is nothing to change in ${options.in}.`);
  const reach = await readReach(copies[0]!, options, signal);
  const importers = importersOf(sources, textOf);
  const startedMs = Date.now();
  const results: Result[] = [];
  const rest = drawn.entries();
  const hasTypes = await passesTypeCheck(copies[0]!.folder, signal);
  const tryRest = async (copy: ProjectCopy) => {
    const tests = openTests(copy.folder, signal);
    const fateOf = async ({ file }: Mutant, files: Reach['tests']): Promise<Fate> => {
      const outcome = files.length === 0 ? 'passed' : await tests.run(file, files);
      if (outcome === 'late') return 'timed out';
      if (outcome === 'failed') return 'killed';
      return !hasTypes || (await passesTypeCheck(copy.folder, signal)) ? 'survived' : 'killed by its types';
    };
    try {
      for (const [place, mutant] of rest) {
        const text = textOf(mutant.file);
        const found = testsFor(mutant.file, placesOf(mutant, { textOf, importers }), textOf, reach);
        const changed = new Map([[mutant.file, withMutant(text, mutant)]]);
        const fate = await copy.withTexts(changed, () => fateOf(mutant, found));
        results[place] = { mutant, fate, tests: found.length };
        const count = results.filter(Boolean).length;
        console.log(`${count}/${drawn.length} ${mutant.file}:${mutant.line} (${mutant.kind}): ${fate}`);
      }
    } finally {
      tests.close();
    }
  };
  const ends = await Promise.allSettled(copies.map(tryRest));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  const seconds = (Date.now() - startedMs) / 1000 / drawn.length;
  return `${describeResults(results, textOf)}\n${seconds.toFixed(1)} s for each.`;
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
