-- All tables and indexes as of the first numbered migration. Its statements can run again, since a database of version
-- 1.x has some of them already: scripts/migrations/legacy.ts brings it to this state.

CREATE TABLE IF NOT EXISTS restores (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sha256 TEXT NOT NULL,
  is_emptied INTEGER NOT NULL,
  next_row INTEGER NOT NULL,
  begun_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  disabled_at INTEGER,
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  skeleton TEXT
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX IF NOT EXISTS users_by_skeleton ON users (skeleton) WHERE skeleton IS NOT NULL;

CREATE TABLE IF NOT EXISTS clients (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS members (
  user_id TEXT NOT NULL REFERENCES users (id),
  client_id TEXT NOT NULL REFERENCES clients (id),
  created_at INTEGER NOT NULL,
  role TEXT NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'member')),
  PRIMARY KEY (user_id, client_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS members_by_client ON members (client_id, created_at, user_id);

CREATE TABLE IF NOT EXISTS api_keys (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  scopes TEXT NOT NULL DEFAULT 'links:read links:write stats:read',
  former_secret_hash TEXT,
  former_until_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS api_keys_by_client ON api_keys (client_id, created_at, id);

CREATE INDEX IF NOT EXISTS api_keys_by_holder ON api_keys (client_id, user_id, created_at, id);

CREATE TABLE IF NOT EXISTS spent_forms (
  client_id TEXT NOT NULL REFERENCES clients (id),
  nonce TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, nonce)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS invites (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  token_hash TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  accepted_at INTEGER,
  accepted_by TEXT REFERENCES users (id),
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS invites_open ON invites (client_id, created_at, id)
  WHERE accepted_at IS NULL AND revoked_at IS NULL;

CREATE TABLE IF NOT EXISTS password_resets (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  client_id TEXT REFERENCES clients (id),
  made_by TEXT REFERENCES users (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS password_resets_by_user ON password_resets (user_id);

CREATE TABLE IF NOT EXISTS audit_entries (
  client_id TEXT NOT NULL REFERENCES clients (id),
  created_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  action TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  subject_name TEXT,
  details TEXT,
  user_id TEXT NOT NULL,
  credential_kind TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  PRIMARY KEY (client_id, created_at, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS token_families (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  started_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS token_families_by_user ON token_families (user_id);

CREATE TABLE IF NOT EXISTS refresh_tokens (
  hash TEXT PRIMARY KEY,
  family_id TEXT NOT NULL REFERENCES token_families (id),
  status TEXT NOT NULL CHECK (status IN ('live', 'spent', 'replaced')),
  spent_at INTEGER,
  successor_hash TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS sessions (
  hash TEXT PRIMARY KEY,
  family_id TEXT NOT NULL UNIQUE REFERENCES token_families (id),
  seen_at INTEGER NOT NULL,
  browser TEXT,
  os TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS encode_days (
  client_id TEXT NOT NULL,
  day TEXT NOT NULL,
  user_id TEXT NOT NULL,
  made INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  PRIMARY KEY (client_id, day, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS domains (
  id TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(8)))),
  client_id TEXT NOT NULL REFERENCES clients (id),
  host TEXT NOT NULL CHECK (host = lower(host) AND host <> ''),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'active', 'lost')),
  created_at INTEGER NOT NULL DEFAULT (unixepoch() * 1000),
  token TEXT,
  root_url TEXT,
  not_found_url TEXT,
  verified_at INTEGER,
  checked_at INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  removed_at INTEGER,
  case_sensitive INTEGER NOT NULL DEFAULT 0 CHECK (case_sensitive IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX IF NOT EXISTS domains_serving ON domains (host) WHERE status <> 'pending';

CREATE UNIQUE INDEX IF NOT EXISTS domains_of_client ON domains (client_id, host) WHERE removed_at IS NULL;

CREATE TABLE IF NOT EXISTS links (
  id TEXT PRIMARY KEY,
  domain_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  client_id TEXT NOT NULL REFERENCES clients (id),
  sec_id TEXT NOT NULL,
  url TEXT NOT NULL,
  campaign_name TEXT,
  metadata TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  disabled_at INTEGER,
  deleted_at INTEGER,
  revision INTEGER NOT NULL,
  user_id TEXT,
  key_id TEXT,
  title TEXT,
  comments TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS links_deleted ON links (deleted_at) WHERE deleted_at IS NOT NULL AND url <> '';

CREATE INDEX IF NOT EXISTS links_live ON links (client_id, created_at, id, expires_at, disabled_at, deleted_at, sec_id)
  WHERE deleted_at IS NULL;

CREATE INDEX IF NOT EXISTS links_deleted_of_client ON links (client_id, created_at, id)
  WHERE deleted_at IS NOT NULL AND url <> '';

CREATE INDEX IF NOT EXISTS links_disabled ON links (client_id, created_at, id)
  WHERE disabled_at IS NOT NULL AND deleted_at IS NULL;

CREATE INDEX IF NOT EXISTS links_ending ON links (client_id, created_at, id, expires_at, disabled_at, deleted_at)
  WHERE expires_at IS NOT NULL AND disabled_at IS NULL AND deleted_at IS NULL;

CREATE INDEX IF NOT EXISTS links_of_campaign
  ON links (client_id, campaign_name, created_at, id, expires_at, disabled_at, deleted_at)
  WHERE campaign_name IS NOT NULL AND deleted_at IS NULL;

CREATE INDEX IF NOT EXISTS links_of_sec_id ON links (client_id, sec_id, created_at, id)
  WHERE deleted_at IS NULL AND (length(sec_id) <> 8 OR sec_id GLOB '*[^6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz]*');

CREATE INDEX IF NOT EXISTS links_of_domain
  ON links (domain_id, created_at, id, client_id, expires_at, disabled_at, deleted_at)
  WHERE domain_id <> '' AND deleted_at IS NULL;

CREATE INDEX IF NOT EXISTS links_of_url
  ON links (client_id, length(url) || substr(url, 9, 24) || substr(url, -32), created_at, id)
  WHERE deleted_at IS NULL;

CREATE TABLE IF NOT EXISTS addresses (
  domain_id TEXT NOT NULL,
  folded TEXT NOT NULL,
  slug TEXT NOT NULL,
  link_id TEXT NOT NULL REFERENCES links (id) DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (domain_id, folded)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS addresses_by_link ON addresses (link_id);

CREATE TABLE IF NOT EXISTS link_history (
  link_id TEXT NOT NULL REFERENCES links (id),
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  user_id TEXT,
  key_id TEXT,
  action TEXT NOT NULL,
  url TEXT NOT NULL,
  changes TEXT NOT NULL,
  edit_id TEXT NOT NULL,
  PRIMARY KEY (link_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS blocked_hosts (
  host TEXT PRIMARY KEY,
  blocked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS idempotency_keys (
  client_id TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS click_days (
  client_id TEXT NOT NULL,
  subject TEXT NOT NULL CHECK (subject IN ('link', 'campaign', 'client')),
  name TEXT NOT NULL,
  day TEXT NOT NULL,
  humans INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  previews INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  hours TEXT NOT NULL,
  countries TEXT NOT NULL,
  referrers TEXT NOT NULL,
  browsers TEXT NOT NULL,
  systems TEXT NOT NULL,
  devices TEXT NOT NULL,
  languages TEXT NOT NULL,
  links TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (client_id, subject, name, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS seen_packs (
  id TEXT PRIMARY KEY,
  packed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS visitor_salts (
  day TEXT PRIMARY KEY,
  salt TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS visitor_marks (
  day TEXT NOT NULL,
  link_id TEXT NOT NULL,
  hour INTEGER NOT NULL,
  marks TEXT NOT NULL,
  PRIMARY KEY (day, link_id, hour)
) STRICT, WITHOUT ROWID;
