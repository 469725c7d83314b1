import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../scripts/cli-error.ts';
import type { Cores } from './cores.ts';
import { findCommit } from './pairs/revision.ts';

const PARTS = [
  'ratios',
  'floor',
  'kinds',
  'others',
  'bounds',
  'pairs',
  'connected',
  'counts',
  'size',
  'statistics',
  'limits',
  'memory',
  'first',
] as const;
type Part = (typeof PARTS)[number];

/** The last commit whose Worker was one module. */
const ONE_MODULE = '24bb6a5c~1';

export interface BenchOptions {
  /** The file for the figures as JSON, or null. */
  readonly json: string | null;
  readonly rounds: number;
  /** The duration of each leg of a round. */
  readonly seconds: number;
  readonly parts: readonly Part[];
  /** The commit that hot redirects are compared with. */
  readonly beside: string;
  /** The commit that the first requests of processes are compared with. */
  readonly firstBeside: string;
}

/** The options of a measurement in rounds. */
export interface RoundOptions {
  readonly rounds: number;
  /** The duration of each leg of a round. */
  readonly seconds: number;
  readonly cores: Cores | null;
  readonly say: (progress: string) => void;
}

/** The options of a measurement that is compared with an earlier commit. */
export interface ComparisonOptions extends RoundOptions {
  /** The commit. */
  readonly beside: string;
}

/** Reads the arguments of `npm run bench`. Throws `UsageError`. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { json, rounds, seconds, only, beside } = parse(args);
  const parts = only === undefined ? PARTS : PARTS.filter((part) => only.map(readPart).includes(part));
  const findFor = (part: Part, commit: string) => (parts.includes(part) ? findCommit(commit) : commit);
  return {
    json: json === undefined ? null : readFile(json),
    rounds: readNumber('--rounds', rounds, 5, 100),
    seconds: readNumber('--seconds', seconds, 6, 60),
    parts,
    beside: findFor('pairs', beside ?? 'HEAD~1'),
    firstBeside: findFor('first', beside ?? ONE_MODULE),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        only: { type: 'string', multiple: true },
        beside: { type: 'string' },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(
      'The bench takes --json FILE, --rounds N, --seconds N, --only PART and --beside COMMIT, and nothing else.',
      {
        cause,
      },
    );
  }
}

function readNumber(name: string, text: string | undefined, preset: number, most: number): number {
  if (text === undefined) return preset;
  const number = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= 1 && number <= most)) throw new UsageError(`${name} takes a whole number from 1 to ${most}.`);
  return number;
}

function readPart(text: string): Part {
  const part = PARTS.find((known) => known === text);
  if (part === undefined) throw new UsageError(`--only takes one of ${PARTS.join(', ')}; repeat it for another.`);
  return part;
}

// Read before the bench has run for a quarter of an hour, not after it.
function readFile(file: string): string {
  try {
    accessSync(dirname(file), constants.W_OK);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new TypeError(`${file} is a folder`);
    return file;
  } catch (cause) {
    throw new UsageError(
      `--json cannot write ${file || 'a file without a name'}: name a file in a folder that you can write.`,
      {
        cause,
      },
    );
  }
}
