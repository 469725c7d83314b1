-- The mail address of a user. `pending` is one that a mailed link has yet to confirm, until pending_until; the hash is that
-- of the token in the link.
CREATE TABLE mail_addresses (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  address TEXT,
  confirmed_at INTEGER,
  pending TEXT,
  pending_hash TEXT,
  pending_until INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX mail_addresses_by_address ON mail_addresses (lower(address)) WHERE address IS NOT NULL;
CREATE INDEX mail_addresses_by_pending ON mail_addresses (pending_hash) WHERE pending_hash IS NOT NULL;

-- Mails: to the confirmed address of a user, or to an address. details is JSON of the service. token_hash is the hash of the
-- token in its link, which is derived from the id by a key of the settings. One that is not sent at expires_at never is.
CREATE TABLE mails (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  user_id TEXT REFERENCES users (id),
  address TEXT,
  client_id TEXT REFERENCES clients (id),
  language TEXT,
  details TEXT,
  token_hash TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  next_try_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  sent_at INTEGER,
  failed_at INTEGER,
  error TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX mails_by_next_try ON mails (next_try_at) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX mails_by_user ON mails (user_id, kind, created_at) WHERE user_id IS NOT NULL;
CREATE INDEX mails_by_client ON mails (client_id, kind, created_at) WHERE client_id IS NOT NULL;
CREATE INDEX mails_by_address ON mails (lower(address), kind, created_at) WHERE address IS NOT NULL;
CREATE INDEX mails_by_failure ON mails (failed_at) WHERE failed_at IS NOT NULL;
