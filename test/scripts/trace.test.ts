import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { flowOf, FLOWS } from '../../scripts/trace/flows.ts';
import { inputText } from '../../scripts/trace/input-text.ts';
import { instrument } from '../../scripts/trace/instrument.ts';
import { describeWay } from '../../scripts/trace/report.ts';
import { roomOf, wayOf } from '../../scripts/trace/way.ts';

/** Runs a module whose last statement is an expression. Returns its value, and the names of what was called. */
function run(code: string): { value: unknown; called: (string | undefined)[]; given: (string | null)[] } {
  const names: string[] = [];
  const [called, given]: [(string | undefined)[], (string | null)[]] = [[], []];
  const enter = (id: number, args?: ArrayLike<unknown>, self?: unknown) => {
    called.push(names[id]);
    given.push(args === undefined ? null : inputText(args, self));
  };
  const changed = instrument(code, (name) => names.push(name) - 1).replace(/\nimport .*\n$/, '');
  const value: unknown = runInNewContext(`(() => { ${changed} })()`, { $enter: enter });
  return { value, called, given };
}

describe('a function that reports its calls', () => {
  it.each<[kind: string, code: string, value: unknown, called: string[]]>([
    ['declaration', 'function add(a, b = 1) { return a + b; } return add(2);', 3, ['add']],
    ['arrow function', 'const double = (n) => n * 2; return double(2);', 4, ['double']],
    [
      'arrow function with patterns',
      'const f = ({ a }, [b] = [5], ...c) => a + b + c.length; return f({ a: 1 });',
      6,
      ['f'],
    ],
    ['arrow function in a default', 'const f = (g = (n) => n + 1) => g(1); return f();', 2, ['f', 'in f']],
    ['arrow function that returns an object', 'const f = () => ({ a: 1 }); return f().a;', 1, ['f']],
    ['arrow function that returns another', 'const f = (a) => (b) => a + b; return f(1)(2);', 3, ['f', 'in f']],
    ['callback', 'return [1, 2].map((n) => n + 1).length;', 2, ['module', 'module']],
    ['method', 'class A { n = 2; get() { return this.n; } } return new A().get();', 2, ['A.get']],
    [
      'constructor',
      'class A {} class B extends A { constructor() { super(); } } return new B() instanceof A;',
      true,
      ['new B'],
    ],
    ['getter', 'class A { get n() { return 3; } } return new A().n;', 3, ['A.n']],
    [
      'private method',
      'class A { #f() { return 4; } f() { return this.#f(); } } return new A().f();',
      4,
      ['A.f', 'A.#f'],
    ],
    ['method of an object', 'const a = { f() { return 5; } }; return a.f();', 5, ['f']],
    ['generator', 'function* f() { yield 6; } return [...f()][0];', 6, ['f']],
  ])('a function that reports its calls does what it did before: %s', (_kind, code, value, called) => {
    expect(run(code)).toMatchObject({ value, called });
  });

  it('a function that reports its calls reports an asynchronous call once, also if it waits', async () => {
    const { value, called } = run('const f = async (n) => { await null; return n; }; return f(7);');
    expect([await value, called]).toEqual([7, ['f']]);
  });

  it('a function that reports its calls reports what a function of a module and a method got, and nothing of a closure', () => {
    const { given } = run('const f = (a) => a.map((n) => n); class A { f(a) { return f(a); } } return new A().f([1]);');
    expect(given).toEqual([expect.stringMatching(/^A#\d+\.\(\[1\]\)$/), '([1])', null]);
  });
});

describe('the text of an input', () => {
  it.each<[what: string, one: unknown, other: unknown]>([
    ['objects', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    ['sets and maps', [new Set(['a']), new Map([['a', 1]])], [new Set(['a']), new Map([['a', 1]])]],
    [
      'dates, URLs and bytes',
      [new Date(0), new URL('https://a.test'), new Uint8Array([1])],
      [new Date(0), new URL('https://a.test'), new Uint8Array([1])],
    ],
  ])('the text of an input is equal for equal %s', (_what, one, other) => {
    expect(inputText([one])).toBe(inputText([other]));
  });

  it.each<[what: string, one: unknown, other: unknown]>([
    ['a number and its text', 1, '1'],
    ['null and undefined', null, undefined],
    ['other values', { a: 1 }, { a: 2 }],
    ['two functions', () => 1, () => 1],
    ['two instances of a class', new Request('https://a.test'), new Request('https://a.test')],
  ])('the text of an input differs for %s', (_what, one, other) => {
    expect(inputText([one])).not.toBe(inputText([other]));
    expect(inputText([one])).toBe(inputText([one]));
  });

  it('the text of an input ends for an object that contains itself, and runs no getter', () => {
    const value: Record<string, unknown> = {
      get fails() {
        throw new Error('was run');
      },
    };
    value['self'] = value;
    expect(inputText([value])).toContain('self');
  });
});

describe('a way', () => {
  const functions = [
    { file: 'src/app/app.ts', name: 'fetch' },
    { file: 'src/links/slugs/slug.ts', name: 'keysOf' },
    { file: 'src/links/slugs/slug.ts', name: 'foldSlug' },
    { file: 'src/errors.ts', name: 'refuse' },
  ];
  const recording = {
    calls: [
      [0, 0],
      [1, 1],
      [2, 1],
      [3, -1],
      [0, 2],
      [1, 1],
      [3, -1],
    ] as const,
    inputs: ['(Request#1)', '("a")', '()'],
  };
  const way = wayOf(functions, recording);

  it('the way of a request counts the files, and the calls in another file than the call before', () => {
    expect(way).toMatchObject({ calls: 7, files: 3, hops: 5 });
    expect(way.steps.map(({ file }) => roomOf(file))).toEqual(['app', 'links', 'errors', 'app', 'links', 'errors']);
  });

  it('the way of a request lists what ran on the same input, and no closure', () => {
    expect(way.repeated).toEqual([{ times: 2, file: 'src/links/slugs/slug.ts', name: 'keysOf', input: '("a")' }]);
  });

  it('the way of a request is described by its size, its rooms, each hop and what was repeated', () => {
    expect(describeWay({ ...flowOf('hot redirect'), name: 'a flow' }, way))
      .toBe(`a flow: 3 files, 5 hops, 7 calls (at most 11 files, 11 hops)

Hops into each room
    2  app
    2  links
    2  errors

Hops less without a file
    2  src/app/app.ts
    2  src/errors.ts
    2  src/links/slugs/slug.ts

The way
    0  app          app/app.ts                               fetch
    1  links        links/slugs/slug.ts                      keysOf, foldSlug
    2  errors       errors.ts                                refuse
    3  app          app/app.ts                               fetch
    4  links        links/slugs/slug.ts                      keysOf
    5  errors       errors.ts                                refuse

The same function on the same input
    2  src/links/slugs/slug.ts keysOf("a")`);
  });

  it('the way of a request without a call has no hop', () => {
    expect(wayOf(functions, { calls: [], inputs: [] })).toEqual({
      calls: 0,
      files: 0,
      hops: 0,
      steps: [],
      costs: [],
      repeated: [],
    });
  });
});

describe('the name of a flow', () => {
  it('the name of a flow is one of the table, or a method and a path', () => {
    expect(flowOf('POST /v1/links')).toBe(FLOWS.find(({ name }) => name === 'POST /v1/links'));
    expect(flowOf('GET /v1/tags')).toMatchObject({ name: 'GET /v1/tags', goal: null });
    expect(flowOf('POST /v1/links', '{"url":"https://example.com/"}').goal).toBeNull();
  });

  it.each(['redirect', 'get /v1/tags', 'GET v1/tags', ''])('the name of a flow is not "%s"', (name) => {
    expect(() => flowOf(name)).toThrow(`"${name}" is no flow: give a method and a path`);
  });
});
