import { joinSums, mergeHours, type Day } from './days/day.ts';
import { HOUR_DAYS } from './days/opened-day.ts';
import { BLOCK_IDS, DAY_IDS } from './row-ids.ts';
import { readState, writeState, type Storage } from './schema.ts';
import { deleteSeenBefore } from './append/seen.ts';
import { BLOCK_DAYS, blockOf, packBlock, unpackBlock } from './days/stored-block.ts';
import { packDay, unpackDay } from './days/stored-day.ts';
import { CLIENT, subjectsAfter } from './subjects.ts';
import { addToClient, countVisitors, type AddedVisitors } from './days/count-visitors.ts';
import type { Pause } from './days/fold-deliveries.ts';

/** For how many days visitors' marks are kept, the day itself included. */
const MARK_DAYS = 3;
/** A day longer than packs are counted, so that clocks that differ leave no gap. */
const SEEN_DAYS = 31;

const HOURS_A_DAY = 24;
const SLICE_SUBJECTS = 200;
const SLICE_FACTS = 20_000;
// How many marks are sorted in the time that a fact takes.
const MARKS_A_FACT = 8;
// An alarm has 30 s of CPU; these take some three.
const MAX_SLICES = 100;

/** The time for which clicks are kept in detail, and the day on which it is counted back. */
export interface Retention {
  /** The UTC day, in days since the epoch. */
  readonly today: number;
  /** For how many days facts are kept at least; then only the sums of a block of days are. */
  readonly detailDays: number;
}

/**
 * Removes what is too old, once a day, in slices: visitors' marks, whose number stays, the hours of facts, facts, and
 * the marks of packs. A pass that was interrupted, or that takes many slices, continues where it was.
 *
 * @param slices the most slices of work
 * @returns true if the pass of the day is done
 */
export async function retain(
  storage: Storage,
  { today, detailDays }: Retention,
  pause: Pause,
  slices = MAX_SLICES,
): Promise<boolean> {
  const { sql } = storage;
  const retained = readState(sql, 'retained_day');
  if (retained === today) return true;
  const range = { since: retained ?? 0, today, detailDays };
  // A pass of another day is begun anew: what it has done is not done again.
  let after = readState(sql, 'retention_day') === today ? readState(sql, 'retention_subject') : null;
  for (let left = slices; ;) {
    const subjects = subjectsAfter(sql, after ?? CLIENT - 1, SLICE_SUBJECTS);
    if (subjects.length === 0) break;
    for (let facts = 0; subjects.length > 0; facts = 0) {
      if (left-- === 0) return false;
      storage.transactionSync(() => {
        const added: AddedVisitors = new Map();
        while (subjects.length > 0 && facts < SLICE_FACTS)
          facts += retainSubject(sql, (after = subjects.shift()!), range, added);
        addToClient(sql, added);
        writeState(sql, 'retention_day', today);
        writeState(sql, 'retention_subject', after);
      });
      await pause();
    }
  }
  storage.transactionSync(() => {
    deleteSeenBefore(sql, (today - SEEN_DAYS) * HOURS_A_DAY);
    sql.exec('DELETE FROM new_words WHERE day < ?1', today);
    writeState(sql, 'retained_day', today);
    writeState(sql, 'retention_day', null);
    writeState(sql, 'retention_subject', null);
  });
  return true;
}

/** True if a later day will have something to remove. */
export function hasRetention(sql: SqlStorage): boolean {
  return [...sql.exec('SELECT 1 FROM days LIMIT 1')].length > 0;
}

/** The day of the last pass, 0 before the first, and what is kept on that of this one. */
interface Range extends Retention {
  readonly since: number;
}

/** Returns how many facts were touched. */
function retainSubject(sql: SqlStorage, subject: number, range: Range, added: AddedVisitors): number {
  const marks = countVisitors(sql, subject, range.today, added);
  const firstHour = (range.today - MARK_DAYS + 1) * HOURS_A_DAY;
  sql.exec('DELETE FROM visitor_marks WHERE link = ?1 AND hour < ?2', subject, firstHour);
  return 1 + Math.ceil(marks / MARKS_A_FACT) + packBlocks(sql, subject, range) + mergeOldHours(sql, subject, range);
}

function mergeOldHours(sql: SqlStorage, subject: number, { since, today }: Range): number {
  let touched = 0;
  for (const { day, clicks } of readDays(sql, subject, since - HOUR_DAYS, today - HOUR_DAYS)) {
    const before = unpackDay(clicks);
    touched += before.facts.length;
    sql.exec('UPDATE days SET clicks = ?2 WHERE id = ?1', DAY_IDS.of(subject, day), packDay(mergeHours(before)));
  }
  return touched;
}

// A block may be there already: clicks of its days come late when the clock of the object or of an isolate was wrong.
function packBlocks(sql: SqlStorage, subject: number, { today, detailDays }: Range): number {
  const to = blockOf(today - detailDays) * BLOCK_DAYS;
  let touched = 0;
  const days = readDays(sql, subject, 0, to).map(({ day, clicks }) => ({ day, clicks: unpackDay(clicks) }));
  for (const [block, ofBlock] of Map.groupBy(days, ({ day }) => blockOf(day))) {
    touched += ofBlock.reduce((facts, { clicks }) => facts + clicks.facts.length, 0);
    const id = BLOCK_IDS.of(subject, block);
    const [known] = sql.exec<{ clicks: ArrayBuffer }>('SELECT clicks FROM blocks WHERE id = ?1', id);
    const packed = new Map<number, Day>(known === undefined ? [] : unpackBlock(known.clicks));
    for (const { day, clicks } of ofBlock) {
      const before = packed.get(day % BLOCK_DAYS);
      packed.set(day % BLOCK_DAYS, before === undefined ? clicks : joinSums(before, clicks));
    }
    sql.exec(
      'INSERT INTO blocks (id, clicks) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET clicks = excluded.clicks',
      id,
      packBlock(packed),
    );
  }
  if (days.length > 0) sql.exec('DELETE FROM days WHERE id BETWEEN ?1 AND ?2', ...DAY_IDS.between(subject, 0, to - 1));
  return touched;
}

function readDays(
  sql: SqlStorage,
  subject: number,
  from: number,
  before: number,
): { day: number; clicks: ArrayBuffer }[] {
  if (before <= from) return [];
  const rows = sql.exec<{ id: number; clicks: ArrayBuffer }>(
    'SELECT id, clicks FROM days WHERE id BETWEEN ?1 AND ?2',
    ...DAY_IDS.between(subject, from, before - 1),
  );
  return [...rows].map(({ id, clicks }) => ({ day: DAY_IDS.placeOf(id), clicks }));
}
