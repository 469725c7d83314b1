import { diffOf, type Mutant } from './mutate.ts';

/** The fate of a mutant: a test failed, only the type check did, all passed, or they did not end. */
export type Fate = 'killed' | 'killed by its types' | 'survived' | 'timed out';

export interface Result {
  readonly mutant: Mutant;
  readonly fate: Fate;
  /** The number of test files that execute the place. */
  readonly tests: number;
}

/** The table of rooms, and below it each mutant that no test noticed. */
export function describeResults(results: readonly Result[], textOf: (file: string) => string): string {
  const rooms = Map.groupBy(results, ({ mutant }) => roomOf(mutant.file));
  const rows = [...rooms].toSorted(([one], [other]) => one.localeCompare(other));
  const table = [['room', 'killed', 'survived', 'timed out'], ...rows.map(rowOf), rowOf(['all', results])];
  const survived = results.filter(({ fate }) => fate === 'survived');
  const late = results.filter(({ fate }) => fate === 'timed out');
  return [
    aligned(table),
    ...survived.map((result) => described(result, textOf)),
    ...(late.length > 0 ? ['Timed out:', ...late.map((result) => described(result, textOf))] : []),
    `${percentOf(results)} of the mutants that did not time out were killed${byTypes(results)}.`,
  ].join('\n\n');
}

/** The room of a source file; the ground floor has files without one. */
function roomOf(file: string): string {
  const [, room = '', ...rest] = file.split('/');
  return rest.length > 0 ? room : '(none)';
}

function rowOf([name, results]: readonly [string, readonly Result[]]): string[] {
  const count = (isWanted: (fate: Fate) => boolean) => String(results.filter(({ fate }) => isWanted(fate)).length);
  return [name, count(isKilled), count((fate) => fate === 'survived'), count((fate) => fate === 'timed out')];
}

function aligned(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return rows
    .map(([name = '', ...cells]) => [name.padEnd(width), ...cells.map((cell) => cell.padStart(9))].join('  '))
    .join('\n');
}

function described({ mutant, tests }: Result, textOf: (file: string) => string): string {
  const reached = tests === 0 ? 'no test executes it' : `executed by ${tests} test ${tests === 1 ? 'file' : 'files'}`;
  return `${mutant.file}:${mutant.line} (${mutant.kind}; ${reached})\n${diffOf(textOf(mutant.file), mutant)}`;
}

const isKilled = (fate: Fate): boolean => fate === 'killed' || fate === 'killed by its types';

function byTypes(results: readonly Result[]): string {
  const { length } = results.filter(({ fate }) => fate === 'killed by its types');
  return length === 0 ? '' : `, ${length} of them by the type check alone`;
}

function percentOf(results: readonly Result[]): string {
  const ended = results.filter(({ fate }) => fate !== 'timed out');
  const killed = ended.filter(({ fate }) => isKilled(fate));
  return ended.length === 0 ? 'None' : `${((killed.length / ended.length) * 100).toFixed(1)}%`;
}
