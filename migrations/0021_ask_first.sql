-- Whether visitors get a page with the destination's host and a button before they are led on.
ALTER TABLE links ADD COLUMN ask_first INTEGER;

-- An earlier version would lead visitors on unasked.
UPDATE schema_support SET oldest_migration = 21;
