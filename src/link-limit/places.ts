import type { ObjectStorage } from '../objects/object-tables.ts';
import { leftOf, newestOf, type Limit, type Period, type RemovedLimit, type Taken } from './limit.ts';
import { createTables, openTables } from './schema.ts';

/**
 * The places of one link's limit. The ids of the last visits are kept for longer than their callers repeat them, so that a
 * visitor gets one place however often the answer is lost. Sixty-four ids share a row, so that a visit writes hardly more
 * than one.
 */

/** The number of ids that share a row, which each of them writes again: 2.4 kB, of the 4 kB of a page of SQLite. */
export const IDS_A_ROW = 64;

/** The shortest time for which an id is kept. A caller repeats it within seconds. */
export const KEPT_MS = 5 * 60_000;

/** The most rows of old ids that a visit deletes. */
export const DELETED_ROWS = 8;

/** Ids that share a row. */
interface FormerIds {
  readonly row: number;
  /** When the last one came, in milliseconds since the epoch. */
  readonly at: number;
  readonly ids: readonly string[];
}

interface PeriodRow extends Record<string, SqlStorageValue> {
  readonly max: number | null;
  readonly since: number;
  readonly revision: number;
  readonly taken: number;
  readonly ids: string;
}

/**
 * The state that an object has in memory. Changes are there at once, and are stored by `store`, so that visitors who
 * come together share a transaction; no answer may be sent before. If that fails, what is in memory is wrong.
 */
export class Places {
  readonly #storage: ObjectStorage;
  #period: Period | null = null;
  #storedPeriod: Period | null = null;
  #last: string[] = [];
  /** Oldest first. */
  readonly #former: FormerIds[] = [];
  #unstored: FormerIds[] = [];
  /** All of them. */
  readonly #ids = new Set<string>();

  constructor(storage: ObjectStorage, now: number) {
    this.#storage = storage;
    if (openTables(storage)) this.#read(now);
  }

  /** The known limit; null if there was none. */
  get period(): Period | null {
    return this.#period;
  }

  get isStored(): boolean {
    return this.#period === this.#storedPeriod;
  }

  /** Takes a place, if there is one. An id that has one keeps it, and takes no other. */
  take(id: string, limit: Limit, now: number): Taken {
    this.#deleteOld(now);
    const period = newestOf(this.#period, limit);
    const left = leftOf(period, limit);
    const hasPlace = this.#ids.has(id);
    this.#period = period;
    if (hasPlace || left === 0) return { isTaken: hasPlace, left };
    this.#period = { ...period, taken: period.taken + 1 };
    this.#remember(id, now);
    return { isTaken: true, left: left - 1 };
  }

  /** Notes an edit, if it is the newest. */
  set(edit: Limit | RemovedLimit): void {
    this.#period = newestOf(this.#period, edit);
  }

  /** Begins with the count of a backup, in an object that is empty. */
  load(period: Period): void {
    this.#period = period;
  }

  /** Stores all changes, or none. */
  store(): void {
    const period = this.#period;
    if (period === null || this.isStored) return;
    if (this.#storedPeriod === null) createTables(this.#storage);
    const { max, since, revision, taken } = period;
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      for (const { row, at, ids } of this.#unstored)
        sql.exec('INSERT INTO former_ids (id, at, ids) VALUES (?1, ?2, ?3)', row, at, ids.join(' '));
      sql.exec(
        `INSERT INTO period (id, max, since, revision, taken, ids) VALUES (0, ?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET max = ?1, since = ?2, revision = ?3, taken = ?4, ids = ?5`,
        max,
        since,
        revision,
        taken,
        this.#last.join(' '),
      );
    });
    this.#storedPeriod = period;
    this.#unstored = [];
  }

  #remember(id: string, now: number): void {
    this.#ids.add(id);
    this.#last.push(id);
    if (this.#last.length < IDS_A_ROW) return;
    const former = { row: (this.#former.at(-1)?.row ?? 0) + 1, at: now, ids: this.#last };
    this.#former.push(former);
    this.#unstored.push(former);
    this.#last = [];
  }

  // As visitors come, so that no alarm has to wake the object.
  #deleteOld(now: number): void {
    const isOld = ({ at }: FormerIds) => at < now - KEPT_MS;
    if (this.#former[0] === undefined || !isOld(this.#former[0])) return;
    const kept = this.#former.findIndex((each) => !isOld(each));
    const old = this.#former.slice(0, kept < 0 ? DELETED_ROWS : Math.min(kept, DELETED_ROWS));
    this.#storage.sql.exec('DELETE FROM former_ids WHERE id <= ?1', old.at(-1)!.row);
    this.#former.splice(0, old.length);
    for (const { ids } of old) for (const id of ids) this.#ids.delete(id);
  }

  #read(now: number): void {
    const { sql } = this.#storage;
    const [row] = sql.exec<PeriodRow>('SELECT max, since, revision, taken, ids FROM period');
    if (row === undefined) return;
    const { ids, ...period } = row;
    this.#period = this.#storedPeriod = period;
    this.#last = idsOf(ids);
    // The old ids of a link that rested are only deleted.
    const rows = sql.exec<{ id: number; at: number; ids: string }>(
      `SELECT id, at, CASE WHEN at < ?1 THEN '' ELSE ids END AS ids FROM former_ids ORDER BY id`,
      now - KEPT_MS,
    );
    for (const { id, at, ids } of rows) this.#former.push({ row: id, at, ids: idsOf(ids) });
    for (const each of [this.#last, ...this.#former.map((former) => former.ids)])
      for (const id of each) this.#ids.add(id);
  }
}

const idsOf = (text: string): string[] => (text === '' ? [] : text.split(' '));
