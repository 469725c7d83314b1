-- Where visitors continue without the app that a destination opens.
ALTER TABLE links ADD COLUMN fallback TEXT;

-- What follows another scheme than http and https is no host.
DROP TRIGGER link_hosts_inserted;
DROP TRIGGER link_hosts_updated;

CREATE TRIGGER link_hosts_inserted AFTER INSERT ON links
WHEN NEW.rules IS NOT NULL OR NEW.variants IS NOT NULL OR NEW.expired_url IS NOT NULL
  OR NEW.preview IS NOT NULL OR NEW.fallback IS NOT NULL
BEGIN
  INSERT OR IGNORE INTO link_hosts (link_id, host)
  SELECT NEW.id, rtrim(substr(ltrim(substr(url, 6), ':/'), 1, instr(CASE WHEN ltrim(substr(url, 6), ':/') GLOB '[[]*' THEN replace(ltrim(substr(url, 6), ':/'), ']', ']/') ELSE replace(ltrim(substr(url, 6), ':/'), ':', '/') END, '/') - 1), '.')
  FROM (
    SELECT value ->> 'url' AS url FROM json_each(NEW.rules)
    UNION ALL SELECT value ->> 'url' FROM json_each(NEW.variants)
    UNION ALL SELECT NEW.expired_url
    UNION ALL SELECT NEW.preview ->> 'image'
    UNION ALL SELECT NEW.fallback
  ) WHERE substr(url, 1, 6) IN ('http:/', 'https:');
END;

CREATE TRIGGER link_hosts_updated AFTER UPDATE OF rules, variants, expired_url, preview, fallback ON links
WHEN OLD.rules IS NOT NEW.rules OR OLD.variants IS NOT NEW.variants OR OLD.expired_url IS NOT NEW.expired_url
  OR OLD.preview IS NOT NEW.preview OR OLD.fallback IS NOT NEW.fallback
BEGIN
  DELETE FROM link_hosts WHERE link_id = NEW.id;
  INSERT OR IGNORE INTO link_hosts (link_id, host)
  SELECT NEW.id, rtrim(substr(ltrim(substr(url, 6), ':/'), 1, instr(CASE WHEN ltrim(substr(url, 6), ':/') GLOB '[[]*' THEN replace(ltrim(substr(url, 6), ':/'), ']', ']/') ELSE replace(ltrim(substr(url, 6), ':/'), ':', '/') END, '/') - 1), '.')
  FROM (
    SELECT value ->> 'url' AS url FROM json_each(NEW.rules)
    UNION ALL SELECT value ->> 'url' FROM json_each(NEW.variants)
    UNION ALL SELECT NEW.expired_url
    UNION ALL SELECT NEW.preview ->> 'image'
    UNION ALL SELECT NEW.fallback
  ) WHERE substr(url, 1, 6) IN ('http:/', 'https:');
END;

DROP TRIGGER link_checks_updated;

-- A changed link begins anew with its new destinations.
CREATE TRIGGER link_checks_updated AFTER UPDATE OF url, rules, variants, check_destination, fallback ON links
WHEN OLD.url IS NOT NEW.url OR OLD.rules IS NOT NEW.rules OR OLD.variants IS NOT NEW.variants
  OR OLD.check_destination IS NOT NEW.check_destination OR OLD.fallback IS NOT NEW.fallback
BEGIN
  DELETE FROM link_checks WHERE link_id = NEW.id;
END;

-- An earlier version would redirect all visitors to the app.
UPDATE schema_support SET oldest_migration = 24;
