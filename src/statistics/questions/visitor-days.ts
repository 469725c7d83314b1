import { ByteReader, ByteWriter } from '../bytes.ts';
import { MARK_BYTES } from '../append/deliveries.ts';
import { countDistinct, readAllMarks } from '../append/marks.ts';
import { BLOCK_IDS, DAY_IDS } from '../row-ids.ts';
import { readState } from '../schema.ts';
import { BLOCK_DAYS, blockOf } from '../days/stored-block.ts';
import { CLIENT, findSubjects, linksAfter } from '../subjects.ts';
import { FreshClicks } from './fresh-clicks.ts';
import { SUBJECT_FACTS, type Slices } from './slices.ts';

/**
 * How many visitors a link had on each UTC day, and the sums of all links for the client. Marks are kept for two days only,
 * so the retention counts those of the days that are over, and the numbers stay.
 */

/** A question about the visitors of a client's links, or of one of them; days since the epoch, both included. */
export interface VisitorQuestion {
  /** The id of a link; null for the client. */
  readonly link: string | null;
  readonly from: number;
  readonly to: number;
  readonly withCarried: boolean;
}

/** The visitors of each day from one on. */
export interface AnsweredVisitors {
  readonly from: number;
  readonly counts: readonly number[];
}

/** Visitors by day that were added to what was counted. */
export type AddedVisitors = Map<number, number>;

/** Hours of a day. */
const HOURS = 24;

/**
 * Counts the marks of a link on the days before today. A day that was counted before keeps the larger number: marks
 * that come after the others were removed cannot be compared with those.
 *
 * @param added gets what the client's sums lack
 * @returns how many marks were read
 */
export function countVisitors(sql: SqlStorage, link: number, today: number, added: AddedVisitors): number {
  const counts = new Map<number, number>();
  let read = 0;
  for (const [day, marks] of readMarksByDay(sql, link, today)) {
    counts.set(day, countDistinct(marks));
    read += marks.reduce((sum, { length }) => sum + length / MARK_BYTES, 0);
  }
  if (counts.size === 0) return 0;
  const known = readCounts(sql, link, Math.min(...counts.keys()), today);
  const grown = new Map([...counts].filter(([day, count]) => count > (known.get(day) ?? 0)));
  for (const [day, count] of grown) added.set(day, (added.get(day) ?? 0) + count - (known.get(day) ?? 0));
  writeCounts(sql, link, grown);
  return read;
}

/** Adds visitors to the sums of the client. */
export function addToClient(sql: SqlStorage, added: AddedVisitors): void {
  if (added.size === 0) return;
  const known = readCounts(sql, CLIENT, Math.min(...added.keys()), Math.max(...added.keys()));
  writeCounts(sql, CLIENT, new Map([...added].map(([day, count]) => [day, count + (known.get(day) ?? 0)])));
}

/** The most links, and the most marks, that are read for the visitors of a client on days that are not counted yet. */
const MAX_LINKS = 2000;
const MAX_MARKS = 200_000;

/**
 * The visitors of each day of a range that are known: not of days before marks were counted, not of those that D1 has
 * counted, not of days to come, and not of today for a client with very many links or visitors. Null if that is no day.
 */
export async function answerVisitorDays(
  sql: SqlStorage,
  asked: VisitorQuestion,
  today: number,
  slices: Slices,
  fresh = new FreshClicks(sql),
): Promise<AnsweredVisitors | null> {
  const number = asked.link === null ? CLIENT : findSubjects(sql, 'link', [asked.link]).get(asked.link);
  const from = Math.max(asked.from, readState(sql, 'visitors_from') ?? 0, uncarriedFrom(sql, number, asked));
  const uncounted = Math.max(from, uncountedFrom(sql));
  const last = Math.min(asked.to, today);
  const live =
    number === undefined ? new Map<number, number>() : await countLive(sql, number, [uncounted, last], fresh, slices);
  const to = live === null ? Math.min(last, uncounted - 1) : last;
  if (from > to) return null;
  const counted = number === undefined ? new Map<number, number>() : readCounts(sql, number, from, to);
  const counts = Array.from({ length: to - from + 1 }, (_, index) => {
    const day = from + index;
    return Math.max(counted.get(day) ?? 0, live?.get(day) ?? 0);
  });
  return { from, counts };
}

// The day after the last one that was carried.
function uncarriedFrom(sql: SqlStorage, number: number | undefined, { to, withCarried }: VisitorQuestion): number {
  if (!withCarried || number === undefined) return 0;
  const [first, last] = DAY_IDS.between(number, 0, to);
  const { id } = sql
    .exec<{ id: number | null }>('SELECT max(id) AS id FROM carried_days WHERE id BETWEEN ?1 AND ?2', first, last)
    .one();
  return id === null ? 0 : DAY_IDS.placeOf(id) + 1;
}

/** The first day that no pass of the retention has counted. */
function uncountedFrom(sql: SqlStorage): number {
  const [retained, from] = [readState(sql, 'retained_day') ?? 0, readState(sql, 'visitors_from')];
  // The pass of the day on which this version began may be one of the version before, which did not count.
  return from !== null && retained <= from + KEPT_BEFORE ? from : retained;
}

// Of how many days before that of a pass the marks are kept.
const KEPT_BEFORE = 2;

/** The visitors of days that are not counted yet; null if they are more than can be read at once. */
async function countLive(
  sql: SqlStorage,
  number: number,
  [from, to]: readonly [from: number, to: number],
  fresh: FreshClicks,
  slices: Slices,
): Promise<Map<number, number> | null> {
  const counts = new Map<number, number>();
  if (from > to) return counts;
  const isClient = number === CLIENT;
  const links = isClient ? linksAfter(sql, 0, MAX_LINKS + 1).map((link) => link.number) : [number];
  let bytes = isClient ? storedBytes(sql, from, to) : 0;
  for (const link of links.length > MAX_LINKS ? [] : links) {
    const { marks } = await fresh.of(link, slices);
    // All marks of a link are read at one moment, since a fold may come between two slices.
    for (const day of markedDays(sql, link, from, to, [...marks.keys()])) {
      const { size } = readAllMarks(sql, link, [day * HOURS, day * HOURS + HOURS - 1], marks);
      counts.set(day, (counts.get(day) ?? 0) + size);
      slices.count(size);
    }
    if (isClient) bytes += [...marks.values()].flat().reduce((sum, { length }) => sum + length, 0);
    if (bytes > MAX_MARKS * MARK_BYTES) return null;
    slices.count(SUBJECT_FACTS);
    if (slices.isOver) await slices.pause();
  }
  return links.length > MAX_LINKS || bytes > MAX_MARKS * MARK_BYTES ? null : counts;
}

/** The days of a range on which a link has marks, folded ones or those of some hours. */
function markedDays(sql: SqlStorage, link: number, from: number, to: number, hours: readonly number[]): Set<number> {
  const rows = sql.exec<{ day: number }>(
    'SELECT DISTINCT hour / 24 AS day FROM visitor_marks WHERE link = ?1 AND hour BETWEEN ?2 AND ?3',
    link,
    from * HOURS,
    to * HOURS + HOURS - 1,
  );
  const added = hours.map((hour) => Math.floor(hour / HOURS)).filter((day) => day >= from && day <= to);
  return new Set([...[...rows].map(({ day }) => day), ...added]);
}

/** How many bytes the folded marks of all links have in a range of days. */
function storedBytes(sql: SqlStorage, from: number, to: number): number {
  const { bytes } = sql
    .exec<{ bytes: number }>(
      `SELECT coalesce(sum(length(v.marks)), 0) AS bytes
       FROM subjects s CROSS JOIN visitor_marks v ON v.link = s.id AND v.hour BETWEEN ?1 AND ?2 WHERE s.kind = 1`,
      from * HOURS,
      to * HOURS + HOURS - 1,
    )
    .one();
  return bytes;
}

/** The marks of a link before today by day, one day in memory at a time. */
function* readMarksByDay(sql: SqlStorage, link: number, today: number): Generator<[day: number, marks: Uint8Array[]]> {
  const rows = sql.exec<{ hour: number; marks: ArrayBuffer }>(
    'SELECT hour, marks FROM visitor_marks WHERE link = ?1 AND hour < ?2 ORDER BY hour',
    link,
    today * HOURS,
  );
  const marks: Uint8Array[] = [];
  let day = 0;
  for (const row of rows) {
    const next = Math.floor(row.hour / HOURS);
    if (next !== day && marks.length > 0) yield [day, marks.splice(0)];
    day = next;
    marks.push(new Uint8Array(row.marks));
  }
  if (marks.length > 0) yield [day, marks];
}

// Of each block its days with visitors: the place of the day in it, and the number.

function readCounts(sql: SqlStorage, subject: number, from: number, to: number): Map<number, number> {
  const rows = sql.exec<{ id: number; counts: ArrayBuffer }>(
    'SELECT id, counts FROM visitor_days WHERE id BETWEEN ?1 AND ?2',
    ...BLOCK_IDS.between(subject, blockOf(from), blockOf(to)),
  );
  const counts = new Map<number, number>();
  for (const { id, counts: packed } of rows) {
    const first = BLOCK_IDS.placeOf(id) * BLOCK_DAYS;
    for (const bytes = new ByteReader(packed); !bytes.isAtEnd;) counts.set(first + bytes.number(), bytes.number());
  }
  return counts;
}

function writeCounts(sql: SqlStorage, subject: number, counts: ReadonlyMap<number, number>): void {
  for (const [block, grown] of Map.groupBy(counts, ([day]) => blockOf(day))) {
    const first = block * BLOCK_DAYS;
    const all = new Map([...readCounts(sql, subject, first, first + BLOCK_DAYS - 1), ...grown]);
    const bytes = new ByteWriter(all.size * BYTES_A_DAY);
    for (const [day, count] of all) {
      bytes.number(day - first);
      bytes.number(count);
    }
    sql.exec(
      'INSERT INTO visitor_days (id, counts) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET counts = excluded.counts',
      BLOCK_IDS.of(subject, block),
      bytes.take(),
    );
  }
}

const BYTES_A_DAY = 4;
