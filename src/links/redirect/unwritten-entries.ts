import { BoundedMap } from '../../isolate/bounded-map.ts';
import type { Database, Statement } from '../../database/database.ts';
import type { NearestDatabase } from '../../database/nearest-database.ts';
import { logProblem } from '../../isolate/log.ts';
import { STALENESS_SECONDS, UNWRITTEN_SECONDS } from './staleness.ts';

/**
 * The keys of KV that may still have an old state, because KV took neither the new one nor a delete. They are rows in the
 * database, so that all isolates ask the database for those addresses, and a cron repeats the writes.
 */

/** The time for which an isolate relies on what it has read of the rows: until then it may serve an old state. */
const KNOWN_MS = UNWRITTEN_SECONDS * 1000;
// An entry that is younger cannot be older than the bound.
const YOUNG_MS = STALENESS_SECONDS.check * 1000;
// With more keys than this, KV is not asked for any.
const MAX_KEYS = 200;
// Longer than the cron takes to repeat the write, if KV works again.
const OWN_MS = 10 * 60_000;
const MAX_OWN = 2000;

/** Selects the keys, as JSON. */
export const SELECT_UNWRITTEN: Statement = {
  sql: `SELECT json_group_array(key) AS keys FROM (SELECT key FROM unwritten_entries LIMIT ${MAX_KEYS + 1})`,
  params: [],
};

/** The one row of `SELECT_UNWRITTEN`. */
export interface UnwrittenRow {
  readonly keys: string;
}

/** The knowledge of an isolate about those keys. */
export class UnwrittenEntries {
  #readAt = Number.NEGATIVE_INFINITY;
  #keys: ReadonlySet<string> = new Set();
  /** When this isolate could not write a key. */
  readonly #own = new BoundedMap<string, number>(MAX_OWN);

  /** True if KV must not be asked for a key. */
  has(key: string): boolean {
    const failedAt = this.#own.get(key);
    const isOwn = failedAt !== undefined && Math.abs(Date.now() - failedAt) < OWN_MS;
    return isOwn || this.#keys.size > MAX_KEYS || this.#keys.has(key);
  }

  /** Remembers keys that this isolate could not write. */
  add(keys: readonly string[]): void {
    const now = Date.now();
    for (const key of keys) this.#own.set(key, now);
  }

  /** @param askedAt when the rows were asked for, in milliseconds since the epoch */
  saw({ keys }: UnwrittenRow, askedAt: number): void {
    this.#readAt = askedAt;
    this.#keys = new Set<string>(JSON.parse(keys));
  }

  /**
   * Makes sure that this isolate knows the keys before it uses an entry of KV: one query of the nearest copy of the
   * database, if the entry is older than a minute and the isolate has not read the rows in the last two. If the
   * database does not respond, the entry is used.
   *
   * @param storedAt when the entry was read from the database, in milliseconds since the epoch
   */
  async readFor(nearest: NearestDatabase, storedAt: number): Promise<void> {
    const now = Date.now();
    if (Math.abs(now - storedAt) < YOUNG_MS || Math.abs(now - this.#readAt) < KNOWN_MS) return;
    try {
      const { row } = await nearest.first<UnwrittenRow>(SELECT_UNWRITTEN);
      if (row !== null) this.saw(row, now);
    } catch (cause) {
      // Else each redirect would wait for a database that does not respond.
      this.#readAt = now;
      logProblem('unwritten_entries_not_read', cause);
    }
  }
}

/** Records keys that KV did not write. If the database fails too, that is logged. */
export async function recordUnwritten(
  { db, unwritten }: { readonly db: Database; readonly unwritten: UnwrittenEntries | null },
  keys: readonly string[],
): Promise<void> {
  unwritten?.add(keys);
  try {
    await db.batch([
      {
        sql: `INSERT INTO unwritten_entries (key, since_at, tried_at) SELECT value, ?2, ?2 FROM json_each(?1) WHERE true
          ON CONFLICT (key) DO UPDATE SET since_at = excluded.since_at, tried_at = excluded.tried_at, written_at = NULL`,
        params: [JSON.stringify([...new Set(keys)]), Date.now()],
        isBestEffort: true,
      },
    ]);
  } catch (cause) {
    logProblem('unwritten_entries_not_recorded', cause, { entries: keys.length });
  }
}
