-- What the operator's tools have done: each command, or one for all equal ones of an hour if a tool sends many. It is no
-- part of backups, and a restore leaves it. outcome is 'begun', 'done' or the code of the error.
CREATE TABLE operator_log (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  command TEXT NOT NULL,
  subject TEXT,
  key_thumbprint TEXT NOT NULL,
  outcome TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operator_log_by_time ON operator_log (at, id);
