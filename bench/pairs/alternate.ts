import type { RpcChild } from '../child-rpc.ts';
import type { Contestant } from '../contestant.ts';
import { slugOf } from '../links.ts';
import type { LoadTasks, Stream } from '../load.ts';
import { CONNECTIONS } from '../streams.ts';
import { cpuSecondsOf, idle } from '../usage.ts';

/** Two contestants in turn, so that what changes on the machine meanwhile is the same for both. */

// Divided among the connections.
const PATHS = Array.from({ length: CONNECTIONS }, () => `/${slugOf(0)}`);

/** The cost of requests, such as redirects of a hot link. */
interface RequestFigures {
  /** The CPU seconds of one, with the work that it has caused. */
  readonly cpu: number;
  readonly perSecond: number;
}

/** @param rest waits until a process has done the work that redirects have caused */
export async function driveHot(
  load: RpcChild<LoadTasks>,
  contestant: Contestant,
  seconds: number,
  rest: (pid: number) => Promise<void> = idle,
): Promise<RequestFigures> {
  return driveStream(load, contestant, { paths: PATHS, connections: CONNECTIONS, status: 302 }, seconds, rest);
}

/** `driveHot` for any requests. */
export async function driveStream(
  load: RpcChild<LoadTasks>,
  { origin, pid }: Contestant,
  stream: Stream,
  seconds: number,
  rest: (pid: number) => Promise<void> = idle,
): Promise<RequestFigures> {
  await idle(pid);
  const before = cpuSecondsOf(pid);
  const { answered: served, seconds: took } = await load.ask('drive', { origin, streams: [stream], seconds });
  await rest(pid);
  return { cpu: (cpuSecondsOf(pid) - before) / served[0], perSecond: served[0] / took };
}

/** `driveHot` for the CPU alone. */
export async function cpuOfHot(...args: Parameters<typeof driveHot>): Promise<number> {
  return (await driveHot(...args)).cpu;
}

/** Measures two contestants, each first in every other pair. Returns the figures of both, pair by pair. */
export async function alternateFigures<Each, Figures>(
  pairs: number,
  [one, other]: readonly [Each, Each],
  measure: (each: Each) => Promise<Figures>,
  say: (progress: string) => void,
): Promise<(readonly [Figures, Figures])[]> {
  const measured: (readonly [Figures, Figures])[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    say(`pairs: ${pair + 1} of ${pairs}`);
    if (pair % 2 === 0) {
      const first = await measure(one);
      measured.push([first, await measure(other)]);
    } else {
      const first = await measure(other);
      measured.push([await measure(one), first]);
    }
  }
  return measured;
}

/** `alternateFigures` for one figure. Returns the first one's over the other's, pair by pair. */
export async function alternate<Each>(
  pairs: number,
  contestants: readonly [Each, Each],
  measure: (each: Each) => Promise<number>,
  say: (progress: string) => void,
): Promise<number[]> {
  const measured = await alternateFigures(pairs, contestants, measure, say);
  return measured.map(([one, other]) => one / other);
}
