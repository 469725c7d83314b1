import type { Statement } from '../../database/database.ts';

/** The SQL of the sweep: each statement goes along an index, page by page. */

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
