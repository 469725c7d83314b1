import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import ts from 'typescript-5';
import { expect, it } from 'vitest';
import { instrumented } from '../../../scripts/mutants/functions.ts';
import { parse } from '../../../scripts/mutants/mutate.ts';
import { testsFor, type Reach } from '../../../scripts/mutants/reach.ts';

const SOURCE = `
function outer(value: number) {
  const inner = (given: number) => ({ given });
  return value > 0 ? inner(value) : null;
}
const curried = (one: string) => (other: string) => one + other;
class Base {}
class Thing extends Base {
  constructor() {
    super();
  }
  get name() {
    return 'thing';
  }
}
`;

/** Runs a text as an instrumented program. Returns its value, and the functions that were called. */
function runInstrumented(call: string) {
  const reached = new Set<string>();
  const text = `${instrumented(parse('src/x.ts', SOURCE), 'reached')}\n${call}`;
  const { outputText } = ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  return { value: runInNewContext(outputText, { reached }) as unknown, reached: [...reached] };
}

it.each<[call: string, value: unknown, reached: number[]]>([
  ['outer(0)', null, [0]],
  ['outer(2)', { given: 2 }, [0, 1]],
  [`curried('a')('b')`, 'ab', [2, 3]],
  ['new Thing().name', 'thing', [4, 5]],
])('the instrumentation of %s says which functions were called, and changes nothing else', (call, value, reached) => {
  expect(runInstrumented(call)).toEqual({ value, reached: reached.map((index) => `src/x.ts#${index}`) });
});

it('the instrumentation keeps each line where it is', () => {
  const text = instrumented(parse('src/x.ts', SOURCE), 'reached');
  expect(text.split('\n').length).toBe(SOURCE.split('\n').length);
});

const TEXT = 'the text of the file';
const REACH: Reach = {
  tests: [
    { file: 'test/api/links.test.ts', seconds: 1 },
    { file: 'test/links/slow.test.ts', seconds: 9 },
    { file: 'test/links/fast.test.ts', seconds: 2 },
  ],
  failing: [],
  sources: { 'src/links/x.ts': createHash('sha256').update(TEXT).digest('hex') },
  functions: { 'src/links/x.ts#0': [0, 1, 2], 'src/links/x.ts#1': [0], 'src/links/x.tsx#2': [2] },
};

const namesFor = (inFunction: number | null, text: string) =>
  testsFor({ file: 'src/links/x.ts', inFunction }, text, REACH).map(({ file }) => file);

it('a mutant is tried by the tests that execute its function, first by those of its room', () => {
  const all = ['test/links/fast.test.ts', 'test/links/slow.test.ts', 'test/api/links.test.ts'];
  expect(namesFor(0, TEXT)).toEqual(all);
  expect(namesFor(1, TEXT)).toEqual(['test/api/links.test.ts']);
  expect(namesFor(7, TEXT)).toEqual([]);
});

it('a mutant at the top level, or in a file that has changed, is tried by all tests that execute the file', () => {
  const all = ['test/links/fast.test.ts', 'test/links/slow.test.ts', 'test/api/links.test.ts'];
  expect(namesFor(null, TEXT)).toEqual(all);
  expect(namesFor(1, `${TEXT}, changed`)).toEqual(all);
});
