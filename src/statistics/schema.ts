import {
  createState,
  readNumber,
  upgradeTables,
  writeNumber,
  type ObjectStorage as Storage,
} from '../objects/object-tables.ts';

/** The tables of an object, and how each version of them follows from the one before. */

/** The storage of one client's statistics. */
export type { Storage };

// Each entry leads from one version to the next, and is never changed once released.
const UPGRADES: readonly string[] = [
  `-- Links and campaigns that were clicked, with their folded clicks; with id 0 the client itself, with 1 the links for which
  -- a day of the client had no place.
  CREATE TABLE subjects (
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    humans INTEGER NOT NULL DEFAULT 0,
    bots INTEGER NOT NULL DEFAULT 0,
    previews INTEGER NOT NULL DEFAULT 0,
    last_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX subjects_by_name ON subjects (kind, name);
  INSERT INTO subjects (id, kind, name) VALUES (0, 0, ''), (1, 0, 'other');

  -- The words of each dimension, with the UTC day (days since the epoch) of their first click.
  CREATE TABLE words (
    dimension INTEGER NOT NULL,
    id INTEGER NOT NULL,
    word TEXT NOT NULL,
    day INTEGER NOT NULL,
    PRIMARY KEY (dimension, id)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX words_by_word ON words (dimension, word);

  -- How many words a dimension has got on a day.
  CREATE TABLE new_words (
    day INTEGER NOT NULL,
    dimension INTEGER NOT NULL,
    words INTEGER NOT NULL,
    PRIMARY KEY (day, dimension)
  ) STRICT, WITHOUT ROWID;

  -- Clicks as they were delivered, until they are folded: the marks of their packs, and their groups.
  CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    groups INTEGER NOT NULL,
    packs BLOB NOT NULL,
    body BLOB NOT NULL
  ) STRICT;

  -- The marks of folded packs by the hour (since the epoch) in which they were packed, so that each is counted once.
  CREATE TABLE seen_packs (
    hour INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    packs BLOB NOT NULL,
    PRIMARY KEY (hour, chunk)
  ) STRICT, WITHOUT ROWID;

  -- The folded clicks of a subject on a UTC day; row-ids.ts says what the ids are.
  CREATE TABLE days (
    id INTEGER PRIMARY KEY,
    clicks BLOB NOT NULL
  ) STRICT;

  -- The sums of a subject's old days, 32 in a row.
  CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    clicks BLOB NOT NULL
  ) STRICT;

  -- The links of which nothing is to be kept.
  CREATE TABLE purges (link TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- The folded marks of a link's visitors by hour (since the epoch), six bytes each.
  CREATE TABLE visitor_marks (
    link INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    marks BLOB NOT NULL,
    PRIMARY KEY (link, hour)
  ) STRICT, WITHOUT ROWID;`,
  `-- Days that version 1.2.0 and older ones have counted in D1: the sums of a subject's UTC day, with ids as in days.
  CREATE TABLE carried_days (
    id INTEGER PRIMARY KEY,
    clicks BLOB NOT NULL
  ) STRICT;

  -- What those days add up to.
  ALTER TABLE subjects ADD COLUMN carried_humans INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE subjects ADD COLUMN carried_bots INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE subjects ADD COLUMN carried_previews INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE subjects ADD COLUMN carried_last_at INTEGER NOT NULL DEFAULT 0;`,
  `-- Campaigns that were renamed lately: clicks that still come with the former name get the new one, until then.
  CREATE TABLE renames (
    former TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`,
  `-- The visitors of a link, or of all links together, by UTC day, 32 days in a row, with ids as in blocks.
  CREATE TABLE visitor_days (
    id INTEGER PRIMARY KEY,
    counts BLOB NOT NULL
  ) STRICT;

  -- The marks of earlier days were removed before they were counted.
  INSERT INTO state (name, value)
    SELECT 'visitors_from', max(value) - 2 FROM state WHERE name IN ('retained_day', 'retention_day')
    HAVING count(*) > 0;`,
  `-- What brought the visitors of the clicks of a delivery, as in sources.ts; null of version 1.3.0, which does not know it.
  ALTER TABLE deliveries ADD COLUMN sources BLOB;`,
];

/** The version of the tables that this code works with. */
export const STATISTICS_SCHEMA = UPGRADES.length;

/**
 * Brings the tables to this version, unless the rows of a backup are being loaded, which may be of an earlier version. An
 * object does this each time it wakes; normally it reads two rows. Returns whether it is being loaded.
 */
export function openSchema(storage: Storage): boolean {
  createState(storage.sql);
  if (readState(storage.sql, 'loading') !== null) return true;
  upgradeSchema(storage);
  return false;
}

/** Brings the tables to a version. */
export function upgradeSchema(storage: Storage, to = STATISTICS_SCHEMA): void {
  upgradeTables(storage, UPGRADES, to);
}

/**
 * The values that an object remembers: the version of its tables; whether it is being loaded; up to which delivery, and
 * up to which subject, a fold has come; how far the retention has come; the first day whose visitors are counted, if
 * earlier ones were not; the highest number of a subject that was deleted; and when a webhook for clicks was about to
 * be written, 0 if there is none.
 */
type StateName =
  | 'schema'
  | 'loading'
  | 'fold_delivery'
  | 'fold_subject'
  | 'retained_day'
  | 'retention_day'
  | 'retention_subject'
  | 'visitors_from'
  | 'last_deleted_subject'
  | 'click_webhooks_at';

export const readState: (sql: SqlStorage, name: StateName) => number | null = readNumber;
export const writeState: (sql: SqlStorage, name: StateName, value: number | null) => void = writeNumber;
