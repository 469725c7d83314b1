import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import ts from 'typescript-5';
import { expect, it } from 'vitest';
import { instrumented } from '../../../scripts/mutants/functions.ts';
import { importersOf } from '../../../scripts/mutants/importers.ts';
import { parse } from '../../../scripts/mutants/mutate.ts';
import { testsFor, type Reach } from '../../../scripts/mutants/reach.ts';
import { placesOf, type Place } from '../../../scripts/mutants/uses.ts';

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
    { file: 'test/links/x.isolated.test.ts', seconds: 20 },
    { file: 'test/clicks/x.test.ts', seconds: 0.5 },
    { file: 'test/api/y.test.ts', seconds: 3 },
  ],
  failing: [],
  sources: { 'src/links/x.ts': createHash('sha256').update(TEXT).digest('hex') },
  functions: {
    'src/links/x.ts#0': [0, 1, 2, 3, 4],
    'src/links/x.ts#1': [0],
    'src/links/x.tsx#2': [2],
    'src/api/y.ts#0': [5],
  },
};

const ALL = [
  'test/links/x.isolated.test.ts',
  'test/links/fast.test.ts',
  'test/links/slow.test.ts',
  'test/clicks/x.test.ts',
  'test/api/links.test.ts',
];

const namesFor = (text: string, ...places: Place[]) =>
  testsFor('src/links/x.ts', places, () => text, REACH).map(({ file }) => file);

it('a mutant is tried by the tests that execute its function, the nearest and fastest first', () => {
  expect(namesFor(TEXT, { file: 'src/links/x.ts', inFunction: 0 })).toEqual(ALL);
  expect(namesFor(TEXT, { file: 'src/links/x.ts', inFunction: 1 })).toEqual(['test/api/links.test.ts']);
  expect(namesFor(TEXT, { file: 'src/links/x.ts', inFunction: 7 })).toEqual([]);
});

it('a mutant in a file that has changed, or in no function, is tried by all tests that execute its files', () => {
  expect(namesFor(`${TEXT}, changed`, { file: 'src/links/x.ts', inFunction: 1 })).toEqual(ALL);
  const both = ['src/links/x.ts', 'src/api/y.ts'].map((file) => ({ file, inFunction: null }));
  expect(namesFor(TEXT, ...both)).toEqual([...ALL, 'test/api/y.test.ts']);
});

const MODULES = new Map([
  [
    'src/a.ts',
    `import type { Bound } from './links/b.ts';\nimport { half as part } from './c.ts';\nexport const a = () => part;\n`,
  ],
  ['src/c.ts', `import {\n  MOST,\n} from './links/b.ts';\nexport const half = MOST / 2;\nconst other = () => 1;\n`],
  ['src/d.ts', `const later = () => import('./c.ts').then((c) => c.half);\n`],
  [
    'src/links/b.ts',
    `const LEAST = 1;\nexport const MOST = LEAST + 9;\nexport const isIn = (size: number) => size < MOST;\n`,
  ],
  [
    'src/f.ts',
    `import { isIn } from './links/b.ts';\nconst few = isIn(3);\nexport const f = () => few;\nconst g = () => isIn(4);\n`,
  ],
  ['src/links/e.ts', `export * from './b.ts';\nimport { z } from 'zod';\nregister(7);\n`],
]);
const textOf = (file: string) => MODULES.get(file)!;
const importers = importersOf([...MODULES.keys()], textOf);

it('the importers of a file are those that import more than its types, at once or later', () => {
  expect([...importers]).toEqual([
    ['src/c.ts', ['src/a.ts', 'src/d.ts']],
    ['src/links/b.ts', ['src/c.ts', 'src/f.ts', 'src/links/e.ts']],
  ]);
});

const placesAt = (file: string, text: string, inFunction: number | null = null) =>
  placesOf(
    { file, inFunction, start: textOf(file).indexOf(text), end: 0, line: 1, kind: 'constant' },
    { textOf, importers },
  ).map((place) => `${place.file}#${place.inFunction}`);

it('a mutant at the top level is tried where its name, or one that is declared with it, is used', () => {
  const all = ['src/links/b.ts#0', 'src/d.ts#1', 'src/a.ts#0'];
  expect(placesAt('src/links/b.ts', '9').toSorted()).toEqual(all.toSorted());
  expect(placesAt('src/links/b.ts', '1').toSorted()).toEqual(all.toSorted());
  expect(placesAt('src/c.ts', '2').toSorted()).toEqual(['src/a.ts#0', 'src/d.ts#1']);
  expect(placesAt('src/links/e.ts', '7')).toEqual(['src/links/e.ts#null']);
});

it('a mutant in a function is tried by it, and where what modules got from it as they were loaded is used', () => {
  expect(placesAt('src/links/b.ts', '< MOST', 0)).toEqual(['src/links/b.ts#0', 'src/f.ts#0']);
  expect(placesAt('src/c.ts', '=> 1', 0)).toEqual(['src/c.ts#0']);
});
