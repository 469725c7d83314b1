import { ByteReader } from '../bytes.ts';
import { MARK_BYTES } from '../append/deliveries.ts';
import { readAllMarks } from '../append/marks.ts';
import { BLOCK_IDS, DAY_IDS } from '../row-ids.ts';
import { readState } from '../schema.ts';
import { BLOCK_DAYS } from '../days/stored-block.ts';
import { CLIENT, findSubject, linksAfter } from '../subjects.ts';
import { FreshClicks } from './fresh-clicks.ts';
import { SUBJECT_FACTS, type Slices } from './slices.ts';
import type { SubjectClicks } from './subject-clicks.ts';

/**
 * The number of visitors of a link on each UTC day, and the sums of all links for the client. Marks are kept for two
 * days only, so the retention counts those of the days that are over, and the numbers stay.
 */

/** A question about the visitors of a client's links, or of one of them; days since the epoch, both included. */
export interface VisitorQuestion {
  /** The id of a link; null for the client. */
  readonly link: string | null;
  readonly from: number;
  readonly to: number;
}

/** The visitors of each day from one on. */
export interface VisitorCounts {
  readonly from: number;
  readonly counts: readonly number[];
}

/** Hours of a day. */
const HOURS = 24;

/** The most links, and the most marks, that are read for the visitors of a client on days that are not counted yet. */
const MAX_LINKS = 2000;
const MAX_MARKS = 200_000;

/**
 * The visitors of each day of a range that are known: not of days before marks were counted, not of carried days and
 * those before, not of days to come, and not of today for a client with very many links or visitors. Null if that is no
 * day.
 */
export async function countVisitorDays(
  sql: SqlStorage,
  asked: VisitorQuestion,
  today: number,
  slices: Slices,
  fresh = new FreshClicks(sql),
): Promise<VisitorCounts | null> {
  if (asked.link !== null) {
    const number = findSubject(sql, 'link', asked.link);
    const marks = number === undefined ? new Map<number, Uint8Array[]>() : (await fresh.of(number, slices)).marks;
    return readVisitorDays(sql, number, asked, today, marks);
  }
  const days = knownDays(sql, CLIENT, asked, today);
  return countsOf(sql, CLIENT, days, await countLinks(sql, days, fresh, slices));
}

/**
 * The visitors of a link, as `countVisitorDays`, at one moment.
 *
 * @param link its number; undefined for a link without clicks
 * @param marks those that are not folded yet, by hour
 */
export function readVisitorDays(
  sql: SqlStorage,
  link: number | undefined,
  asked: Omit<VisitorQuestion, 'link'>,
  today: number,
  marks: SubjectClicks['marks'],
): VisitorCounts | null {
  const days = knownDays(sql, link, asked, today);
  return countsOf(sql, link, days, link === undefined ? new Map() : countMarks(sql, link, days, marks));
}

/** The days of a question that are known: from the first one on that no pass has counted, their marks are counted. */
interface KnownDays {
  readonly from: number;
  readonly uncounted: number;
  readonly to: number;
}

function knownDays(
  sql: SqlStorage,
  number: number | undefined,
  asked: Omit<VisitorQuestion, 'link'>,
  today: number,
): KnownDays {
  const [retained, begun] = [readState(sql, 'retained_day') ?? 0, readState(sql, 'visitors_from')];
  const from = Math.max(asked.from, begun ?? 0, uncarriedFrom(sql, number, asked));
  // The pass of the day on which this version began may be one of the version before, which did not count.
  const counted = begun !== null && retained <= begun + KEPT_BEFORE ? begun : retained;
  return { from, uncounted: Math.max(from, counted), to: Math.min(asked.to, today) };
}

// Of how many days before that of a pass the marks are kept.
const KEPT_BEFORE = 2;

/** @param live the visitors by day of the days that are not counted yet; null if they are not known */
function countsOf(
  sql: SqlStorage,
  number: number | undefined,
  { from, uncounted, to: last }: KnownDays,
  live: ReadonlyMap<number, number> | null,
): VisitorCounts | null {
  const to = live === null ? Math.min(last, uncounted - 1) : last;
  if (from > to) return null;
  const counted = number === undefined ? new Map<number, number>() : readCounts(sql, number, from, to);
  const counts: number[] = [];
  for (let day = from; day <= to; day++) counts.push(Math.max(counted.get(day) ?? 0, live?.get(day) ?? 0));
  return { from, counts };
}

// The day after the last one that was carried.
function uncarriedFrom(sql: SqlStorage, number: number | undefined, { to }: Omit<VisitorQuestion, 'link'>): number {
  if (number === undefined) return 0;
  const [first, last] = DAY_IDS.between(number, 0, to);
  const { id } = sql
    .exec<{ id: number | null }>('SELECT max(id) AS id FROM carried_days WHERE id BETWEEN ?1 AND ?2', first, last)
    .one();
  return id === null ? 0 : DAY_IDS.placeOf(id) + 1;
}

/** The visitors of all links on the days that are not counted yet; null if they are more than can be read at once. */
async function countLinks(
  sql: SqlStorage,
  days: KnownDays,
  fresh: FreshClicks,
  slices: Slices,
): Promise<ReadonlyMap<number, number> | null> {
  const { uncounted: from, to } = days;
  const counts = new Map<number, number>();
  if (from > to) return counts;
  const links = linksAfter(sql, 0, MAX_LINKS + 1);
  if (links.length > MAX_LINKS) return null;
  let bytes = storedBytes(sql, from, to);
  for (const { number } of links) {
    // All marks of a link are read at one moment, since a fold may come between two slices.
    const { marks } = await fresh.of(number, slices);
    for (const [day, size] of countMarks(sql, number, days, marks)) {
      counts.set(day, (counts.get(day) ?? 0) + size);
      slices.facts += size;
    }
    bytes += [...marks.values()].flat().reduce((sum, { length }) => sum + length, 0);
    if (bytes > MAX_MARKS * MARK_BYTES) return null;
    slices.facts += SUBJECT_FACTS;
    if (slices.isOver) await slices.pause();
  }
  return counts;
}

/** The visitors of a link by day, on the days that are not counted yet. */
function countMarks(
  sql: SqlStorage,
  link: number,
  { uncounted: from, to }: KnownDays,
  marks: SubjectClicks['marks'],
): Map<number, number> {
  const counts = new Map<number, number>();
  if (from > to) return counts;
  for (const day of markedDays(sql, link, from, to, [...marks.keys()]))
    counts.set(day, readAllMarks(sql, link, [day * HOURS, day * HOURS + HOURS - 1], marks).size);
  return counts;
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

/** The number of bytes of the folded marks of all links in a range of days. */
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

/** The visitors that were counted. Of each block they are stored by day: its place in the block, and the number. */
export function readCounts(sql: SqlStorage, subject: number, from: number, to: number): Map<number, number> {
  const rows = sql.exec<{ id: number; counts: ArrayBuffer }>(
    'SELECT id, counts FROM visitor_days WHERE id BETWEEN ?1 AND ?2',
    ...BLOCK_IDS.between(subject, from, to),
  );
  const counts = new Map<number, number>();
  for (const { id, counts: packed } of rows) {
    const first = BLOCK_IDS.placeOf(id) * BLOCK_DAYS;
    for (const bytes = new ByteReader(packed); !bytes.isAtEnd;) counts.set(first + bytes.number(), bytes.number());
  }
  return counts;
}
