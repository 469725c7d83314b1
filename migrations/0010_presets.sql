-- What the users of a client keep by a name, such as views of the list of links. kind says what, content is a text of that
-- kind. A name is unique without case: folded is the name in that form.
CREATE TABLE presets (
  id TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(8)))),
  client_id TEXT NOT NULL REFERENCES clients (id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX presets_by_name ON presets (client_id, kind, folded);
