import { hasTables, upgradeTables, type ObjectStorage } from '../objects/object-tables.ts';

/** The tables of an object, and how each version of them follows from the one before. */

// Each entry leads from one version to the next, and is never changed once released.
const UPGRADES: readonly string[] = [
  `-- The one row of the newest limit (max is NULL without one), with its count, and the ids of the last takes.
  CREATE TABLE period (
    id INTEGER PRIMARY KEY CHECK (id = 0),
    max INTEGER,
    since INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    ids TEXT NOT NULL
  ) STRICT;

  -- The ids of the takes before those, many in a row, with the time of the last one.
  CREATE TABLE former_ids (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    ids TEXT NOT NULL
  ) STRICT;`,
];

/** The version of the tables that this code works with. */
export const LIMIT_SCHEMA = UPGRADES.length;

/** Brings the tables to this version, if there are any. Returns whether there are. */
export function openTables(storage: ObjectStorage): boolean {
  if (!hasTables(storage.sql)) return false;
  createTables(storage);
  return true;
}

/** Brings the tables to this version. */
export function createTables(storage: ObjectStorage): void {
  upgradeTables(storage, UPGRADES);
}
