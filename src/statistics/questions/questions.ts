import { countAll, countFacts, hasAllFacts, sizeOf, sumsOf, totalOf, type Day } from '../days/day.ts';
import type { Pause } from '../days/fold-deliveries.ts';
import { gatherFresh, readDays, type Range, type StoredDay } from '../days/subject-days.ts';
import { addCounts, addFacts, countIn, toClicks } from '../days/sums.ts';
import type { ValueClicks, Clicks, Counts, Summed, Sums } from '../days/sums.ts';
import { CLIENT, findSubject, findSubjects, type SubjectKind } from '../subjects.ts';
import { filterOf, kindsOf, matching, type Filters, type Matches } from './filters.ts';
import { FreshClicks } from './fresh-clicks.ts';
import { named, namesOf } from './named-values.ts';
import { Slices } from './slices.ts';
import { dayNumberOf, SubjectClicks } from './subject-clicks.ts';
import { readSummary, type Summary } from './totals.ts';
import { countVisitorDays, readVisitorDays, type VisitorCounts } from './visitor-days.ts';

/** Whose clicks a question is about: a link or a campaign of the client, some of its links, or all of its clicks. */
export type Subject =
  | { readonly kind: 'client' }
  | { readonly kind: SubjectKind; readonly name: string }
  | { readonly kind: 'links'; readonly names: readonly string[] };

export interface Question extends Range {
  readonly subject: Subject;
  /** The fields by which the clicks of each day are broken down. */
  readonly by: readonly Summed[];
  readonly filters: Filters;
  /**
   * True if all breakdowns, except that by hour, are summed in the last day: those of each day are much larger.
   */
  readonly isSummed?: boolean;
  /** The first of the days whose visitors are counted, up to another; null for none. A subject is a link or the client. */
  readonly visitors?: { readonly from: number; readonly to: number } | null;
  /** Asks for a summary of a link, with its visitors of this day, in days since the epoch. */
  readonly summaryOn?: number;
}

/** The clicks for a question that says for which days it asks for the visitors. */
export interface ClicksAndVisitors {
  readonly days: readonly DayClicks[];
  /** Null if they are not asked for, or not known. */
  readonly visitors: VisitorCounts | null;
  /** Null if it is not asked for, or the link was never clicked; undefined from an object of the version before. */
  readonly summary?: Summary | null;
}

/** The clicks of a UTC day that has some, in days since the epoch. */
export interface DayClicks extends Clicks {
  readonly day: number;
  /** By hour of the day, by word ('' is what is not known), or by the link's id. */
  readonly by: Partial<Readonly<Record<Summed, readonly ValueClicks[]>>>;
  /**
   * False if what is kept of the day does not say which of its clicks match the filters, or not by what they are broken
   * down: then its clicks here are too few.
   */
  readonly isKnown: boolean;
  /** False if the hours of filtered clicks are no longer known, which are then in the first hour of the day. */
  readonly hasHours: boolean;
}

/** Opens the clicks that are not folded yet, which questions share. */
export type OpenFresh = () => FreshClicks;

/** Reads clicks, folded or not, by day. Days are in order; those without clicks are left out. */
export async function readClicks(
  sql: SqlStorage,
  question: Question,
  pause: Pause,
  fresh: OpenFresh = () => new FreshClicks(sql),
): Promise<DayClicks[]> {
  return breakDownDays(sql, question, openOne(sql, question.subject), fresh, new Slices(pause));
}

/** Reads clicks by day, with visitors and a summary: those of a link at the moment at which its days are read. */
export async function readClicksAndVisitors(
  sql: SqlStorage,
  question: Question,
  pause: Pause,
  fresh: OpenFresh,
): Promise<ClicksAndVisitors> {
  const { subject, visitors: asked, summaryOn } = question;
  const [one, slices, today] = [openOne(sql, subject), new Slices(pause), asked ? dayNumberOf(Date.now()) : 0];
  const summary =
    summaryOn !== undefined && one?.number !== undefined ? readSummary(sql, one.number, summaryOn, one.clicks) : null;
  const ofLink = asked && one ? readVisitorDays(sql, one.number, asked, today, one.clicks.marks) : null;
  const days = await breakDownDays(sql, question, one, fresh, slices);
  if (!asked || one) return { days, visitors: ofLink, summary };
  return {
    days,
    summary,
    visitors: await countVisitorDays(sql, { ...asked, link: null }, today, slices, fresh()),
  };
}

/** A link or a campaign, with its clicks that are not folded yet. */
interface Opened {
  /** Undefined if it was never clicked. */
  readonly number: number | undefined;
  readonly clicks: SubjectClicks;
}

/** Null for the client, and for a list of links. */
function openOne(sql: SqlStorage, subject: Subject): Opened | null {
  if (subject.kind === 'client' || subject.kind === 'links') return null;
  const number = findSubject(sql, subject.kind, subject.name);
  return { number, clicks: number === undefined ? new SubjectClicks() : gatherFresh(sql, number) };
}

async function breakDownDays(
  sql: SqlStorage,
  question: Question,
  one: Opened | null,
  fresh: OpenFresh,
  slices: Slices,
): Promise<DayClicks[]> {
  const matches = Object.keys(question.filters).length === 0 ? EVERY_CLICK : filterOf(sql, question.filters);
  const each = await sumDays(daysOf(sql, question, one, fresh, slices), question.by, matches, slices);
  const days = question.isSummed === true ? sumInLast(each) : each;
  const names = new Map(question.by.map((by) => [by, namesOf(sql, by, days)]));
  return days.map(({ sums, clicks, ...day }) => ({
    ...day,
    ...toClicks(clicks),
    by: Object.fromEntries(question.by.map((by) => [by, named(sums.get(by)!, names.get(by)!)])),
  }));
}

const EVERY_CLICK: Matches = { isPlain: true, kinds: null, fact: () => true };

/** The days of each subject of a question, one subject after the other. */
async function* daysOf(
  sql: SqlStorage,
  { subject, by, ...range }: Question,
  one: Opened | null,
  fresh: OpenFresh,
  slices: Slices,
): AsyncGenerator<Iterable<StoredDay>> {
  const wanted = new Set<Summed>(['hour', ...by]);
  const read = (number: number, clicks: SubjectClicks) => readDays(sql, number, range, clicks, slices, wanted);
  if (subject.kind === 'client') {
    yield read(CLIENT, await fresh().of(CLIENT, slices));
  } else if (subject.kind === 'links') {
    const numbers = [...findSubjects(sql, 'link', subject.names).values()];
    for (const number of numbers) yield read(number, await fresh().of(number, slices));
  } else if (one?.number !== undefined) {
    yield read(one.number, one.clicks);
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
      slices.facts += sizeOf(all);
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
  const matched = matches.isPlain ? all : matching(all, matches);
  const total = totalOf(matched);
  addCounts(sum.clicks, matches.kinds === null ? total : kindsOf(total, matches));
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
