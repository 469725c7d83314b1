-- The hosts of preview images are checked like those of destinations. No release has links with a preview yet, so no row is
-- missing.
DROP TRIGGER link_hosts_inserted;

DROP TRIGGER link_hosts_updated;

CREATE TRIGGER link_hosts_inserted AFTER INSERT ON links
WHEN NEW.rules IS NOT NULL OR NEW.variants IS NOT NULL OR NEW.expired_url IS NOT NULL
  OR NEW.preview IS NOT NULL
BEGIN
  INSERT OR IGNORE INTO link_hosts (link_id, host)
  SELECT NEW.id, rtrim(substr(ltrim(substr(url, 6), ':/'), 1, instr(CASE WHEN ltrim(substr(url, 6), ':/') GLOB '[[]*' THEN replace(ltrim(substr(url, 6), ':/'), ']', ']/') ELSE replace(ltrim(substr(url, 6), ':/'), ':', '/') END, '/') - 1), '.')
  FROM (
    SELECT value ->> 'url' AS url FROM json_each(NEW.rules)
    UNION ALL SELECT value ->> 'url' FROM json_each(NEW.variants)
    UNION ALL SELECT NEW.expired_url
    UNION ALL SELECT NEW.preview ->> 'image'
  ) WHERE url IS NOT NULL;
END;

CREATE TRIGGER link_hosts_updated AFTER UPDATE OF rules, variants, expired_url, preview ON links
WHEN OLD.rules IS NOT NEW.rules OR OLD.variants IS NOT NEW.variants OR OLD.expired_url IS NOT NEW.expired_url
  OR OLD.preview IS NOT NEW.preview
BEGIN
  DELETE FROM link_hosts WHERE link_id = NEW.id;
  INSERT OR IGNORE INTO link_hosts (link_id, host)
  SELECT NEW.id, rtrim(substr(ltrim(substr(url, 6), ':/'), 1, instr(CASE WHEN ltrim(substr(url, 6), ':/') GLOB '[[]*' THEN replace(ltrim(substr(url, 6), ':/'), ']', ']/') ELSE replace(ltrim(substr(url, 6), ':/'), ':', '/') END, '/') - 1), '.')
  FROM (
    SELECT value ->> 'url' AS url FROM json_each(NEW.rules)
    UNION ALL SELECT value ->> 'url' FROM json_each(NEW.variants)
    UNION ALL SELECT NEW.expired_url
    UNION ALL SELECT NEW.preview ->> 'image'
  ) WHERE url IS NOT NULL;
END;
