import { MARK_BYTES } from '../append/deliveries.ts';
import { countDistinct } from '../append/marks.ts';
import { ByteWriter } from '../bytes.ts';
import { readCounts } from '../questions/visitor-days.ts';
import { BLOCK_IDS } from '../row-ids.ts';
import { CLIENT } from '../subjects.ts';
import { BLOCK_DAYS, blockOf } from './stored-block.ts';

/** The work of the retention before marks are removed: it stores how many visitors the days had. */

/** Visitors by day that were added to what was counted. */
export type AddedVisitors = Map<number, number>;

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

const HOURS = 24;

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
