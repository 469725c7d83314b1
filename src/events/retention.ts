import type { Database, Statement } from '../database/database.ts';
import { DAY_MS } from '../time/day.ts';
import { wants } from './record.ts';

const KEPT_DAYS = 30;

/**
 * The number of deliveries of a webhook that are kept if those beyond them are of clicks. Without a bound a busy
 * webhook fills the database, which can have 10 GB; statistics have the clicks as well.
 */
export const MAX_KEPT_DELIVERIES = 50_000;

const EVENTS_A_ROUND = 5000;
/** An invocation may make 1,000 queries, and a round makes four. */
const MAX_ROUNDS = 50;

/**
 * Removes events of more than 30 days ago with their deliveries, dispatched or not, some at a time. What is left after
 * `MAX_ROUNDS` waits for the next run. Throws what the database throws.
 */
export async function removeOldEvents(db: Database, now: number): Promise<void> {
  await removeInRounds(db, MAX_ROUNDS, {
    sql: `SELECT id FROM events WHERE happened_at < ?1 ORDER BY happened_at LIMIT ${EVENTS_A_ROUND}`,
    params: [now - KEPT_DAYS * DAY_MS],
  });
}

/**
 * Removes the events of clicks that active webhooks have beyond their newest deliveries, except those on their way, some at
 * a time. Each event of clicks is for one webhook. Throws what the database throws.
 */
export async function removeExcessClicks(db: Database, kept = MAX_KEPT_DELIVERIES): Promise<void> {
  const [full] = await db.batch<[{ readonly id: string; readonly oldest: number }]>([selectFull(kept)]);
  let rounds = MAX_ROUNDS;
  for (const { id, oldest } of full) {
    rounds = await removeInRounds(db, rounds, {
      sql: `SELECT e.id FROM deliveries d CROSS JOIN events e ON e.id = d.event_id
        WHERE d.webhook_id = ?1 AND d.created_at < ?2 AND d.next_try_at IS NULL AND e.type = 'link.clicked'
        ORDER BY d.created_at, d.event_id LIMIT ${EVENTS_A_ROUND}`,
      params: [id, oldest],
    });
  }
}

/** Webhooks for clicks that have more deliveries than are kept, and the instant of the oldest one that is. */
const selectFull = (kept: number): Statement => ({
  sql: `SELECT id, oldest FROM (
      SELECT w.id, (SELECT d.created_at FROM deliveries d WHERE d.webhook_id = w.id
        ORDER BY d.created_at DESC, d.event_id DESC LIMIT 1 OFFSET ?1) AS oldest
      FROM webhooks w WHERE ${wants('w', `'link.clicked'`)})
    WHERE oldest IS NOT NULL`,
  params: [kept - 1],
});

/**
 * Removes the events that a statement selects, until it selects fewer than a round has. Returns how many rounds are left.
 */
async function removeInRounds(db: Database, rounds: number, selected: Statement): Promise<number> {
  for (let left = rounds; left > 0; left--) {
    const [rows] = await db.batch<[{ readonly id: string }]>([selected]);
    const params = [JSON.stringify(rows.map(({ id }) => id))];
    const these = 'IN (SELECT value FROM json_each(?1))';
    if (rows.length > 0) {
      await db.batch([
        {
          sql: `DELETE FROM delivery_tries WHERE (webhook_id, event_id) IN (
            SELECT webhook_id, event_id FROM deliveries WHERE event_id ${these})`,
          params,
        },
        { sql: `DELETE FROM deliveries WHERE event_id ${these}`, params },
        { sql: `DELETE FROM events WHERE id ${these}`, params },
      ]);
    }
    if (rows.length < EVENTS_A_ROUND) return left - 1;
  }
  return 0;
}
