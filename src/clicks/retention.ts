import type { Statement } from '../database.ts';
import { SEEN_DAYS } from './count.ts';
import { DAY_MS, dayOf } from '../time/day.ts';
import { deleteMarksBefore, deleteSaltsBefore, deleteSeenBefore } from './store.ts';

/**
 * What the daily clean-up removes of clicks: salts and marks two days after their day, and packs' ids once no such pack
 * is counted any more. The counts themselves are kept.
 */
export function expiredClickRows(now: number): Statement[] {
  const oldestDay = dayOf(now - 2 * DAY_MS);
  // A day more than a pack is counted for, so that no clock's error can open a gap.
  const seenBefore = now - (SEEN_DAYS + 1) * DAY_MS;
  return [deleteMarksBefore(oldestDay), deleteSaltsBefore(oldestDay), deleteSeenBefore(seenBefore)];
}
