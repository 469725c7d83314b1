import type { Database } from '../database.ts';
import { DAY_MS } from '../time/day.ts';

const KEPT_DAYS = 30;
const EVENTS_A_ROUND = 500;
const MOST_ROUNDS = 200;

/**
 * Removes events of more than 30 days ago with their deliveries, dispatched or not. What takes longer goes on the next day.
 * Throws what the database throws.
 */
export async function removeOldEvents(db: Database, now: number): Promise<void> {
  const params = [now - KEPT_DAYS * DAY_MS];
  const old = `SELECT id FROM events WHERE happened_at < ?1 ORDER BY happened_at LIMIT ${EVENTS_A_ROUND}`;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const [, , removed] = await db.batch<[never, never, unknown]>([
      {
        sql: `DELETE FROM delivery_tries WHERE (webhook_id, event_id) IN (
          SELECT webhook_id, event_id FROM deliveries WHERE event_id IN (${old}))`,
        params,
      },
      { sql: `DELETE FROM deliveries WHERE event_id IN (${old})`, params },
      { sql: `DELETE FROM events WHERE id IN (${old}) RETURNING 1`, params },
    ]);
    if (removed.length < EVENTS_A_ROUND) return;
  }
}
