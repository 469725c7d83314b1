import { RpcChild } from '../child-rpc.ts';
import { startContestant, startService, type Contestant } from '../contestant.ts';
import type { Goal } from '../goal.ts';
import { seedLinks } from '../links.ts';
import type { LoadTasks } from '../load.ts';
import { alternateFigures, driveHot } from '../pairs/alternate.ts';
import { intervalOf, type Interval } from '../pairs/interval.ts';
import type { RoundOptions } from '../options.ts';
import type { Sandbox } from '../sandbox.ts';

/** A hot redirect over the floor of one, pair by pair. */
export interface FloorFigures {
  /** CPU time of a redirect. */
  readonly cpu: Interval;
  readonly perSecond: Interval;
}

export const FLOOR_GOALS: Readonly<Record<keyof FloorFigures, Goal>> = {
  cpu: { most: 1.1 },
  perSecond: { least: 0.92 },
};

/** Five rounds, as by default, give the interval of 40 pairs. */
const PAIRS_PER_ROUND = 8;
const WARM_UP_SECONDS = 2;

/**
 * Redirects a hot link with Terse, and with a Worker that reads the same of a request and writes the same headers, in turn.
 * The queue drops the clicks, so that all CPU time is that of redirects.
 */
export async function measureFloor(
  sandbox: Sandbox,
  { rounds, seconds, cores, say }: RoundOptions,
): Promise<FloorFigures> {
  say('floor: building and starting Terse and its floor');
  const prefix = cores?.server ?? [];
  const hot = await startService(sandbox, { name: 'hot', main: 'src/index.ts', isConsuming: false }, prefix);
  const floor = await startContestant(sandbox, { name: 'floor', main: 'bench/floors/floor.ts' }, prefix);
  await seedLinks(hot.db, 0, 1);
  const load = new RpcChild<LoadTasks>(sandbox, 'bench/load.ts', cores?.load ?? []);
  for (const each of [hot, floor, hot, floor]) await driveHot(load, each, WARM_UP_SECONDS);
  const measure = (each: Contestant) => driveHot(load, each, seconds);
  const pairs = await alternateFigures(rounds * PAIRS_PER_ROUND, [hot, floor], measure, say);
  const over = (name: 'cpu' | 'perSecond') => intervalOf(pairs.map(([one, other]) => one[name] / other[name]));
  return { cpu: over('cpu'), perSecond: over('perSecond') };
}
