-- A row is added and deleted in one transaction, to find out whether the database takes writes. Neither table is STRICT, since
-- backup and restore take the STRICT tables.
CREATE TABLE write_checks (
  id TEXT PRIMARY KEY,
  filler BLOB NOT NULL
) WITHOUT ROWID;

-- Keys of KV that may have an old state, since KV has taken neither the new one nor a delete. since_at is when the last
-- change was not taken, tried_at when that was last repeated, and written_at when it succeeded. KV is not read for these keys.
CREATE TABLE unwritten_entries (
  key TEXT PRIMARY KEY,
  since_at INTEGER NOT NULL,
  tried_at INTEGER NOT NULL,
  written_at INTEGER
) WITHOUT ROWID;
