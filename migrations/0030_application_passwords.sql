-- Passwords of programs. A family of tokens that began with one names it in begun_with.
CREATE TABLE application_passwords (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  nonce TEXT NOT NULL,
  client_id TEXT,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX application_passwords_by_form ON application_passwords (user_id, nonce);
CREATE INDEX application_passwords_by_client ON application_passwords (client_id) WHERE client_id IS NOT NULL;

-- When a program last got tokens with the user's own password.
ALTER TABLE users ADD COLUMN basic_used_at INTEGER;

-- Where browsers were at their sign-in.
ALTER TABLE sessions ADD COLUMN country TEXT;

-- The history of sign-ins.
CREATE TABLE sign_ins (
  user_id TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  id TEXT NOT NULL,
  way TEXT NOT NULL,
  begun_with TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('success', 'wrong_code')),
  browser TEXT,
  os TEXT,
  country TEXT,
  PRIMARY KEY (user_id, at, id)
) STRICT, WITHOUT ROWID;
