import type { Statement } from './database.ts';
import { CHECK_RESTORE } from './database-watch.ts';
import { withTimeout } from '../bounds/timeouts.ts';

/** The row that the nearest copy of the database returns. */
interface NearestRow<Row> {
  /** The first row, or null. */
  readonly row: Row | null;
  /** True if the primary returned it: a replica can lag behind. */
  readonly isCurrent: boolean;
}

/** The nearest copy of the database, for reads that may be old: the primary or a replica. */
export interface NearestDatabase {
  /** Fails also if the copy is from the middle of a restore, or does not have the last migration yet. */
  first<Row>(statement: Statement): Promise<NearestRow<Row>>;
}

/**
 * Opens the nearest copy of D1, with a time limit for each round trip. Source:
 * https://developers.cloudflare.com/d1/best-practices/read-replication/
 */
export function openNearestDatabase(d1: D1Database, timeoutMs: number): NearestDatabase {
  return {
    first: async <Row>(statement: Statement) => {
      // Each query has a session of its own, since a longer session would wait until the replica is as new as its last
      // query.
      const session = d1.withSession('first-unconstrained');
      // The check reads the same state of the same copy as the statement. A check of the primary would not know that state.
      const statements = [CHECK_RESTORE, statement].map(({ sql, params }) => session.prepare(sql).bind(...params));
      const [, result] = await withTimeout(timeoutMs, session.batch<Row>(statements));
      return { row: result?.results[0] ?? null, isCurrent: result?.meta.served_by_primary === true };
    },
  };
}
