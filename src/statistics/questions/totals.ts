import { readAllMarks } from '../append/marks.ts';
import { gatherFresh, gatherFreshOf } from '../days/subject-days.ts';
import { addCounts, toClicks, type Clicks, type Counts } from '../days/sums.ts';
import { findSubjects, readTotals, type SubjectKind } from '../subjects.ts';
import type { SubjectClicks } from './subject-clicks.ts';

/** A link's clicks of all days, and when the last one was, in milliseconds since the epoch; 0 before the first. */
export interface SubjectTotals extends Clicks {
  readonly lastAt: number;
  /** The totals of the carried days, which are not part of the above. */
  readonly carried: Clicks & { readonly lastAt: number };
}

/** The clicks of links by id, or of campaigns by name, and when the last one was; those without clicks are left out. */
export function sumTotals(
  sql: SqlStorage,
  ids: readonly string[],
  kind: SubjectKind = 'link',
): ReadonlyMap<string, SubjectTotals> {
  const numbers = findSubjects(sql, kind, ids);
  const fresh = gatherFreshOf(sql, kind, new Set(numbers.values()));
  return new Map([...numbers].map(([id, number]) => [id, totalsOf(sql, number, fresh.get(number))]));
}

function totalsOf(sql: SqlStorage, number: number, fresh: SubjectClicks | undefined): SubjectTotals {
  const [{ folded, carried }, added] = [readTotals(sql, number), fresh?.totals];
  const clicks: Counts = [...folded.clicks];
  if (added) addCounts(clicks, added.clicks);
  const lastAt = Math.max(folded.lastAt, added?.lastAt ?? 0);
  return { ...toClicks(clicks), lastAt, carried: { ...toClicks(carried.clicks), lastAt: carried.lastAt } };
}

/** The clicks of all days of a link, and its visitors of one day. */
export interface Summary extends SubjectTotals {
  readonly visitors: number;
}

/**
 * The summary of a link, at one moment.
 *
 * @param day whose visitors are counted, in days since the epoch
 * @param fresh the clicks of the link that are not folded yet
 */
export function readSummary(sql: SqlStorage, number: number, day: number, fresh: SubjectClicks): Summary {
  return { ...totalsOf(sql, number, fresh), visitors: marksOf(sql, number, day, fresh).size };
}

/** The number of people who followed a link on a UTC day, as far as they may be distinguished. */
export function countPeople(sql: SqlStorage, id: string, day: number): number {
  const number = findSubjects(sql, 'link', [id]).get(id);
  return number === undefined ? 0 : marksOf(sql, number, day, gatherFresh(sql, number)).size;
}

const marksOf = (sql: SqlStorage, number: number, day: number, { marks }: SubjectClicks): Set<number> =>
  readAllMarks(sql, number, [day * 24, day * 24 + 23], marks);
