-- How many characters generated slugs have: on the service's own host by workspace, and on each custom domain.
ALTER TABLE clients ADD COLUMN slug_length INTEGER NOT NULL DEFAULT 8 CHECK (slug_length BETWEEN 7 AND 16);
ALTER TABLE domains ADD COLUMN slug_length INTEGER NOT NULL DEFAULT 8 CHECK (slug_length BETWEEN 5 AND 16);
