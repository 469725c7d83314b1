-- Drops the clicks that version 1.2.0 and older ones have counted. Version 1.3.0 copies them to the objects of their clients;
-- while it has not copied all of a client, the second statement fails, and with it the whole migration.
CREATE TABLE former_clicks (
  unmoved_clients INTEGER NOT NULL CONSTRAINT former_clicks_are_moved CHECK (unmoved_clients = 0)
);

INSERT INTO former_clicks (unmoved_clients)
  SELECT count(*) FROM clients AS c
  WHERE EXISTS (SELECT 1 FROM click_days WHERE client_id = c.id)
    AND NOT EXISTS (SELECT 1 FROM statistics_moves WHERE client_id = c.id AND is_moved = 1);

DROP TABLE former_clicks;

DROP TABLE statistics_moves;

DROP TABLE click_days;

DROP TABLE visitor_marks;

DROP TABLE seen_packs;

UPDATE schema_support SET oldest_migration = 20;
