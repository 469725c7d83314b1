-- How often a link was clicked at the service that it was imported from.
ALTER TABLE links ADD COLUMN imported_clicks INTEGER;
