import { RpcChild } from '../child-rpc.ts';
import { startService, type Service } from '../contestant.ts';
import { seedLinks } from '../links.ts';
import type { LoadTasks } from '../load.ts';
import type { ComparisonOptions } from '../options.ts';
import type { Sandbox } from '../sandbox.ts';
import { alternate, cpuOfHot } from './alternate.ts';
import { intervalOf, type Interval } from './interval.ts';
import { unpackRevision } from './revision.ts';

/** The comparison: the CPU of a hot redirect with that of an earlier commit. */
export interface PairFigures {
  /** The earlier commit. */
  readonly beside: string;
  /** CPU time of a redirect, of this version over the earlier one, pair by pair. */
  readonly cpu: Interval;
}

/** Above it, a redirect has become slower. */
export const PAIR_GOAL = { most: 1.03 };

/** Five rounds, as by default, give the interval of 25 pairs. */
const PAIRS_PER_ROUND = 5;
const WARM_UP_SECONDS = 2;

/**
 * Redirects a hot link with this version and with an earlier commit in turn, each first in every other pair, so that
 * what changes on the machine meanwhile is the same for both. Their queue drops the clicks, since counting is not the
 * redirect's.
 */
export async function measurePairs(
  sandbox: Sandbox,
  { rounds, seconds, cores, say, beside }: ComparisonOptions,
): Promise<PairFigures> {
  const { folder, commit } = unpackRevision(sandbox, beside);
  say(`pairs: building and starting this version and ${commit}`);
  const start = async (name: string, root: string): Promise<Service> => {
    const entry = { name, main: 'src/index.ts', root, isConsuming: false };
    const service = await startService(sandbox, entry, cores?.server ?? []);
    await seedLinks(service.db, 0, 1);
    return service;
  };
  const [present, former] = [await start('present', '.'), await start('former', folder)];
  const load = new RpcChild<LoadTasks>(sandbox, 'bench/load.ts', cores?.load ?? []);
  const cpuOf = (service: Service, forSeconds: number) => cpuOfHot(load, service, forSeconds);
  for (const service of [present, former, present, former]) await cpuOf(service, WARM_UP_SECONDS);
  const ratios = await alternate(rounds * PAIRS_PER_ROUND, [present, former], (each) => cpuOf(each, seconds), say);
  return { beside: commit, cpu: intervalOf(ratios) };
}
