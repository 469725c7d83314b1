import { logProblem } from '../isolate/log.ts';
import type { SubjectTotals } from '../statistics/questions/totals.ts';
import type { Statistics } from '../statistics/statistics.ts';
import type { SubjectKind } from '../statistics/subjects.ts';
import { joinTotals } from './link-clicks.ts';

/** The number of clicks of a link or a campaign, and the time of the last one. */
export interface LinkTotals {
  /** Null if the statistics do not respond. */
  readonly clicks: number | null;
  /** The number of clicks by people; null if the statistics do not respond. */
  readonly humans: number | null;
  /** Milliseconds since the epoch; null before the first click too. */
  readonly lastClickAt: number | null;
}

const UNKNOWN: LinkTotals = { clicks: null, humans: null, lastClickAt: null };

type TotalsOf = (name: string) => LinkTotals;

/** The clicks of links that the caller may read, by id. Throws what the statistics throw. */
export async function readTotals(
  statistics: Statistics,
  clientId: string,
  linkIds: readonly string[],
): Promise<TotalsOf> {
  return totalsIn(await statistics.call(clientId, (object) => object.totals(linkIds)));
}

/**
 * Like `readTotals`, also for campaigns by name, for a list that does not fail because of the clicks: if the statistics
 * do not respond, they are unknown.
 */
export async function readTotalsIfPossible(
  statistics: Statistics,
  clientId: string,
  names: readonly string[],
  kind: SubjectKind = 'link',
): Promise<TotalsOf> {
  const counted = await statistics
    .call(clientId, (object) => object.totals(names, kind))
    .catch((cause: unknown) => logProblem('statistics_unknown', cause, { client_id: clientId }));
  return counted === undefined ? () => UNKNOWN : totalsIn(counted);
}

function totalsIn(counted: ReadonlyMap<string, SubjectTotals>): TotalsOf {
  return (name) => {
    const { all, lastAt } = joinTotals(counted.get(name));
    return { clicks: all.total, humans: all.humans, lastClickAt: lastAt === 0 ? null : lastAt };
  };
}
