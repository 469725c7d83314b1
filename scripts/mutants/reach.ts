import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ProjectCopy } from './copy.ts';
import { instrumented } from './functions.ts';
import { parse } from './mutate.ts';
import { runAllTests } from './tests.ts';
import type { Place } from './uses.ts';

/** Which test files execute which functions of the sources, as one run of all tests has found. */
export interface Reach {
  /** The test files that pass, with the seconds that each took. */
  readonly tests: readonly { readonly file: string; readonly seconds: number }[];
  /** The test files that do not pass in a copy of the project. */
  readonly failing: readonly string[];
  /** The hash of each source file. */
  readonly sources: Readonly<Record<string, string>>;
  /** By `FILE#FUNCTION`, the indexes in `tests`. */
  readonly functions: Readonly<Record<string, readonly number[]>>;
}

/** The setup file of all projects, to which the recorder is added. */
const SETUP = 'test/support/time-of-day.ts';
const GLOBAL = '__reached';

/** The module of `lazy`, which creates a value once for all files that share a workerd. */
const LAZY = 'src/isolate/lazy.ts';
// What reads the value depends on the functions that created it.
const RECORDING_LAZY = `
  export function lazy(create) {
    let created;
    return () => {
      const reached = globalThis.${GLOBAL};
      if (created === undefined) {
        const functions = (globalThis.${GLOBAL} = new Set());
        try {
          created = { value: create(), functions };
        } finally {
          globalThis.${GLOBAL} = reached;
        }
      }
      for (const each of created.functions) reached?.add(each);
      return created.value;
    };
  }
`;

/** Runs all tests once, with sources that report their calls. */
export async function recordReach(copy: ProjectCopy, signal: AbortSignal): Promise<Reach> {
  const reached = new Map<string, readonly string[]>();
  const server = createServer((request, response) => {
    const keep = (body: string) => {
      const { file, functions } = JSON.parse(body) as { readonly file: string; readonly functions: readonly string[] };
      reached.set(file.slice(file.indexOf('/test/') + 1), functions);
      response.end();
    };
    text(request).then(keep, () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const report = join(copy.folder, 'report.json');
    const texts = new Map(
      copy.sources.map((file) => [file, instrumented(parse(file, copy.textOf(file)), GLOBAL)] as const),
    );
    texts.set(SETUP, copy.textOf(SETUP) + recorder(`http://127.0.0.1:${port}/`));
    if (texts.has(LAZY)) texts.set(LAZY, RECORDING_LAZY);
    const options = ['--reporter=json', `--outputFile.json=${report}`];
    await copy.withTexts(texts, () => runAllTests(copy.folder, options, signal));
    return reachOf(reached, JSON.parse(readFileSync(report, 'utf8')) as Report, copy);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

// Each file begins with an empty set, and sends it after its last test. A test may replace the global fetch.
const recorder = (url: string) => `
import { afterAll, expect } from 'vitest';
const reached = (globalThis.${GLOBAL} = new Set());
const send = globalThis.fetch;
afterAll(async () => {
  const body = JSON.stringify({ file: expect.getState().testPath, functions: [...reached] });
  await (await send('${url}', { method: 'POST', body })).text();
});
`;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: 'passed' | 'failed';
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

function reachOf(reached: ReadonlyMap<string, readonly string[]>, { testResults }: Report, copy: ProjectCopy): Reach {
  const results = testResults.map((result) => ({ ...result, file: result.name.replace(`${copy.folder}/`, '') }));
  const passed = results.filter(({ status }) => status === 'passed');
  const functions: Record<string, number[]> = {};
  for (const [index, { file }] of passed.entries()) {
    for (const name of reached.get(file) ?? []) (functions[name] ??= []).push(index);
  }
  return {
    tests: passed.map(({ file, startTime, endTime }) => ({ file, seconds: (endTime - startTime) / 1000 })),
    failing: results.filter(({ status }) => status === 'failed').map(({ file }) => file),
    sources: Object.fromEntries(copy.sources.map((file) => [file, hashOf(copy.textOf(file))])),
    functions,
  };
}

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

/** The number of folders that a test has in common with a file, and one more if it has its name. */
function nearness(test: string, file: string): number {
  const [ofTest, ofFile] = [test, file].map((path) => path.replace(/\..*/, '').split('/').slice(1)) as [
    string[],
    string[],
  ];
  const differing = ofFile.findIndex((name, place) => name !== ofTest[place]);
  return differing === -1 ? ofFile.length : differing;
}

/**
 * The test files that execute one of some functions; all that execute the file of a function if it has changed since the
 * record. First those that stand nearest to a source file in `test/`, which mirrors `src/`, the fastest first.
 */
export function testsFor(
  nearTo: string,
  places: readonly Place[],
  textOf: (file: string) => string,
  reach: Reach,
): Reach['tests'] {
  const isKnown = ({ file, inFunction }: Place) => inFunction !== null && reach.sources[file] === hashOf(textOf(file));
  const wholeFiles = new Set(places.filter((place) => !isKnown(place)).map(({ file }) => file));
  const names = [
    ...places.filter(isKnown).map(({ file, inFunction }) => `${file}#${inFunction}`),
    ...Object.keys(reach.functions).filter((name) => wholeFiles.has(name.slice(0, name.indexOf('#')))),
  ];
  const indexes = new Set(names.flatMap((name) => reach.functions[name] ?? []));
  return [...indexes]
    .flatMap((index) => reach.tests[index] ?? [])
    .toSorted((one, other) => nearness(other.file, nearTo) - nearness(one.file, nearTo) || one.seconds - other.seconds);
}
