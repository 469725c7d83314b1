import type { TracedFunction } from './instrument.ts';
import type { Recording } from './recorder.ts';

/** What a request enters, one after the other. */
export interface Step {
  readonly file: string;
  /** The functions that were called before the next file was entered. */
  readonly functions: readonly string[];
}

/** A function that did the same work more than once. */
export interface Repeated {
  readonly times: number;
  readonly file: string;
  readonly name: string;
  readonly input: string;
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
  return {
    calls: calls.length,
    files: new Set(steps.map(({ file }) => file)).size,
    // The first file is entered from outside.
    hops: Math.max(0, steps.length - 1),
    steps,
    repeated: repeatedOf(functions, { calls, inputs }),
  };
}

/** `links` of `src/links/slug.ts`, `app` of `src/app.ts`. */
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
