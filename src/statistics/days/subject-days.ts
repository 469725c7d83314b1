import { addToDay, cutDay, joinSums, sizeOf, type Day } from './day.ts';
import { readDeliveries, unpackGroups, type Wanted } from '../append/deliveries.ts';
import { foldedThrough, maxFactsOf } from './fold-deliveries.ts';
import { SubjectClicks } from '../questions/subject-clicks.ts';
import { dayOpener } from './opened-day.ts';
import { readCarried } from './copied-days-sql.ts';
import { BLOCK_IDS, DAY_IDS } from '../row-ids.ts';
import { BLOCK_DAYS, blockOf, unpackBlock } from './stored-block.ts';
import { DAY_FACTS, SUBJECT_FACTS, type Slices } from '../questions/slices.ts';
import { CLIENT, type SubjectKind } from '../subjects.ts';

/** Days from the first to the last, both included, in days since the epoch. */
export interface Range {
  readonly from: number;
  readonly to: number;
  /** The first and the last hour that count, since the epoch; all of the days without it. */
  readonly hours?: readonly [first: number, last: number];
  /** Whether the carried days count; the caller counts them itself until all are there. */
  readonly withCarried?: boolean;
}

/** A day of a subject, which is only read when it is opened. */
export interface StoredDay {
  readonly day: number;
  readonly open: () => Day;
}

const HOURS_A_DAY = 24;

/** The clicks of a subject that are not folded yet. */
export function gatherFresh(sql: SqlStorage, number: number): SubjectClicks {
  const isWanted: Wanted = number === CLIENT ? () => true : (link, campaign) => link === number || campaign === number;
  const gathered = new SubjectClicks();
  for (const { body } of readDeliveries(sql, foldedThrough(sql, number))) {
    for (const group of unpackGroups(body, isWanted)) gathered.add(number, group);
  }
  return gathered;
}

/** The clicks of some links or campaigns that are not folded yet, by number; of all without `wanted`. */
export function gatherFreshOf(
  sql: SqlStorage,
  kind: SubjectKind,
  wanted?: ReadonlySet<number>,
): Map<number, SubjectClicks> {
  const bySubject = new Map<number, SubjectClicks>();
  const through = new Map<number, number>();
  const isWanted = (subject: number) => wanted?.has(subject) ?? true;
  for (const { id, body } of readDeliveries(sql, 0)) {
    for (const group of unpackGroups(body, (link, campaign) => isWanted(kind === 'link' ? link : campaign))) {
      const subject = group[kind];
      let gathered = bySubject.get(subject);
      if (gathered === undefined) {
        bySubject.set(subject, (gathered = new SubjectClicks()));
        through.set(subject, foldedThrough(sql, subject));
      }
      if (id > through.get(subject)!) gathered.add(subject, group);
    }
  }
  return bySubject;
}

/** The clicks of links that are not folded yet, by number; of all links without `wanted`. */
export const gatherFreshLinks = (sql: SqlStorage, wanted?: ReadonlySet<number>): Map<number, SubjectClicks> =>
  gatherFreshOf(sql, 'link', wanted);

/**
 * The days of a subject that have clicks, in order. All rows are read at once, since a fold may come before they are opened.
 *
 * @param fresh the clicks that are not folded yet
 * @param slices counts what it takes to find and to open days, but not their facts
 */
export function readDays(
  sql: SqlStorage,
  number: number,
  range: Range,
  fresh: SubjectClicks,
  slices: Slices,
): Iterable<StoredDay> {
  const { from, to, hours } = range;
  slices.count(SUBJECT_FACTS);
  const added = new Map([...fresh.days].filter(([day]) => day >= from && day <= to));
  const rows = sql.exec<{ id: number; clicks: ArrayBuffer }>(
    'SELECT id, clicks FROM days WHERE id BETWEEN ?1 AND ?2',
    ...DAY_IDS.between(number, from, to),
  );
  const folded = new Map([...rows].map(({ id, clicks }) => [DAY_IDS.placeOf(id), clicks]));
  const carried = range.withCarried === true ? readCarried(sql, number, from, to) : new Map<number, Day>();
  const openDay = dayOpener(sql);
  const join = (day: number, sums: Day | undefined): Day => {
    // Of most old days nothing else is kept.
    if (sums !== undefined && !folded.has(day) && !added.has(day) && !carried.has(day)) return sums;
    const before = openDay(folded.get(day) ?? null, day);
    const clicks = added.get(day);
    const known =
      clicks === undefined
        ? before
        : addToDay(before, { facts: clicks.facts.list(), links: clicks.links }, maxFactsOf(number));
    const parts = [sums, carried.get(day)];
    return parts.reduce<Day>((all, part) => (part === undefined ? all : joinSums(part, all)), known);
  };
  const open = (day: number, sums: Day | undefined): Day => {
    const whole = join(day, sums);
    if (hours === undefined) return whole;
    const [first, last] = hours.map((hour) => hour - day * HOURS_A_DAY);
    return cutDay(whole, first!, last!);
  };
  const days = [...new Set([...folded.keys(), ...added.keys(), ...carried.keys()])];
  return inBlocks(days, readBlocks(sql, number, from, to), range, open, slices);
}

/** Days in order. A block of them is unpacked when its turn comes, since it takes much time and memory. */
function* inBlocks(
  days: readonly number[],
  blocks: ReadonlyMap<number, ArrayBuffer>,
  { from, to }: Range,
  open: (day: number, sums: Day | undefined) => Day,
  slices: Slices,
): Generator<StoredDay> {
  const byBlock = Map.groupBy(days, blockOf);
  for (const block of [...new Set([...blocks.keys(), ...byBlock.keys()])].toSorted((a, b) => a - b)) {
    const packed = blocks.get(block);
    const unpacked = packed === undefined ? [] : unpackBlock(packed);
    for (const [, day] of unpacked) slices.count(sizeOf(day));
    const old = new Map([...unpacked].map(([place, day]) => [block * BLOCK_DAYS + place, day] as const));
    for (const day of [...new Set([...old.keys(), ...(byBlock.get(block) ?? [])])].toSorted((a, b) => a - b))
      if (day >= from && day <= to) {
        slices.count(DAY_FACTS);
        yield { day, open: () => open(day, old.get(day)) };
      }
  }
}

/** The packed blocks of days of which only sums are kept. */
function readBlocks(sql: SqlStorage, number: number, from: number, to: number): Map<number, ArrayBuffer> {
  const rows = sql.exec<{ id: number; clicks: ArrayBuffer }>(
    'SELECT id, clicks FROM blocks WHERE id BETWEEN ?1 AND ?2',
    ...BLOCK_IDS.between(number, blockOf(from), blockOf(to)),
  );
  return new Map([...rows].map(({ id, clicks }) => [BLOCK_IDS.placeOf(id), clicks]));
}
