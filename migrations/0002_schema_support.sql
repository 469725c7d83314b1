-- Not STRICT, so that backup and restore, also those of version 1.1.0, leave it out: it describes the schema, not data.
CREATE TABLE schema_support (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  oldest_migration INTEGER NOT NULL
);

INSERT INTO schema_support (id, oldest_migration) VALUES (1, 1);
