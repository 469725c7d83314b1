-- Every table and index of Terse. Applied at each start and each deploy, so each statement can run again.
-- Instants are milliseconds since 1970-01-01T00:00:00Z, in columns that end in _at. Secrets are kept as hashes only.

-- A person or program with a name and a password; id is the `local_id` callers see and the `sub` of their tokens.
CREATE TABLE IF NOT EXISTS users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT, WITHOUT ROWID;

-- A service customer (tenant); id is the `client_id` of the published interface.
CREATE TABLE IF NOT EXISTS clients (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which users belong to which clients.
CREATE TABLE IF NOT EXISTS members (
  user_id TEXT NOT NULL REFERENCES users (id),
  client_id TEXT NOT NULL REFERENCES clients (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, client_id)
) STRICT, WITHOUT ROWID;

-- API keys `tk_<id>_<secret>`; user_id is who made the key. A key dies with its maker's account or membership.
CREATE TABLE IF NOT EXISTS api_keys (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

-- One family per sign-in: every token that descends from it carries its id as `sid` and dies with it.
CREATE TABLE IF NOT EXISTS token_families (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  started_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;

-- A user's families end together when the account is disabled or its password changes.
CREATE INDEX IF NOT EXISTS token_families_by_user ON token_families (user_id);

-- Refresh tokens by hash. A spent token names its newest successor; a replaced one lost its place to a retry.
CREATE TABLE IF NOT EXISTS refresh_tokens (
  hash TEXT PRIMARY KEY,
  family_id TEXT NOT NULL REFERENCES token_families (id),
  status TEXT NOT NULL CHECK (status IN ('live', 'spent', 'replaced')),
  spent_at INTEGER,
  successor_hash TEXT
) STRICT, WITHOUT ROWID;

-- Custom domains. Only an active one takes new links; a lost one (its proof is gone) still serves those it has.
CREATE TABLE IF NOT EXISTS domains (
  id TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(8)))),
  client_id TEXT NOT NULL REFERENCES clients (id),
  host TEXT NOT NULL CHECK (host = lower(host) AND host <> ''),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'active', 'lost')),
  created_at INTEGER NOT NULL DEFAULT (unixepoch() * 1000)
) STRICT, WITHOUT ROWID;

-- Anyone may claim a host; one claim at a time serves it. Also the look-up of a host on every redirect of a custom domain.
CREATE UNIQUE INDEX IF NOT EXISTS domains_serving ON domains (host) WHERE status <> 'pending';

-- Short links. (domain_id, slug) is the address shown to callers; domain_id '' is the service's own host.
-- revision grows with every edit, and never moves with a click.
CREATE TABLE IF NOT EXISTS links (
  id TEXT PRIMARY KEY,
  domain_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  client_id TEXT NOT NULL REFERENCES clients (id),
  sec_id TEXT NOT NULL,
  url TEXT NOT NULL,
  campaign_name TEXT,
  metadata TEXT,
  clicks INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  disabled_at INTEGER,
  deleted_at INTEGER,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Every address a visitor may come by. The primary key decides who has a slug, and a link may have several.
CREATE TABLE IF NOT EXISTS addresses (
  domain_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  link_id TEXT NOT NULL REFERENCES links (id) DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (domain_id, slug)
) STRICT, WITHOUT ROWID;

-- An edit rewrites the cached state under each of its link's addresses.
CREATE INDEX IF NOT EXISTS addresses_by_link ON addresses (link_id);
