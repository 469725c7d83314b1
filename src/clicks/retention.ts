import type { Statement } from '../database.ts';
import { SEEN_DAYS } from './count.ts';
import { DAY_MS, dayOf } from '../time/day.ts';
import { deleteMarksBefore, deleteSaltsBefore, deleteSeenBefore } from './store.ts';

/**
 * What the daily clean-up removes of clicks: salts and marks two days after their day, and the ids of packs that are
 * too old to be counted. The counts themselves are kept.
 */
export function expiredClickRows(now: number): Statement[] {
  const oldestDay = dayOf(now - 2 * DAY_MS);
  // A day longer than packs are counted, so that clocks that differ leave no gap.
  const seenBefore = now - (SEEN_DAYS + 1) * DAY_MS;
  return [deleteMarksBefore(oldestDay), deleteSaltsBefore(oldestDay), deleteSeenBefore(seenBefore)];
}
