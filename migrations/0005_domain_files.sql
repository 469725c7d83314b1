-- Not columns of domains, since each redirect, list and check would read past up to 256 KB of a row. ON DELETE CASCADE is
-- for the release before, which deletes domains and does not know this table.
CREATE TABLE domain_files (
  domain_id TEXT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (domain_id, name)
) STRICT;
