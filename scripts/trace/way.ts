import type { TracedFunction } from './instrument.ts';
import type { Recording } from './recorder.ts';

/** The files and functions that a request enters, one after the other. */
export interface Step {
  readonly file: string;
  /** The functions that were called before the next file was entered. */
  readonly functions: readonly string[];
}

/** A function that did the same work more than once. */
interface Repeated {
  readonly times: number;
  readonly file: string;
  readonly name: string;
  readonly input: string;
}

/** The cost of a file: the hops into it and on, which the way would not have without its functions. */
interface Cost {
  readonly file: string;
  readonly hops: number;
}

/**
 * The way of a request. A hop is a call of a function in another file than that of the call before it: the end of a
 * function, and its continuation after an `await`, are no calls. Calls by work after the response count too.
 */
export interface Way {
  readonly calls: number;
  readonly files: number;
  readonly hops: number;
  readonly steps: readonly Step[];
  /** The files that cost most hops first. */
  readonly costs: readonly Cost[];
  /** Most often first. */
  readonly repeated: readonly Repeated[];
}

export function wayOf(functions: readonly TracedFunction[], { calls, inputs }: Recording): Way {
  const steps: { file: string; functions: string[] }[] = [];
  for (const [fn] of calls) {
    const { file, name } = functions[fn]!;
    const last = steps.at(-1);
    if (last?.file === file) last.functions.push(name);
    else steps.push({ file, functions: [name] });
  }
  const files = steps.map(({ file }) => file);
  return {
    calls: calls.length,
    files: new Set(files).size,
    hops: hopsOf(files),
    steps,
    costs: costsOf(files),
    repeated: repeatedOf(functions, { calls, inputs }),
  };
}

/** The first file is entered from outside. */
function hopsOf(files: readonly string[]): number {
  return files.filter((file, index) => index > 0 && file !== files[index - 1]).length;
}

function costsOf(files: readonly string[]): Cost[] {
  const costOf = (file: string) => hopsOf(files) - hopsOf(files.filter((other) => other !== file));
  return [...new Set(files)]
    .map((file) => ({ file, hops: costOf(file) }))
    .toSorted((a, b) => b.hops - a.hops || (a.file < b.file ? -1 : 1));
}

/** `links` of `src/links/slugs/slug.ts`, `app` of `src/app/app.ts`. */
export function roomOf(file: string): string {
  const [, first = ''] = file.split('/');
  return first.replace(/\.tsx?$/, '');
}

function repeatedOf(functions: readonly TracedFunction[], { calls, inputs }: Recording): Repeated[] {
  const times = Map.groupBy(calls, ([fn, input]) => `${fn} ${input}`);
  return [...times.values()]
    .map((same) => ({ times: same.length, ...functions[same[0]![0]]!, input: inputs[same[0]![1]] ?? NOTHING }))
    .filter(({ times, input }) => times > 1 && !input.endsWith(NOTHING))
    .toSorted((a, b) => b.times - a.times || (a.file < b.file ? -1 : 1));
}

// Without arguments a method works on its object, which may have changed.
const NOTHING = '()';
