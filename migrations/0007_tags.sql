-- External ids and tags of links.

-- The id of a link in the caller's own system. A deleted link keeps its own until its content is removed, since it can be
-- restored.
ALTER TABLE links ADD COLUMN external_id TEXT;

CREATE UNIQUE INDEX links_by_external_id ON links (client_id, external_id) WHERE external_id IS NOT NULL;

-- The tags of a client. A name is unique without case: folded is the name in that form.
CREATE TABLE tags (
  id TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(8)))),
  client_id TEXT NOT NULL REFERENCES clients (id),
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  colour TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX tags_by_name ON tags (client_id, folded);

-- Which links have which tags. created_at is that of the link, so that an index has the links of a tag in order.
CREATE TABLE link_tags (
  link_id TEXT NOT NULL REFERENCES links (id),
  tag_id TEXT NOT NULL REFERENCES tags (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (link_id, tag_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX links_of_tag ON link_tags (tag_id, created_at, link_id);
