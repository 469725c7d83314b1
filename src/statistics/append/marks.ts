import { MARK_BYTES } from './deliveries.ts';

/** The marks of a link's visitors by hour, or by six hours: enough to distinguish them for two days. */

/** From how many visitors of a link an hour takes no more marks: its row stays far below 2 MB. */
export const MAX_MARKS = 40_000;

// Visitors are counted by day: hours with few marks share a row, which costs less to write and to remove.
const SHARED_HOURS = 6;
const FEW_BYTES = 100 * MARK_BYTES;

/** Adds a link's marks by hour. */
export function addMarksByHour(sql: SqlStorage, link: number, byHour: ReadonlyMap<number, readonly Uint8Array[]>) {
  const byRow = new Map<number, Uint8Array[]>();
  for (const [hour, added] of byHour) {
    const isFew = added.reduce((sum, { length }) => sum + length, 0) <= FEW_BYTES;
    const row = isFew ? hour - (hour % SHARED_HOURS) : hour;
    byRow.set(row, [...(byRow.get(row) ?? []), ...added]);
  }
  for (const [row, added] of byRow) addMarks(sql, link, row, added);
}

function addMarks(sql: SqlStorage, link: number, hour: number, added: readonly Uint8Array[]): void {
  const marks = readMarks(sql, link, hour, hour);
  const before = marks.size;
  addMarksTo(marks, added, MAX_MARKS);
  if (marks.size === before) return;
  sql.exec(
    'INSERT INTO visitor_marks (link, hour, marks) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET marks = excluded.marks',
    link,
    hour,
    pack([...marks]),
  );
}

/**
 * The marks of a link in a range of hours since the epoch, both included: the folded ones, and those to be added by hour.
 */
export function readAllMarks(
  sql: SqlStorage,
  link: number,
  [first, last]: readonly [number, number],
  added: ReadonlyMap<number, readonly Uint8Array[]>,
): Set<number> {
  const all = readMarks(sql, link, first, last);
  for (const [hour, packed] of added) {
    if (hour < first || hour > last) continue;
    // As many as will be folded.
    const ofHour = readMarks(sql, link, hour, hour);
    addMarksTo(ofHour, packed, MAX_MARKS);
    for (const mark of ofHour) all.add(mark);
  }
  return all;
}

function readMarks(sql: SqlStorage, link: number, first: number, last: number): Set<number> {
  const rows = sql.exec<{ marks: ArrayBuffer }>(
    'SELECT marks FROM visitor_marks WHERE link = ?1 AND hour BETWEEN ?2 AND ?3',
    link,
    first,
    last,
  );
  const marks = new Set<number>();
  for (const row of rows) addMarksTo(marks, [new Uint8Array(row.marks)]);
  return marks;
}

/** Adds packed marks to a set of at most so many, each as a whole number of 48 bits. */
function addMarksTo(marks: Set<number>, packed: Iterable<Uint8Array>, max = Number.POSITIVE_INFINITY): void {
  for (const { buffer, byteOffset, length } of packed) {
    const view = new DataView(buffer, byteOffset, length);
    for (let at = 0; at + MARK_BYTES <= length && marks.size < max; at += MARK_BYTES) marks.add(readMark(view, at));
  }
}

const readMark = (view: DataView, at: number): number => view.getUint16(at) * 2 ** 32 + view.getUint32(at + 2);

/** The number of different marks: sorted as numbers, since a set of a million would take some 60 MB. */
export function countDistinct(packed: readonly Uint8Array[]): number {
  const marks = new Float64Array(packed.reduce((sum, { length }) => sum + Math.floor(length / MARK_BYTES), 0));
  let index = 0;
  for (const { buffer, byteOffset, length } of packed) {
    const view = new DataView(buffer, byteOffset, length);
    for (let at = 0; at + MARK_BYTES <= length; at += MARK_BYTES) marks[index++] = readMark(view, at);
  }
  return marks.sort().reduce((count, mark, at) => (at > 0 && mark === marks[at - 1] ? count : count + 1), 0);
}

function pack(marks: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(marks.length * MARK_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, mark] of marks.entries()) {
    view.setUint16(index * MARK_BYTES, Math.floor(mark / 2 ** 32));
    view.setUint32(index * MARK_BYTES + 2, mark % 2 ** 32);
  }
  return bytes;
}
