import type { Database, Statement } from '../../database/database.ts';
import { DAY_MS, dayOf } from '../../time/day.ts';
import { SEEN_DAYS } from '../count.ts';

// A statement of D1 takes at most 30 s.
const MAX_ROWS = 5000;
const MAX_ROUNDS = 200;

/**
 * Removes the marks of visitors two days after their day, and the ids of packs that are too old to be counted. What takes
 * longer continues the next day. Throws what the database throws.
 */
export async function deleteFormerRows(db: Database, now: number): Promise<void> {
  const marks = deleteSome('visitor_marks', 'day, link_id, hour', 'day < ?1', dayOf(now - 2 * DAY_MS));
  // A day longer than packs are counted, so that clocks that differ leave no gap.
  const packs = deleteSome('seen_packs', 'id', 'packed_at < ?1', now - (SEEN_DAYS + 1) * DAY_MS);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const deleted = await db.batch<[object, object]>([marks, packs]);
    if (deleted.every((rows) => rows.length < MAX_ROWS)) return;
  }
}

function deleteSome(table: string, key: string, where: string, before: string | number): Statement {
  return {
    sql: `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${MAX_ROWS}) RETURNING 1`,
    params: [before],
  };
}

/** Deletes the days of links of a client. The days of the client keep their clicks. */
export function deleteFormerClicks(clientId: string, linkIds: readonly string[]): Statement {
  return {
    sql: `DELETE FROM click_days WHERE client_id = ?1 AND subject = 'link' AND name IN (SELECT value FROM json_each(?2))`,
    params: [clientId, JSON.stringify(linkIds)],
  };
}
