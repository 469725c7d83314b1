import { describe, expect, it } from 'vitest';
import { drawMutants } from '../../../scripts/mutants/draw.ts';
import { diffOf, KINDS, mutantsOf, withMutant } from '../../../scripts/mutants/mutate.ts';

/** Each mutant of a text: its kind, and the text with it. */
const changesOf = (text: string) =>
  mutantsOf('src/x.ts', text).map((mutant) => [mutant.kind, withMutant(text, mutant)]);

describe('a mutant', () => {
  it.each<[text: string, changes: [kind: string, text: string][]]>([
    [
      'a = b === c;',
      [
        ['statement', ';'],
        ['comparison', 'a = b !== c;'],
      ],
    ],
    [
      'const a = b < c;',
      [
        ['comparison', 'const a = b >= c;'],
        ['comparison', 'const a = b <= c;'],
      ],
    ],
    [
      'const a = b >= c;',
      [
        ['comparison', 'const a = b < c;'],
        ['comparison', 'const a = b > c;'],
      ],
    ],
    ['const a = 5;', [['constant', 'const a = (5 + 1);']]],
    ['const a = 1_000 * b;', [['constant', 'const a = (1_000 * 2) * b;']]],
    ['const a = b * 5;', [['constant', 'const a = b * (5 + 1);']]],
    ['const a = z.min(5).meta({ example: 5 });', [['constant', 'const a = z.min((5 + 1)).meta({ example: 5 });']]],
    ['const a = { 5: true };', [['constant', 'const a = { 5: false };']]],
    ["throw new Error('no');", [['statement', ';']]],
    ['if (a) {}', [['condition', 'if (!(a)) {}']]],
    ['const a = b ? c : d;', [['condition', 'const a = !(b) ? c : d;']]],
    ['const a = b && c;', [['condition', 'const a = b || c;']]],
    ['const a = () => b;', [['return', 'const a = () => undefined;']]],
    ['function a() { return !b; }', [['return', 'function a() { return !(!b); }']]],
    [
      'function a() { return b > c; }',
      [
        ['return', 'function a() { return !(b > c); }'],
        ['comparison', 'function a() { return b <= c; }'],
        ['comparison', 'function a() { return b >= c; }'],
      ],
    ],
  ])('a mutant of %j', (text, changes) => {
    expect(changesOf(text)).toEqual(changes);
  });

  it.each([
    'type A = 5 | true;',
    "import a from './a.ts';",
    'interface A { readonly b: 5 }',
    'class A extends B { constructor() { super(); } }',
    'function a() { return; }',
    'function a() { return null; }',
    'const a = () => undefined;',
    'const a = z.int().meta({ example: 5, isShown: true });',
  ])('a mutant does not exist in %j', (text) => {
    expect(changesOf(text)).toEqual([]);
  });

  it('a mutant has a line, and the innermost function that it is in', () => {
    const text = 'const a = 1;\nfunction b() {\n  const c = () => {\n    d(2);\n  };\n  e(3);\n}\n';
    const numbers = mutantsOf('src/x.ts', text).filter(({ kind }) => kind === 'constant');
    expect(numbers.map(({ line, inFunction }) => [line, inFunction])).toEqual([
      [1, null],
      [4, 1],
      [6, 0],
    ]);
  });

  it('a mutant is shown as the lines of a diff', () => {
    const text = 'one();\nif (\n  two\n) three();\nfour();\n';
    const diffsOf = (source: string) => mutantsOf('src/x.ts', source).map((mutant) => diffOf(source, mutant));
    expect(diffsOf(text)).toContain('-   two\n+   !(two)');
    expect(diffsOf('last()')).toEqual(['- last()\n+ ;']);
  });
});

describe('a draw', () => {
  const text = Array.from({ length: 60 }, (_, index) => `if (a${index} === ${index}) b(() => c);`).join('\n');
  const all = mutantsOf('src/x.ts', text);

  it('a draw of mutants is the same for the same seed, without a mutant twice, and another for another seed', () => {
    const drawn = drawMutants(all, 50, 7);
    expect(drawMutants(all, 50, 7)).toEqual(drawn);
    expect(new Set(drawn).size).toBe(50);
    expect(drawMutants(all, 50, 8)).not.toEqual(drawn);
  });

  it('a draw of mutants has all kinds', () => {
    expect(new Set(drawMutants(all, 50, 7).map(({ kind }) => kind))).toEqual(new Set(KINDS));
  });

  it('a draw of mutants has all mutants where fewer exist than are asked for', () => {
    expect(new Set(drawMutants(all, 1000, 7))).toEqual(new Set(all));
  });
});
