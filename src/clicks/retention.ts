import type { Database } from '../database/database.ts';
import { DAY_MS, dayOf } from '../time/day.ts';
import { deleteSaltsBefore } from './salt-store.ts';

/**
 * Removes what is too old of clicks: the salts two days after their day, alone, so that no other failure keeps them. The
 * objects of clients remove what they hold themselves. Throws what the database throws.
 */
export async function removeExpiredClickRows(db: Database, now: number): Promise<void> {
  await db.batch([deleteSaltsBefore(dayOf(now - 2 * DAY_MS))]);
}
