-- The language of the pages for a user; null for that of the browser.
ALTER TABLE users ADD COLUMN language TEXT;
