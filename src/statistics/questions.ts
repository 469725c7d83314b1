import { sizeOf, sumsOf, totalOf } from './day.ts';
import { OTHER_WORD } from './facts.ts';
import { filterOf, kindsOf, matching, type Filters, type Matches } from './filters.ts';
import type { Pause } from './fold.ts';
import { readAllMarks } from './marks.ts';
import { gatherFresh, gatherFreshLinks, readDays, type Range, type StoredDay } from './subject-days.ts';
import { CLIENT, findSubjects, readSubjects, readTotals, type SubjectKind } from './subjects.ts';
import { addCounts, toClicks, type AnsweredValue, type Clicks, type Counts, type Summed, type Sums } from './sums.ts';
import { readWords } from './words.ts';

/** Whose clicks a question is about: a link or a campaign of the client, or all of its clicks. */
export type Subject = { readonly kind: 'client' } | { readonly kind: SubjectKind; readonly name: string };

export interface Question extends Range {
  readonly subject: Subject;
  /** What the clicks of each day are broken down by. */
  readonly by: readonly Summed[];
  readonly filters: Filters;
}

/** A link's clicks of all days, and when the last one was, in milliseconds since the epoch; 0 before the first. */
export interface AnsweredTotals extends Clicks {
  readonly lastAt: number;
}

/** The clicks of a UTC day that has some, in days since the epoch. */
export interface AnsweredDay extends Clicks {
  readonly day: number;
  /** By hour of the day, by word ('' is what is not known), or by the link's id. */
  readonly by: Partial<Readonly<Record<Summed, readonly AnsweredValue[]>>>;
  /** False if only sums are kept of the day, so that its clicks could not be filtered, and it has none here. */
  readonly isFiltered: boolean;
  /** False if the hours of filtered clicks are no longer known, which are then in the first hour of the day. */
  readonly hasHours: boolean;
}

// How many facts and sums are read without a pause.
const SLICE_FACTS = 20_000;

/** Answers a question from what is folded and what is not. Days are in order; those without clicks are left out. */
export async function answer(sql: SqlStorage, question: Question, pause: Pause): Promise<AnsweredDay[]> {
  const number = numberOf(sql, question.subject);
  if (number === null) return [];
  const matches = filterOf(sql, question.filters);
  const days = await sumDays(readDays(sql, number, question, gatherFresh(sql, number)), question.by, matches, pause);
  const names = new Map(question.by.map((by) => [by, namesOf(sql, by, days)]));
  return days.map(({ sums, clicks, ...day }) => ({
    ...day,
    ...toClicks(clicks),
    by: Object.fromEntries(question.by.map((by) => [by, named(sums.get(by)!, names.get(by)!)])),
  }));
}

/** The clicks of links by id, and when the last one was; links without clicks are left out. */
export function answerTotals(sql: SqlStorage, ids: readonly string[]): ReadonlyMap<string, AnsweredTotals> {
  const numbers = findSubjects(sql, 'link', ids);
  const fresh = gatherFreshLinks(sql, new Set(numbers.values()));
  return new Map(
    [...numbers].map(([id, number]) => {
      const [folded, added] = [readTotals(sql, number), fresh.get(number)?.totals];
      const clicks: Counts = [...folded.clicks];
      if (added) addCounts(clicks, added.clicks);
      return [id, { ...toClicks(clicks), lastAt: Math.max(folded.lastAt, added?.lastAt ?? 0) }];
    }),
  );
}

/** How many people followed a link on a UTC day, of those who may be told apart. */
export function answerVisitors(sql: SqlStorage, id: string, day: number): number {
  const number = findSubjects(sql, 'link', [id]).get(id);
  if (number === undefined) return 0;
  return readAllMarks(sql, number, [day * 24, day * 24 + 23], gatherFresh(sql, number).marks).size;
}

function numberOf(sql: SqlStorage, subject: Subject): number | null {
  if (subject.kind === 'client') return CLIENT;
  return findSubjects(sql, subject.kind, [subject.name]).get(subject.name) ?? null;
}

interface SummedDay {
  readonly day: number;
  readonly clicks: Counts;
  readonly sums: ReadonlyMap<Summed, Sums>;
  readonly isFiltered: boolean;
  readonly hasHours: boolean;
}

async function sumDays(stored: Iterable<StoredDay>, by: readonly Summed[], matches: Matches, pause: Pause) {
  const days: SummedDay[] = [];
  let read = 0;
  for (const { day, open } of stored) {
    const all = open();
    const matched = matching(all, matches);
    days.push({
      day,
      clicks: kindsOf(totalOf(matched), matches),
      sums: new Map(by.map((each) => [each, ofKinds(sumsOf(matched, each), matches)])),
      isFiltered: matches.isPlain || all.facts.length > 0,
      hasHours: matches.isPlain || all.hasHours,
    });
    read += sizeOf(all);
    if (read < SLICE_FACTS) continue;
    read = 0;
    await pause();
  }
  return days;
}

function ofKinds(sums: Sums, matches: Matches): Sums {
  const entries = [...sums].map(([value, counts]) => [value, kindsOf(counts, matches)] as const);
  return new Map(entries.filter(([, counts]) => counts.some((clicks) => clicks > 0)));
}

function namesOf(sql: SqlStorage, by: Summed, days: readonly SummedDay[]): (value: number) => string {
  if (by === 'hour') return String;
  const values = [...new Set(days.flatMap(({ sums }) => [...sums.get(by)!.keys()]))];
  if (by !== 'link') {
    const words = readWords(sql, by, values);
    return (value) => words.get(value) ?? '';
  }
  const links = readSubjects(sql, values);
  return (value) => links.get(value) ?? OTHER_WORD;
}

// Links that were purged have the same name as those for which there was no place.
function named(sums: Sums, nameOf: (value: number) => string): AnsweredValue[] {
  const byName = new Map<string, Counts>();
  for (const [value, counts] of sums) {
    const name = nameOf(value);
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [...counts]);
    else addCounts(known, counts);
  }
  return [...byName].map(([value, counts]) => ({ value, ...toClicks(counts) }));
}
