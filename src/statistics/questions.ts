import { addToDay, sumsOf, totalOf, type Day } from './day.ts';
import { readDeliveries, unpackGroups, type Wanted } from './deliveries.ts';
import { DIMENSIONS, KINDS, placeOf, type Dimension, type Fact, type Kind } from './facts.ts';
import { foldedThrough, maxFactsOf, type Pause } from './fold.ts';
import { Gathered } from './gathered.ts';
import { addTo, readMarks } from './marks.ts';
import { BLOCK_DAYS, unpackBlock } from './stored-block.ts';
import { unpackDay } from './stored-day.ts';
import { CLIENT, findSubjects, readSubjects, readTotals, type SubjectKind } from './subjects.ts';
import { toClicks, type Clicks, type Counts, type Summed, type Sums } from './sums.ts';
import { findWords, readWords } from './words.ts';

/** Whose clicks a question is about: a link or a campaign of the client, or all of its clicks. */
export type Subject = { readonly kind: 'client' } | { readonly kind: SubjectKind; readonly name: string };

/** The words that a click has one of, in each dimension that is named; '' is what is not known. */
export type Filters = Partial<Readonly<Record<Dimension, readonly string[]>>> & { readonly visitor?: readonly Kind[] };

export interface Question {
  readonly subject: Subject;
  /** The first and the last UTC day, in days since the epoch. */
  readonly from: number;
  readonly to: number;
  /** What the clicks of each day are broken down by. */
  readonly by: readonly Summed[];
  readonly filters: Filters;
}

/** The clicks of an hour, a word or a link. */
export interface AnsweredValue extends Clicks {
  readonly value: string;
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

// How many facts are read without a pause.
const SLICE_FACTS = 20_000;

/** Answers a question from what is folded and what is not. Days are in order; those without clicks are left out. */
export async function answer(sql: SqlStorage, question: Question, pause: Pause): Promise<AnsweredDay[]> {
  const number = numberOf(sql, question.subject);
  if (number === null) return [];
  const matches = filterOf(sql, question.filters);
  const days = await sumDays(readDays(sql, number, question), question, matches, pause);
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
  return new Map(
    [...numbers].map(([id, number]) => {
      const [folded, fresh] = [readTotals(sql, number), gatherFresh(sql, number).totals];
      const clicks = folded.clicks.map((count, kind) => count + fresh.clicks[kind as 0]) as Counts;
      return [id, { ...toClicks(clicks), lastAt: Math.max(folded.lastAt, fresh.lastAt) }];
    }),
  );
}

/** How many people followed a link on a UTC day, of those who may be told apart. */
export function answerVisitors(sql: SqlStorage, id: string, day: number): number {
  const number = findSubjects(sql, 'link', [id]).get(id);
  if (number === undefined) return 0;
  const [first, last] = [day * 24, day * 24 + 23];
  const marks = readMarks(sql, number, first, last);
  for (const [hour, added] of gatherFresh(sql, number).marks) if (hour >= first && hour <= last) addTo(marks, added);
  return marks.size;
}

function numberOf(sql: SqlStorage, subject: Subject): number | null {
  if (subject.kind === 'client') return CLIENT;
  return findSubjects(sql, subject.kind, [subject.name]).get(subject.name) ?? null;
}

/** The clicks of a subject that are not folded yet. */
function gatherFresh(sql: SqlStorage, number: number): Gathered {
  const isWanted: Wanted = number === CLIENT ? () => true : (link, campaign) => link === number || campaign === number;
  const gathered = new Gathered();
  for (const { body } of readDeliveries(sql, foldedThrough(sql, number))) {
    for (const group of unpackGroups(body, isWanted)) gathered.add(number, group);
  }
  return gathered;
}

interface StoredDay {
  readonly day: number;
  readonly open: () => Day;
}

// Read in one go, since a fold may come between two slices of a question.
function readDays(sql: SqlStorage, number: number, { from, to }: Question): StoredDay[] {
  const fresh = new Map([...gatherFresh(sql, number).days].filter(([day]) => day >= from && day <= to));
  const rows = sql.exec<{ day: number; clicks: ArrayBuffer }>(
    'SELECT day, clicks FROM days WHERE subject = ?1 AND day BETWEEN ?2 AND ?3',
    number,
    from,
    to,
  );
  const folded = new Map([...rows].map(({ day, clicks }) => [day, clicks]));
  const old = readBlocks(sql, number, from, to);
  const days = [...new Set([...old.keys(), ...folded.keys(), ...fresh.keys()])].toSorted((a, b) => a - b);
  return days.map((day) => ({
    day,
    open: () => {
      const before = old.get(day) ?? unpackDay(folded.get(day) ?? null);
      const added = fresh.get(day);
      if (added === undefined) return before;
      return addToDay(before, { facts: added.facts.list(), links: added.links }, maxFactsOf(number));
    },
  }));
}

/** Days of which only sums are kept. */
function readBlocks(sql: SqlStorage, number: number, from: number, to: number): Map<number, Day> {
  const rows = sql.exec<{ block: number; clicks: ArrayBuffer }>(
    'SELECT block, clicks FROM blocks WHERE subject = ?1 AND block BETWEEN ?2 AND ?3',
    number,
    Math.floor(from / BLOCK_DAYS),
    Math.floor(to / BLOCK_DAYS),
  );
  const days = [...rows].flatMap(({ block, clicks }) =>
    [...unpackBlock(clicks)].map(([place, day]) => [block * BLOCK_DAYS + place, day] as const),
  );
  return new Map(days.filter(([day]) => day >= from && day <= to));
}

interface SummedDay {
  readonly day: number;
  readonly clicks: Counts;
  readonly sums: ReadonlyMap<Summed, Sums>;
  readonly isFiltered: boolean;
  readonly hasHours: boolean;
}

async function sumDays(stored: readonly StoredDay[], { by, filters }: Question, matches: Matches, pause: Pause) {
  const days: SummedDay[] = [];
  const isPlain = DIMENSIONS.every((dimension) => filters[dimension] === undefined);
  let read = 0;
  for (const { day, open } of stored) {
    const all = open();
    const isFiltered = isPlain || all.facts.length > 0;
    const matching: Day = isPlain
      ? all
      : { facts: all.facts.filter(matches.fact), hasHours: all.hasHours, sums: new Map() };
    const sums = new Map(by.map((each) => [each, ofKinds(sumsOf(matching, each), matches.kind)]));
    days.push({
      day,
      clicks: kindsOf(totalOf(matching), matches.kind),
      sums,
      isFiltered,
      hasHours: isPlain || all.hasHours,
    });
    read += all.facts.length + 1;
    if (read < SLICE_FACTS) continue;
    read = 0;
    await pause();
  }
  return days;
}

interface Matches {
  readonly fact: (fact: Fact) => boolean;
  readonly kind: (kind: number) => boolean;
}

function filterOf(sql: SqlStorage, { visitor, ...words }: Filters): Matches {
  const kinds = new Set(visitor?.map((kind) => KINDS.indexOf(kind)));
  const wanted = DIMENSIONS.flatMap((dimension) => {
    const list = words[dimension];
    if (list === undefined) return [];
    const known = findWords(sql, dimension, list);
    const numbers = list.flatMap((word) => (word === '' ? [0] : (known.get(word) ?? [])));
    return [{ place: placeOf(dimension), numbers: new Set(numbers) }];
  });
  return {
    kind: (kind) => visitor === undefined || kinds.has(kind),
    fact: (fact) => wanted.every(({ place, numbers }) => numbers.has(fact[place]!)),
  };
}

function kindsOf(counts: Counts, isWanted: Matches['kind']): Counts {
  return counts.map((clicks, kind) => (isWanted(kind) ? clicks : 0)) as Counts;
}

function ofKinds(sums: Sums, isWanted: Matches['kind']): Sums {
  const entries = [...sums].map(([value, counts]) => [value, kindsOf(counts, isWanted)] as const);
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
  return (value) => links.get(value) ?? '';
}

function named(sums: Sums, nameOf: (value: number) => string): AnsweredValue[] {
  return [...sums].map(([value, counts]) => ({ value: nameOf(value), ...toClicks(counts) }));
}
