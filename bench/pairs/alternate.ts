import type { RpcChild } from '../child-rpc.ts';
import type { Contestant } from '../contestant.ts';
import { slugOf } from '../links.ts';
import type { LoadTasks } from '../load.ts';
import { CONNECTIONS } from '../streams.ts';
import { cpuSecondsOf, idle } from '../usage.ts';

/** Two contestants in turn, so that what changes on the machine meanwhile is the same for both. */

// Divided among the connections.
const PATHS = Array.from({ length: CONNECTIONS }, () => `/${slugOf(0)}`);

/**
 * The CPU seconds of one redirect of a hot link, with the work that it has caused.
 *
 * @param rest waits until a process has done that work
 */
export async function cpuOfHot(
  load: RpcChild<LoadTasks>,
  { origin, pid }: Contestant,
  seconds: number,
  rest: (pid: number) => Promise<void> = idle,
): Promise<number> {
  await idle(pid);
  const before = cpuSecondsOf(pid);
  const streams = [{ paths: PATHS, connections: CONNECTIONS, status: 302 }] as const;
  const { answered: served } = await load.ask('drive', { origin, streams, seconds });
  await rest(pid);
  return (cpuSecondsOf(pid) - before) / served[0];
}

/**
 * Measures two contestants, each first in every other pair. Returns the first one's figure over the other's, pair by pair.
 */
export async function alternate<Each>(
  pairs: number,
  [one, other]: readonly [Each, Each],
  measure: (each: Each) => Promise<number>,
  say: (progress: string) => void,
): Promise<number[]> {
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    say(`pairs: ${pair + 1} of ${pairs}`);
    const figures = new Map<Each, number>();
    for (const each of pair % 2 === 0 ? [one, other] : [other, one]) figures.set(each, await measure(each));
    ratios.push((figures.get(one) ?? 0) / (figures.get(other) ?? 0));
  }
  return ratios;
}
