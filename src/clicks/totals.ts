import type { Database } from '../database/database.ts';
import { logProblem } from '../isolate/log.ts';
import type { AnsweredTotals } from '../statistics/questions/totals.ts';
import type { SubjectKind } from '../statistics/subjects.ts';
import type { ClickSources } from './days.ts';
import { selectFormerTotals, type FormerTotalsRow } from './former/link-clicks.ts';
import { joinTotals } from './link-clicks.ts';

/** How often a link or a campaign was clicked, and when last. */
export interface LinkTotals {
  /** Null if the statistics do not respond. */
  readonly clicks: number | null;
  /** How many of these were by people; null if the statistics do not respond. */
  readonly humans: number | null;
  /** Milliseconds since the epoch; null before the first click too. */
  readonly lastClickAt: number | null;
}

const UNKNOWN: LinkTotals = { clicks: null, humans: null, lastClickAt: null };

type TotalsOf = (name: string) => LinkTotals;

/** The clicks of links that the caller may read, by id. Throws what the database and the statistics throw. */
export async function readTotals(
  { db, statistics }: ClickSources,
  clientId: string,
  linkIds: readonly string[],
): Promise<TotalsOf> {
  const former = await readFormerTotals(db, clientId, linkIds);
  return former.with(await statistics.call(clientId, (object) => object.totals(linkIds)));
}

/**
 * Like `readTotals`, also for campaigns by name, for a list that does not fail because of the clicks: if the statistics
 * do not respond, they are unknown. Throws what the database throws.
 */
export async function readTotalsIfPossible(
  { db, statistics }: ClickSources,
  clientId: string,
  names: readonly string[],
  kind: SubjectKind = 'link',
): Promise<TotalsOf> {
  const former = await readFormerTotals(db, clientId, names, kind);
  const own = await statistics
    .call(clientId, (object) => object.totals(names, kind))
    .catch((cause: unknown) => logProblem('statistics_unknown', cause, { client_id: clientId }));
  return own === undefined ? () => UNKNOWN : former.with(own);
}

async function readFormerTotals(db: Database, clientId: string, names: readonly string[], kind: SubjectKind = 'link') {
  const [rows] = await db.batch<[FormerTotalsRow]>([selectFormerTotals(clientId, names, kind)]);
  const isMoved = rows[0]?.is_moved === 1;
  const byName = new Map(rows.map((row) => [row.name, { ...row, lastAt: row.last_at }]));
  return {
    with:
      (own: ReadonlyMap<string, AnsweredTotals>): TotalsOf =>
      (name) => {
        const before = byName.get(name);
        const { all, lastAt } = joinTotals(own.get(name), isMoved, before === undefined ? [] : [before]);
        return { clicks: all.total, humans: all.humans, lastClickAt: lastAt === 0 ? null : lastAt };
      },
  };
}
