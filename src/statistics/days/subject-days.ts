import { addToDay, cutDay, joinSums, MAX_FACTS, type Day } from './day.ts';
import { foldedThrough, readDeliveries, readUnfolded, unpackGroups } from '../append/deliveries.ts';
import { SubjectClicks } from '../questions/subject-clicks.ts';
import { dayOpener, type OpenDay } from './opened-day.ts';
import { unpackDay } from './stored-day.ts';
import { BLOCK_IDS, DAY_IDS } from '../row-ids.ts';
import { BLOCK_DAYS, blockOf, readBlock } from './stored-block.ts';
import { DAY_FACTS, SUBJECT_FACTS, type Slices } from '../questions/slices.ts';
import { EVERY_SUM, type Summed } from './sums.ts';
import { CLIENT, type SubjectKind } from '../subjects.ts';

/** Days from the first to the last, both included, in days since the epoch. */
export interface Range {
  readonly from: number;
  readonly to: number;
  /** The first and the last hour that count, since the epoch; all of the days without it. */
  readonly hours?: readonly [first: number, last: number];
  /** Sent by the Worker, since an object of version 1.3.0 leaves the carried days out without it. */
  readonly withCarried?: true;
}

/** A day of a subject, which is only read when it is opened. */
export interface StoredDay {
  readonly day: number;
  readonly open: () => Day;
}

const HOURS_A_DAY = 24;

/** The clicks of a subject that are not folded yet. */
export function gatherFresh(sql: SqlStorage, number: number): SubjectClicks {
  const own = new Set([number]);
  const wanted = number === CLIENT ? 'all' : { link: own, campaign: own };
  const gathered = new SubjectClicks();
  for (const row of readUnfolded(sql, number))
    for (const group of unpackGroups(row, wanted)) gathered.add(number, group);
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
  for (const { id, ...row } of readDeliveries(sql, 0)) {
    for (const group of unpackGroups(row, wanted ? { [kind]: wanted } : 'all')) {
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
 * @param wanted the sums that are needed of days without facts; those by hour, which have all clicks, are among them
 */
export function readDays(
  sql: SqlStorage,
  number: number,
  range: Range,
  fresh: SubjectClicks,
  slices: Slices,
  wanted: ReadonlySet<Summed> = EVERY_SUM,
): Iterable<StoredDay> {
  const { from, to, hours } = range;
  slices.facts += SUBJECT_FACTS;
  const added = new Map([...fresh.days].filter(([day]) => day >= from && day <= to));
  const { days: folded, carried, blocks } = readRows(sql, number, range);
  const maxFacts = number === CLIENT ? MAX_FACTS.client : MAX_FACTS.subject;
  let opener: OpenDay | undefined;
  const openEmpty = (day: number): Day => (opener ??= dayOpener(sql))(null, day);
  const join = (day: number, sums: Day | undefined): Day => {
    const [packed, clicks, copied] = [folded.get(day), added.get(day), carried.get(day)];
    const hasOwn = packed !== undefined || clicks !== undefined;
    // Of most old days nothing else is kept.
    if (!hasOwn && sums !== undefined && copied === undefined) return sums;
    if (!hasOwn && sums === undefined && copied !== undefined) return unpackDay(copied, wanted);
    const before = packed === undefined ? openEmpty(day) : unpackDay(packed);
    const known =
      clicks === undefined ? before : addToDay(before, { facts: clicks.facts.list(), links: clicks.links }, maxFacts);
    const joined = sums === undefined ? known : joinSums(sums, known);
    return copied === undefined ? joined : joinSums(unpackDay(copied, wanted), joined);
  };
  const open = (day: number, sums: Day | undefined): Day => {
    const whole = join(day, sums);
    if (hours === undefined) return whole;
    const [first, last] = hours.map((hour) => hour - day * HOURS_A_DAY);
    return cutDay(whole, first!, last!);
  };
  const days = new Set([...folded.keys(), ...added.keys(), ...carried.keys()]);
  return blocks.size === 0 ? inOrder(days, open, slices) : inBlocks(days, blocks, { range, wanted }, open, slices);
}

type Packed = ReadonlyMap<number, ArrayBuffer>;

/** The rows of a subject in a range: its days, the carried ones, and the blocks of days that have only sums. */
interface Rows {
  readonly days: Packed;
  readonly carried: Packed;
  readonly blocks: Packed;
}

// One statement, since each costs as much as reading some days.
const SELECT_ROWS = `SELECT 0, id, clicks FROM days WHERE id BETWEEN ?1 AND ?2
  UNION ALL SELECT 1, id, clicks FROM carried_days WHERE id BETWEEN ?1 AND ?2
  UNION ALL SELECT 2, id, clicks FROM blocks WHERE id BETWEEN ?3 AND ?4`;

function readRows(sql: SqlStorage, number: number, { from, to }: Range): Rows {
  const [days, carried, blocks] = [0, 1, 2].map(() => new Map<number, ArrayBuffer>()) as [Packs, Packs, Packs];
  const ids = [...DAY_IDS.between(number, from, to), ...BLOCK_IDS.between(number, from, to)];
  for (const [table, id, clicks] of sql.exec(SELECT_ROWS, ...ids).raw<PackedRow>()) {
    if (table === 2) blocks.set(BLOCK_IDS.placeOf(id), clicks);
    else (table === 0 ? days : carried).set(DAY_IDS.placeOf(id), clicks);
  }
  return { days, carried, blocks };
}

type Packs = Map<number, ArrayBuffer>;
type PackedRow = [table: number, id: number, clicks: ArrayBuffer];

/** Opens a day, to which the sums of a block are added. */
type Open = (day: number, sums: Day | undefined) => Day;

function* inOrder(days: ReadonlySet<number>, open: Open, slices: Slices): Generator<StoredDay> {
  for (const day of [...days].toSorted((a, b) => a - b)) {
    slices.facts += DAY_FACTS;
    yield { day, open: () => open(day, undefined) };
  }
}

/** Days in order. A block of them is unpacked when its turn comes, since it takes much time and memory. */
function* inBlocks(
  days: ReadonlySet<number>,
  blocks: Packed,
  { range: { from, to }, wanted }: { readonly range: Range; readonly wanted: ReadonlySet<Summed> },
  open: Open,
  slices: Slices,
): Generator<StoredDay> {
  const byBlock = Map.groupBy(days, blockOf);
  for (const block of [...new Set([...blocks.keys(), ...byBlock.keys()])].toSorted((a, b) => a - b)) {
    const packed = blocks.get(block);
    const { block: unpacked, size } = packed === undefined ? NO_BLOCK : readBlock(packed, wanted);
    // Most clicks of a value on a day take a byte.
    slices.facts += size;
    const old = new Map([...unpacked].map(([place, day]) => [block * BLOCK_DAYS + place, day] as const));
    for (const day of [...new Set([...old.keys(), ...(byBlock.get(block) ?? [])])].toSorted((a, b) => a - b))
      if (day >= from && day <= to) {
        slices.facts += DAY_FACTS;
        yield { day, open: () => open(day, old.get(day)) };
      }
  }
}

const NO_BLOCK = { block: new Map<number, Day>(), size: 0 };
