import { parseArgs } from 'node:util';
import { optionFault, UsageError } from '../../scripts/cli-error.ts';
import { ASSUMPTION_NAMES, ASSUMPTIONS, PRESETS, type Assumption, type Assumptions } from './assumptions.ts';

const TOOL = 'simulate:growth';

interface GrowthOptions {
  readonly assumptions: Assumptions;
  readonly isHelp: boolean;
}

/** Reads the arguments of `npm run simulate:growth`: a flag for each assumption. Throws `UsageError`. */
export function readGrowthOptions(args: readonly string[]): GrowthOptions {
  const { help = false, ...given } = parse(args);
  const read = (name: Assumption): [Assumption, number] => {
    const text = given[name];
    return [name, typeof text === 'string' ? readNumber(name, text) : PRESETS[name]];
  };
  return { assumptions: Object.fromEntries(ASSUMPTION_NAMES.map(read)) as Assumptions, isHelp: help === true };
}

/** The flags, with their values and what they say. */
export function describeAssumptions(assumptions: Assumptions): string {
  const width = Math.max(...ASSUMPTION_NAMES.map((name) => name.length));
  return ASSUMPTION_NAMES.map(
    (name) => `  --${name.padEnd(width)}  ${String(assumptions[name]).padStart(5)}  ${ASSUMPTIONS[name].what}`,
  ).join('\n');
}

function parse(args: readonly string[]) {
  const flags = ASSUMPTION_NAMES.map((name) => [name, { type: 'string' }] as const);
  try {
    return parseArgs({ args: [...args], options: { ...Object.fromEntries(flags), help: { type: 'boolean' } } })
      .values as Readonly<Record<string, string | boolean | undefined>>;
  } catch (cause) {
    throw optionFault(TOOL, cause);
  }
}

function readNumber(name: Assumption, text: string): number {
  const { least, most } = ASSUMPTIONS[name];
  const number = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} takes a number from ${least} to ${most}.`);
}
