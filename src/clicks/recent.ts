import { logProblem } from '../isolate/log.ts';
import { openCaller } from '../statistics/statistics.ts';
import type { AnsweredRecent } from '../statistics/questions/recent.ts';
import { addDays, dayNumberOf, dayOf } from '../time/day.ts';
import { TIMEOUT_MS, withTimeout } from '../bounds/timeouts.ts';
import type { ClickSources } from './days.ts';
import {
  selectFormerPeople,
  selectFormerTotals,
  type FormerPeopleRow,
  type FormerTotalsRow,
} from './former/link-clicks.ts';
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
 * Reads the clicks of at most 100 links that the caller may read, by id, in one round trip to the database and one call of
 * the client's object. A list does not fail because of the clicks: without a response they are null. Throws what the
 * database throws.
 */
export async function readRecentIfPossible(
  { db, statistics }: ClickSources,
  clientId: string,
  linkIds: readonly string[],
  now: number,
): Promise<RecentOf> {
  const today = dayOf(now);
  const first = addDays(today, 1 - RECENT_DAYS);
  const [from, to] = [dayNumberOf(first), dayNumberOf(today)];
  const [totals, days] = await db.batch<[FormerTotalsRow, FormerPeopleRow]>([
    selectFormerTotals(clientId, linkIds),
    selectFormerPeople(clientId, linkIds, first),
  ]);
  const isMoved = totals[0]?.is_moved === 1;
  const question = { links: linkIds, from, to, withCarried: isMoved };
  const asked = statistics.call(clientId, (object) => object.recent(question, openCaller()));
  const own = await withTimeout(TIMEOUT_MS.listedClicks, asked).catch((cause: unknown) =>
    logProblem('statistics_unknown', cause, { client_id: clientId }),
  );
  if (own === undefined) return () => null;
  const formerOf = Map.groupBy(totals, ({ name }) => name);
  const daysOf = Map.groupBy(days, ({ name }) => name);
  return (linkId) => {
    const answered = own.get(linkId);
    const before = (formerOf.get(linkId) ?? []).map((row) => ({ ...row, lastAt: row.last_at }));
    const { all } = joinTotals(answered, isMoved, before);
    return { all, people: addPeople(answered, daysOf.get(linkId) ?? [], from) };
  };
}

function addPeople(answered: AnsweredRecent | undefined, former: readonly FormerPeopleRow[], from: number) {
  const own = answered === undefined ? [] : answered.people;
  if (own === null) return null;
  const people = Array.from({ length: RECENT_DAYS }, (_, index) => own[index] ?? 0);
  for (const { day, humans } of former) {
    const index = dayNumberOf(day) - from;
    if (index < RECENT_DAYS) people[index]! += humans;
  }
  return people;
}
