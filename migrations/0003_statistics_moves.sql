-- Not STRICT, so that backup and restore leave it out: what a restore inserts is copied again.
CREATE TABLE statistics_moves (
  client_id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL DEFAULT 0,
  copied_to TEXT,
  is_moved INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TRIGGER click_days_inserted AFTER INSERT ON click_days BEGIN
  UPDATE statistics_moves SET revision = revision + 1, copied_to = NULL, is_moved = 0 WHERE client_id = NEW.client_id;
END;

CREATE TRIGGER click_days_updated AFTER UPDATE ON click_days BEGIN
  UPDATE statistics_moves SET revision = revision + 1, copied_to = NULL, is_moved = 0 WHERE client_id = NEW.client_id;
END;
