import { logProblem } from '../log.ts';
import type { ClickSources } from './days.ts';
import { selectFormerTotals, type FormerTotalsRow } from './former/link-clicks.ts';
import { joinTotals } from './link-clicks.ts';

/** How often a link was clicked, and when last. */
export interface LinkTotals {
  /** Null if the statistics do not respond. */
  readonly clicks: number | null;
  /** Milliseconds since the epoch; null before the first click too. */
  readonly lastClickAt: number | null;
}

const UNKNOWN: LinkTotals = { clicks: null, lastClickAt: null };

type TotalsOf = (linkId: string) => LinkTotals;

/** The clicks of links that the caller may read, by id. Throws what the database and the statistics throw. */
export async function readTotals(
  { db, statistics }: ClickSources,
  clientId: string,
  linkIds: readonly string[],
): Promise<TotalsOf> {
  const [own, [former]] = await Promise.all([
    statistics.call(clientId, (object) => object.totals(linkIds)),
    db.batch<[FormerTotalsRow]>([selectFormerTotals(clientId, linkIds)]),
  ]);
  const isMoved = former[0]?.is_moved === 1;
  const byLink = new Map(former.map((row) => [row.name, { ...row, lastAt: row.last_at }]));
  return (linkId) => {
    const before = byLink.get(linkId);
    const { all, lastAt } = joinTotals(own.get(linkId), isMoved, before === undefined ? [] : [before]);
    return { clicks: all.total, lastClickAt: lastAt === 0 ? null : lastAt };
  };
}

/** Like `readTotals`, for a list that does not fail because of the clicks: they are unknown then. */
export async function readTotalsIfPossible(
  sources: ClickSources,
  clientId: string,
  linkIds: readonly string[],
): Promise<TotalsOf> {
  try {
    return await readTotals(sources, clientId, linkIds);
  } catch (cause) {
    logProblem('statistics_unknown', cause, { client_id: clientId });
    return () => UNKNOWN;
  }
}
