-- Packs of clicks that neither the queue nor the objects took, until they are sent again. pack is JSON, clicks its number of
-- clicks. Not STRICT, since backup and restore take the STRICT tables.
CREATE TABLE kept_packs (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  kept_at INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  pack TEXT NOT NULL
);
