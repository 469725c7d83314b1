-- How a family of tokens began, by what, and what it is limited to. All are NULL for one that began by a password before
-- this migration: it has no limit.
ALTER TABLE token_families ADD COLUMN began_by TEXT;
ALTER TABLE token_families ADD COLUMN begun_with TEXT;
ALTER TABLE token_families ADD COLUMN client_id TEXT;
ALTER TABLE token_families ADD COLUMN scopes TEXT;
CREATE INDEX token_families_by_client ON token_families (client_id) WHERE client_id IS NOT NULL;

-- When its user last confirmed who they are, if that was after it began.
ALTER TABLE token_families ADD COLUMN confirmed_at INTEGER;

-- Since when a sign-in needs a second factor; a number that ends the browsers that are remembered; and when the operator
-- removed the factors of a person who had lost them.
ALTER TABLE users ADD COLUMN factor_since INTEGER;
ALTER TABLE users ADD COLUMN factor_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN factors_reset_at INTEGER;
-- From when members without a second factor cannot open the workspace.
ALTER TABLE clients ADD COLUMN factors_from INTEGER;

CREATE TABLE totp_seeds (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  seed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_step INTEGER NOT NULL DEFAULT 0,
  spent_by TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  hash TEXT NOT NULL,
  spent_at INTEGER,
  spent_by TEXT,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE code_tries (
  user_id TEXT NOT NULL REFERENCES users (id),
  tried_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  address TEXT NOT NULL,
  PRIMARY KEY (user_id, tried_at, id)
) STRICT, WITHOUT ROWID;

-- An earlier version would let people in by their password alone.
UPDATE schema_support SET oldest_migration = 29;
