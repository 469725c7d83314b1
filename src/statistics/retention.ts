import { mergeHours, onlySums, type Day } from './day.ts';
import { readState, writeState, type Storage } from './schema.ts';
import { deleteSeenBefore } from './seen.ts';
import { packDay, unpackDay } from './stored-day.ts';
import type { Pause } from './fold.ts';

/** For how many days facts say the hour. */
export const HOUR_DAYS = 8;
/** For how many days facts are kept; then only sums are. */
export const DETAIL_DAYS = 90;
/** For how many days visitors' marks are kept, the day itself included. */
const MARK_DAYS = 3;
/** A day longer than packs are counted, so that clocks that differ leave no gap. */
const SEEN_DAYS = 31;

const HOURS_A_DAY = 24;
const SLICE_SUBJECTS = 200;
const SLICE_FACTS = 20_000;

/**
 * Removes what is too old, once a day, in slices: visitors' marks, the hours of facts, facts, and the marks of packs. A pass
 * that was interrupted goes on where it was.
 *
 * @param today the UTC day, in days since the epoch
 */
export async function retain(storage: Storage, today: number, pause: Pause): Promise<void> {
  const { sql } = storage;
  const retained = readState(sql, 'retained_day');
  if (retained === today) return;
  // The rows that have become too old since the last pass.
  const since = retained ?? 0;
  const steps: readonly Step[] = [
    { from: since - DETAIL_DAYS, to: today - DETAIL_DAYS, shrink: onlySums },
    { from: since - HOUR_DAYS, to: today - HOUR_DAYS, shrink: mergeHours },
  ];
  for (let after = readState(sql, 'retention_subject') ?? -1; ;) {
    const slice = subjectsAfter(sql, after);
    const last = slice.at(-1);
    if (last === undefined) break;
    for (let facts = 0; slice.length > 0; facts = 0) {
      storage.transactionSync(() => {
        while (slice.length > 0 && facts < SLICE_FACTS)
          facts += retainSubject(sql, (after = slice.shift()!), today, steps);
        writeState(sql, 'retention_subject', after);
      });
      await pause();
    }
  }
  storage.transactionSync(() => {
    deleteSeenBefore(sql, (today - SEEN_DAYS) * HOURS_A_DAY);
    sql.exec('DELETE FROM new_words WHERE day < ?1', today);
    writeState(sql, 'retained_day', today);
    writeState(sql, 'retention_subject', null);
  });
}

/** Whether a later day will have something to remove. */
export function hasRetention(sql: SqlStorage): boolean {
  return [...sql.exec('SELECT 1 FROM days LIMIT 1')].length > 0;
}

interface Step {
  /** The days that it is for: from the first, before the last. */
  readonly from: number;
  readonly to: number;
  readonly shrink: (day: Day) => Day;
}

function subjectsAfter(sql: SqlStorage, after: number): number[] {
  const rows = sql.exec<{ id: number }>(
    'SELECT id FROM subjects WHERE id > ?1 ORDER BY id LIMIT ?2',
    after,
    SLICE_SUBJECTS,
  );
  return [...rows].map(({ id }) => id);
}

/** Returns how many facts were touched. */
function retainSubject(sql: SqlStorage, subject: number, today: number, steps: readonly Step[]): number {
  sql.exec('DELETE FROM visitor_marks WHERE link = ?1 AND hour < ?2', subject, (today - MARK_DAYS + 1) * HOURS_A_DAY);
  let touched = 1;
  for (const { from, to, shrink } of steps) {
    const rows = sql
      .exec<{ day: number; clicks: ArrayBuffer }>(
        'SELECT day, clicks FROM days WHERE subject = ?1 AND day >= ?2 AND day < ?3',
        subject,
        from,
        to,
      )
      .toArray();
    for (const { day, clicks } of rows) {
      const before = unpackDay(clicks);
      touched += before.facts.length;
      sql.exec('UPDATE days SET clicks = ?3 WHERE subject = ?1 AND day = ?2', subject, day, packDay(shrink(before)));
    }
  }
  return touched;
}
