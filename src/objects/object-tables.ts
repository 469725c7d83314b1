/**
 * The tables of a Durable Object. It upgrades them itself when it wakes, since no deploy can reach all objects, and keeps
 * their version in the table `state`.
 */

/** The part of an object's storage that has tables. */
export type ObjectStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

const CREATE_STATE =
  'CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID';

/** Creates the table of numbers that an object keeps. */
export function createState(sql: SqlStorage): void {
  sql.exec(CREATE_STATE);
}

/** True if an object has tables; one to which nothing was ever written has none. */
export function hasTables(sql: SqlStorage): boolean {
  return [...sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'state'`)].length > 0;
}

/**
 * Brings the tables to a version.
 *
 * @param upgrades statements that lead from each version to the next; what was released is never changed
 */
export function upgradeTables(storage: ObjectStorage, upgrades: readonly string[], to = upgrades.length): void {
  const { sql } = storage;
  createState(sql);
  const version = readNumber(sql, 'schema') ?? 0;
  if (version >= to) return;
  storage.transactionSync(() => {
    for (const statements of upgrades.slice(version, to)) sql.exec(statements);
    writeNumber(sql, 'schema', to);
  });
}

/** Reads a number of the table `state`. */
export function readNumber(sql: SqlStorage, name: string): number | null {
  const [row] = sql.exec<{ value: number }>('SELECT value FROM state WHERE name = ?1', name);
  return row?.value ?? null;
}

/** @param value null to forget */
export function writeNumber(sql: SqlStorage, name: string, value: number | null): void {
  if (value === null) sql.exec('DELETE FROM state WHERE name = ?1', name);
  else
    sql.exec(
      'INSERT INTO state (name, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value',
      name,
      value,
    );
}
