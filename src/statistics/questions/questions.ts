import { countAll, countFacts, hasAllFacts, sizeOf, sumsOf, totalOf, type Day } from '../days/day.ts';
import { OTHER_WORD } from '../facts.ts';
import { filterOf, kindsOf, matching, type Filters, type Matches } from './filters.ts';
import type { Pause } from '../days/fold-deliveries.ts';
import { FreshClicks } from './fresh-clicks.ts';
import { Slices } from './slices.ts';
import { addMarksTo, readAllMarks } from '../append/marks.ts';
import { gatherFresh, gatherFreshOf, readDays, type Range, type StoredDay } from '../days/subject-days.ts';
import { CLIENT, findSubjects, readSubjects, readTotals, type SubjectKind } from '../subjects.ts';
import {
  addCounts,
  addFacts,
  countIn,
  toClicks,
  type AnsweredValue,
  type Clicks,
  type Counts,
  type Summed,
  type Sums,
} from '../days/sums.ts';
import { readWords } from '../words.ts';

/** Whose clicks a question is about: a link or a campaign of the client, some of its links, or all of its clicks. */
export type Subject =
  | { readonly kind: 'client' }
  | { readonly kind: SubjectKind; readonly name: string }
  | { readonly kind: 'links'; readonly names: readonly string[] };

export interface Question extends Range {
  readonly subject: Subject;
  /** What the clicks of each day are broken down by. */
  readonly by: readonly Summed[];
  readonly filters: Filters;
  /**
   * Whether all breakdowns, except that by hour, are summed in the last day: they are much smaller than those of each day.
   */
  readonly isSummed?: boolean;
}

/** A link's clicks of all days, and when the last one was, in milliseconds since the epoch; 0 before the first. */
export interface AnsweredTotals extends Clicks {
  readonly lastAt: number;
  /** The same of the carried days, which are not part of the above. */
  readonly carried: Clicks & { readonly lastAt: number };
}

/** The clicks of a UTC day that has some, in days since the epoch. */
export interface AnsweredDay extends Clicks {
  readonly day: number;
  /** By hour of the day, by word ('' is what is not known), or by the link's id. */
  readonly by: Partial<Readonly<Record<Summed, readonly AnsweredValue[]>>>;
  /**
   * False if what is kept of the day does not say which of its clicks match the filters, or not by what they are broken
   * down: then its clicks here are too few.
   */
  readonly isKnown: boolean;
  /** False if the hours of filtered clicks are no longer known, which are then in the first hour of the day. */
  readonly hasHours: boolean;
}

/** Answers a question from what is folded and what is not. Days are in order; those without clicks are left out. */
export async function answer(
  sql: SqlStorage,
  question: Question,
  pause: Pause,
  fresh = new FreshClicks(sql),
): Promise<AnsweredDay[]> {
  const matches = filterOf(sql, question.filters);
  const slices = new Slices(pause);
  const each = await sumDays(daysOf(sql, question, fresh, slices), question.by, matches, slices);
  const days = question.isSummed === true ? sumInLast(each) : each;
  const names = new Map(question.by.map((by) => [by, namesOf(sql, by, days)]));
  return days.map(({ sums, clicks, ...day }) => ({
    ...day,
    ...toClicks(clicks),
    by: Object.fromEntries(question.by.map((by) => [by, named(sums.get(by)!, names.get(by)!)])),
  }));
}

/** The clicks of links by id, or of campaigns by name, and when the last one was; those without clicks are left out. */
export function answerTotals(
  sql: SqlStorage,
  ids: readonly string[],
  kind: SubjectKind = 'link',
): ReadonlyMap<string, AnsweredTotals> {
  const numbers = findSubjects(sql, kind, ids);
  const fresh = gatherFreshOf(sql, kind, new Set(numbers.values()));
  return new Map(
    [...numbers].map(([id, number]) => {
      const [{ folded, carried }, added] = [readTotals(sql, number), fresh.get(number)?.totals];
      const clicks: Counts = [...folded.clicks];
      if (added) addCounts(clicks, added.clicks);
      const lastAt = Math.max(folded.lastAt, added?.lastAt ?? 0);
      return [id, { ...toClicks(clicks), lastAt, carried: { ...toClicks(carried.clicks), lastAt: carried.lastAt } }];
    }),
  );
}

/**
 * How many people followed a link on a UTC day, of those who may be distinguished.
 *
 * @param others the joined marks of people who are counted elsewhere, in base64url, eight characters each
 */
export function answerVisitors(sql: SqlStorage, id: string, day: number, others: string): number {
  const number = findSubjects(sql, 'link', [id]).get(id);
  const hours = [day * 24, day * 24 + 23] as const;
  const marks =
    number === undefined ? new Set<number>() : readAllMarks(sql, number, hours, gatherFresh(sql, number).marks);
  addMarksTo(marks, [Buffer.from(others, 'base64url')]);
  return marks.size;
}

/** The days of each subject of a question, one subject after the other. */
async function* daysOf(
  sql: SqlStorage,
  { subject, ...range }: Question,
  fresh: FreshClicks,
  slices: Slices,
): AsyncGenerator<Iterable<StoredDay>> {
  if (subject.kind === 'client') {
    yield readDays(sql, CLIENT, range, await fresh.of(CLIENT, slices), slices);
  } else if (subject.kind === 'links') {
    const numbers = [...findSubjects(sql, 'link', subject.names).values()];
    for (const number of numbers) yield readDays(sql, number, range, await fresh.of(number, slices), slices);
  } else {
    const number = findSubjects(sql, subject.kind, [subject.name]).get(subject.name);
    if (number !== undefined) yield readDays(sql, number, range, gatherFresh(sql, number), slices);
  }
}

/** The sums of a day of all subjects that were read so far, to which those of the next subject are added. */
interface SummedDay {
  readonly day: number;
  readonly clicks: Counts;
  readonly sums: ReadonlyMap<Summed, Sums>;
  isKnown: boolean;
  hasHours: boolean;
}

async function sumDays(
  subjects: AsyncIterable<Iterable<StoredDay>>,
  by: readonly Summed[],
  matches: Matches,
  slices: Slices,
): Promise<SummedDay[]> {
  const days = new Map<number, SummedDay>();
  for await (const stored of subjects) {
    for (const { day, open } of stored) {
      const all = open();
      let sum = days.get(day);
      if (sum === undefined) days.set(day, (sum = emptyDay(day, by)));
      addDay(sum, all, matches);
      slices.count(sizeOf(all));
      if (slices.isOver) await slices.pause();
    }
    if (slices.isOver) await slices.pause();
  }
  return [...days.values()].toSorted((a, b) => a.day - b.day);
}

function sumInLast(days: readonly SummedDay[]): SummedDay[] {
  const all = new Map<Summed, Sums>();
  for (const [by, sums] of days.flatMap(({ sums }) => [...sums])) {
    if (by === 'hour') continue;
    const sum = all.get(by) ?? new Map();
    all.set(by, sum);
    for (const [value, counts] of sums)
      for (const [kind, clicks] of counts.entries()) countIn(sum, value, kind, clicks);
  }
  return days.map((day, index) => {
    const sumOf = (by: Summed): Sums => (index === days.length - 1 ? all.get(by)! : new Map());
    const sums = [...day.sums].map(([by, hours]) => [by, by === 'hour' ? hours : sumOf(by)] as const);
    return { ...day, sums: new Map(sums) };
  });
}

function emptyDay(day: number, by: readonly Summed[]): SummedDay {
  const sums = new Map(by.map((each) => [each, new Map() as Sums]));
  return { day, clicks: [0, 0, 0], sums, isKnown: true, hasHours: true };
}

/** Adds the clicks of a day that match. They are added in place: there may be a thousand subjects. */
function addDay(sum: SummedDay, all: Day, matches: Matches): void {
  const matched = matching(all, matches);
  const total = totalOf(matched);
  addCounts(sum.clicks, kindsOf(total, matches));
  const clicks = countAll(total);
  let isKnown = matches.isPlain || hasAllFacts(all);
  for (const [by, sums] of sum.sums) {
    const counted = matches.kinds === null ? addAll(sums, matched, by) : addKinds(sums, matched, by, matches);
    isKnown &&= counted === clicks;
  }
  sum.isKnown &&= isKnown;
  sum.hasHours &&= matches.isPlain || all.hasHours;
}

/** Adds the clicks of a day to sums, which change. Returns how many it knows by what they are summed. */
function addAll(sums: Sums, day: Day, by: Summed): number {
  if (by !== 'link' && !day.sums.has(by)) {
    addFacts(sums, day.facts, by);
    return countFacts(day.facts);
  }
  return addKinds(sums, day, by, { kinds: null });
}

/** `addAll` of the kinds that match; the number is that of all kinds. */
function addKinds(sums: Sums, day: Day, by: Summed, matches: Pick<Matches, 'kinds'>): number {
  let clicks = 0;
  for (const [value, counts] of sumsOf(day, by)) {
    clicks += countAll(counts);
    const matching = kindsOf(counts, matches);
    const known = sums.get(value);
    if (known !== undefined) addCounts(known, matching);
    else if (countAll(matching) > 0) sums.set(value, [...matching]);
  }
  return clicks;
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
