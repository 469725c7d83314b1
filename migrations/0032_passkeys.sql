-- Passkeys of users: by the id of the credential in base64url, its public key (COSE, base64url), how often it was used by
-- its own count, and the host for which it was created. spent_by is what the newest use was for.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  rp_id TEXT NOT NULL,
  transports TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  spent_by TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at);
-- The hosts of passkeys, after the service has moved to another one.
CREATE INDEX passkeys_by_host ON passkeys (rp_id);

-- Challenges that a passkey has signed, until they expire: each is used once.
CREATE TABLE spent_challenges (
  hash TEXT PRIMARY KEY,
  spent_by TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX spent_challenges_by_end ON spent_challenges (ends_at);

-- True if a password alone does not sign in a user who has passkeys.
ALTER TABLE users ADD COLUMN passkeys_are_factor INTEGER NOT NULL DEFAULT 0;
