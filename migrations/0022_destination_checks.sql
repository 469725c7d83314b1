-- Whether the destinations of a link are checked; null leaves it to the workspace.
ALTER TABLE links ADD COLUMN check_destination INTEGER;

CREATE INDEX links_checked ON links (client_id, created_at, id) WHERE check_destination = 1 AND deleted_at IS NULL;

CREATE TABLE check_sweeps (
  client_id TEXT PRIMARY KEY REFERENCES clients (id),
  is_whole INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
  begun_at INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER NOT NULL DEFAULT 0,
  after_at INTEGER NOT NULL DEFAULT 0,
  after_id TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

CREATE TABLE destination_checks (
  client_id TEXT NOT NULL REFERENCES clients (id),
  url_hash TEXT NOT NULL,
  url TEXT NOT NULL,
  host TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  checked_at INTEGER,
  reason TEXT,
  status INTEGER,
  failing_since INTEGER,
  unhealthy_since INTEGER,
  turned_at INTEGER,
  PRIMARY KEY (client_id, url_hash)
) STRICT;

CREATE INDEX destination_checks_by_hash ON destination_checks (url_hash);

CREATE INDEX destination_checks_due ON destination_checks (host, due_at);

CREATE INDEX destination_checks_unhealthy ON destination_checks (client_id, url_hash) WHERE unhealthy_since IS NOT NULL;

CREATE TABLE link_checks (
  link_id TEXT NOT NULL REFERENCES links (id),
  client_id TEXT NOT NULL,
  url_hash TEXT NOT NULL,
  PRIMARY KEY (link_id, url_hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX link_checks_by_destination ON link_checks (client_id, url_hash, link_id);

CREATE TABLE checked_hosts (
  host TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL,
  not_before_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX checked_hosts_due ON checked_hosts (due_at);

-- A changed link begins anew with its new destinations.
CREATE TRIGGER link_checks_updated AFTER UPDATE OF url, rules, variants, check_destination ON links
WHEN OLD.url IS NOT NEW.url OR OLD.rules IS NOT NEW.rules OR OLD.variants IS NOT NEW.variants
  OR OLD.check_destination IS NOT NEW.check_destination
BEGIN
  DELETE FROM link_checks WHERE link_id = NEW.id;
END;

CREATE TRIGGER link_checks_deleted AFTER DELETE ON links BEGIN
  DELETE FROM link_checks WHERE link_id = OLD.id;
END;
