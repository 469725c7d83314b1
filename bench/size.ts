import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { generateTokenKey } from '../src/tokens/keys.ts';
import { modulesOf } from '../scripts/worker-modules.ts';
import { build, runWranglerIn } from './build.ts';
import type { Goal } from './goal.ts';
import { summarize, type Summary } from './statistics.ts';
import type { Sandbox } from './sandbox.ts';

const MAX_STARTS = 3;

/** Of what the entry loads, in KiB. */
export const ENTRY_GOAL: Goal = { most: 60 };
/** In milliseconds. */
export const START_UP_GOAL: Goal = { most: 50 };

/** The sizes of some modules together. */
interface Bytes {
  readonly minified: number;
  /** Each module by itself. */
  readonly gzipped: number;
}

/** The sizes of the upload, and the time to start it. */
export interface SizeResult {
  /** The modules that a start loads. */
  readonly entry: Bytes;
  readonly all: Bytes;
  /** CPU time until the Worker's modules have run, including compiling them, in milliseconds. */
  readonly startUpCpuMs: Summary;
  /** The part of it in JavaScript. */
  readonly startUpScriptMs: Summary;
  /** The start-up time, including idle time. */
  readonly startUpMs: Summary;
}

export async function measureSize(
  sandbox: Sandbox,
  { rounds, say }: { readonly rounds: number; readonly say: (progress: string) => void },
): Promise<SizeResult> {
  say('building and starting the Worker');
  const entry = await build(sandbox, 'src/index.ts');
  const starts = [];
  for (let start = 0; start < Math.min(MAX_STARTS, rounds); start++) starts.push(await profileStart(sandbox, start));
  return {
    entry: bytesOf(loadedWith(entry)),
    all: bytesOf(modulesOf(entry).modules.map(({ path }) => path)),
    startUpCpuMs: summarize(starts.map((msWithout) => msWithout('(idle)'))),
    startUpScriptMs: summarize(starts.map((msWithout) => msWithout('(idle)', '(program)', '(root)'))),
    startUpMs: summarize(starts.map((msWithout) => msWithout())),
  };
}

function bytesOf(paths: readonly string[]): Bytes {
  const modules = paths.map((path) => readFileSync(path));
  return {
    minified: sum(modules.map(({ length }) => length)),
    gzipped: sum(modules.map((module) => gzipSync(module, { level: 9 }).length)),
  };
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/** The modules that are loaded with an entry, which is among them. */
function loadedWith(entry: string): string[] {
  const loaded = new Set<string>([entry]);
  for (const path of loaded) {
    const code = readFileSync(path, 'utf8');
    for (const [, name = ''] of code.matchAll(/\b(?:from|import)\s*"(\.\/[^"]+)"/g))
      loaded.add(join(dirname(path), name));
  }
  return [...loaded];
}

/** https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

/** Profiles one start, and returns how many milliseconds it took outside of some functions. */
async function profileStart(sandbox: Sandbox, start: number): Promise<(...names: readonly string[]) => number> {
  const file = join(sandbox.folder, `start-${start}.cpuprofile`);
  // The arguments are split at spaces, and the key has none. Without a key the Worker stops before it has started.
  const args = `--var TOKEN_KEYS:${JSON.stringify([await generateTokenKey()])}`;
  await runWranglerIn(sandbox, ['check', 'startup', '--outfile', file, `--args=${args}`]);
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(readFileSync(file, 'utf8'));
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  return (...without) =>
    timeDeltas
      .filter((_, index) => !without.includes(names.get(samples[index] ?? 0) ?? ''))
      .reduce((sum, delta) => sum + delta, 0) / 1000;
}
