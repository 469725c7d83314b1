import type { Statement } from '../../database.ts';

/** The SQL of the sweep and of the clean-up: each goes along an index, page by page. */

export interface UndispatchedRow {
  readonly id: string;
  readonly happened_at: number;
}

/** Selects events from before an instant that are not dispatched yet, oldest first. */
export function selectUndispatched(before: number, last: UndispatchedRow | null, limit: number): Statement {
  return {
    sql: `SELECT id, happened_at FROM events
      WHERE dispatched_at IS NULL AND happened_at < ?1 AND (happened_at, id) > (?2, ?3)
      ORDER BY happened_at, id LIMIT ?4`,
    params: [before, last?.happened_at ?? 0, last?.id ?? '', limit],
  };
}

export interface OverdueRow {
  readonly next_try_at: number;
  readonly webhook_id: string;
  readonly event_id: string;
}

/** Selects deliveries whose attempt was due before an instant, oldest first. */
export function selectOverdue(before: number, last: OverdueRow | null, limit: number): Statement {
  return {
    sql: `SELECT next_try_at, webhook_id, event_id FROM deliveries
      WHERE next_try_at < ?1 AND (next_try_at, webhook_id, event_id) > (?2, ?3, ?4)
      ORDER BY next_try_at, webhook_id, event_id LIMIT ?5`,
    params: [before, last?.next_try_at ?? 0, last?.webhook_id ?? '', last?.event_id ?? '', limit],
  };
}

const OLD_EVENTS = `SELECT id FROM events WHERE happened_at < ?1 ORDER BY happened_at LIMIT ?2`;

/** Deletes the oldest events from before an instant with all that belongs to them; returns the ids of the events. */
export function deleteOldEvents(before: number, limit: number): Statement[] {
  const params = [before, limit];
  return [
    {
      sql: `DELETE FROM delivery_tries WHERE (webhook_id, event_id) IN (
          SELECT d.webhook_id, d.event_id FROM deliveries d WHERE d.event_id IN (${OLD_EVENTS}))`,
      params,
    },
    { sql: `DELETE FROM deliveries WHERE event_id IN (${OLD_EVENTS})`, params },
    { sql: `DELETE FROM events WHERE id IN (${OLD_EVENTS}) RETURNING id`, params },
  ];
}
