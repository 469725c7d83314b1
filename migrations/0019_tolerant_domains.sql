-- Whether a path of the domain is followed without what text programs add to it.
ALTER TABLE domains ADD COLUMN tolerant INTEGER NOT NULL DEFAULT 1 CHECK (tolerant IN (0, 1));
