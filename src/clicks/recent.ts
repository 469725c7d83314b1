import { logProblem } from '../isolate/log.ts';
import { openCaller, type Statistics } from '../statistics/statistics.ts';
import { dayNumberOf, dayOf } from '../time/day.ts';
import { TIMEOUT_MS, withTimeout } from '../bounds/timeouts.ts';
import { joinTotals, type Counts } from './link-clicks.ts';

/** The clicks of a link, as a list shows them. */
export interface RecentClicks {
  readonly all: Counts;
  /** The clicks of people in each of the last 30 UTC days, the oldest first; null if they are not known. */
  readonly people: readonly number[] | null;
}

export const RECENT_DAYS = 30;

type RecentOf = (linkId: string) => RecentClicks | null;

/**
 * Reads the clicks of at most 100 links that the caller may read, by id, in one call of the client's object. A list does
 * not fail because of the clicks: without a response they are null.
 */
export async function readRecentIfPossible(
  statistics: Statistics,
  clientId: string,
  linkIds: readonly string[],
  now: number,
): Promise<RecentOf> {
  const to = dayNumberOf(dayOf(now));
  const question = { links: linkIds, from: to - RECENT_DAYS + 1, to, withCarried: true } as const;
  const asked = statistics.call(clientId, (object) => object.recent(question, openCaller()));
  const counted = await withTimeout(TIMEOUT_MS.listedClicks, asked).catch((cause: unknown) =>
    logProblem('statistics_unknown', cause, { client_id: clientId }),
  );
  if (counted === undefined) return () => null;
  return (linkId) => {
    const clicks = counted.get(linkId);
    return { all: joinTotals(clicks).all, people: clicks === undefined ? NONE : clicks.people };
  };
}

const NONE: readonly number[] = Array.from({ length: RECENT_DAYS }, () => 0);
