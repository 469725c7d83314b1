import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ProjectCopy } from './copy.ts';
import { instrumented } from './functions.ts';
import { parse, type Mutant } from './mutate.ts';
import { runTests } from './tests.ts';

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
    const options = ['--reporter=json', `--outputFile.json=${report}`];
    await copy.withTexts(texts, () => runTests(copy.folder, { options, signal }));
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

const roomOf = (file: string) => file.split('/', 2)[1] ?? '';

/**
 * The test files that execute the function of a mutant; all that execute its file for one at the top level, or if the
 * file has changed since. First those of its room, the fastest first.
 */
export function testsFor(mutant: Pick<Mutant, 'file' | 'inFunction'>, text: string, reach: Reach): Reach['tests'] {
  const { file, inFunction } = mutant;
  const isKnown = inFunction !== null && reach.sources[file] === hashOf(text);
  const names = isKnown
    ? [`${file}#${inFunction}`]
    : Object.keys(reach.functions).filter((name) => name.startsWith(`${file}#`));
  const indexes = new Set(names.flatMap((name) => reach.functions[name] ?? []));
  const distance = (test: string) => (roomOf(test) === roomOf(file) ? 0 : 1);
  return [...indexes]
    .flatMap((index) => reach.tests[index] ?? [])
    .toSorted((one, other) => distance(one.file) - distance(other.file) || one.seconds - other.seconds);
}
