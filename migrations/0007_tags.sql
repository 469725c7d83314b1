-- The id of a link in the caller's own system. A deleted link keeps its own until its content is removed, since it can be
-- restored.
ALTER TABLE links ADD COLUMN external_id TEXT;

CREATE UNIQUE INDEX links_by_external_id ON links (client_id, external_id) WHERE external_id IS NOT NULL;
