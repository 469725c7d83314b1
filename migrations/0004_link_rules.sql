ALTER TABLE links ADD COLUMN rules TEXT;
ALTER TABLE links ADD COLUMN variants TEXT;
ALTER TABLE links ADD COLUMN forward_query TEXT;
ALTER TABLE links ADD COLUMN forward_path INTEGER;
ALTER TABLE links ADD COLUMN redirect_status INTEGER;
ALTER TABLE links ADD COLUMN starts_at INTEGER;
ALTER TABLE links ADD COLUMN expired_url TEXT;
ALTER TABLE links ADD COLUMN preview TEXT;
ALTER TABLE links ADD COLUMN inspectable INTEGER;
ALTER TABLE links ADD COLUMN max_clicks INTEGER;
ALTER TABLE links ADD COLUMN limited_at INTEGER;
ALTER TABLE links ADD COLUMN password_hash TEXT;
ALTER TABLE links ADD COLUMN password_at INTEGER;

CREATE TABLE link_hosts (
  link_id TEXT NOT NULL,
  host TEXT NOT NULL,
  PRIMARY KEY (link_id, host)
) WITHOUT ROWID;

CREATE TRIGGER link_hosts_inserted AFTER INSERT ON links
WHEN NEW.rules IS NOT NULL OR NEW.variants IS NOT NULL OR NEW.expired_url IS NOT NULL
BEGIN
  INSERT OR IGNORE INTO link_hosts (link_id, host)
  SELECT NEW.id, rtrim(substr(ltrim(substr(url, 6), ':/'), 1, instr(CASE WHEN ltrim(substr(url, 6), ':/') GLOB '[[]*' THEN replace(ltrim(substr(url, 6), ':/'), ']', ']/') ELSE replace(ltrim(substr(url, 6), ':/'), ':', '/') END, '/') - 1), '.')
  FROM (
    SELECT value ->> 'url' AS url FROM json_each(NEW.rules)
    UNION ALL SELECT value ->> 'url' FROM json_each(NEW.variants)
    UNION ALL SELECT NEW.expired_url
  ) WHERE url IS NOT NULL;
END;

CREATE TRIGGER link_hosts_updated AFTER UPDATE OF rules, variants, expired_url ON links
WHEN OLD.rules IS NOT NEW.rules OR OLD.variants IS NOT NEW.variants OR OLD.expired_url IS NOT NEW.expired_url
BEGIN
  DELETE FROM link_hosts WHERE link_id = NEW.id;
  INSERT OR IGNORE INTO link_hosts (link_id, host)
  SELECT NEW.id, rtrim(substr(ltrim(substr(url, 6), ':/'), 1, instr(CASE WHEN ltrim(substr(url, 6), ':/') GLOB '[[]*' THEN replace(ltrim(substr(url, 6), ':/'), ']', ']/') ELSE replace(ltrim(substr(url, 6), ':/'), ':', '/') END, '/') - 1), '.')
  FROM (
    SELECT value ->> 'url' AS url FROM json_each(NEW.rules)
    UNION ALL SELECT value ->> 'url' FROM json_each(NEW.variants)
    UNION ALL SELECT NEW.expired_url
  ) WHERE url IS NOT NULL;
END;

CREATE TRIGGER link_hosts_deleted AFTER DELETE ON links BEGIN
  DELETE FROM link_hosts WHERE link_id = OLD.id;
END;
