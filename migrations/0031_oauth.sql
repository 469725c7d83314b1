-- Programs that registered themselves (RFC 7591). A program that names a document of its own has no row.
CREATE TABLE oauth_applications (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  address TEXT,
  created_at INTEGER NOT NULL,
  consented_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX oauth_applications_by_address ON oauth_applications (address, created_at) WHERE address IS NOT NULL;
CREATE INDEX oauth_applications_without_consent ON oauth_applications (created_at) WHERE consented_at IS NULL;

CREATE TABLE oauth_codes (
  hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  session_id TEXT NOT NULL,
  client_id TEXT NOT NULL REFERENCES clients (id),
  scopes TEXT NOT NULL,
  application TEXT NOT NULL,
  name TEXT NOT NULL,
  host TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  resource TEXT NOT NULL,
  challenge TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  spent_at INTEGER,
  family_id TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX oauth_codes_by_client ON oauth_codes (client_id);
CREATE INDEX oauth_codes_by_user ON oauth_codes (user_id);

CREATE TABLE oauth_grants (
  family_id TEXT PRIMARY KEY REFERENCES token_families (id),
  application TEXT NOT NULL,
  name TEXT NOT NULL,
  host TEXT NOT NULL,
  resource TEXT NOT NULL,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
