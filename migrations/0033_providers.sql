-- Ways in which a company's people sign in: an OpenID provider of a workspace, that of the service (client_id NULL), or
-- Cloudflare Access. Another issuer or application is another row, so an identity belongs to one of them alone.
CREATE TABLE providers (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('openid', 'access')),
  client_id TEXT REFERENCES clients (id),
  issuer TEXT NOT NULL,
  application TEXT NOT NULL,
  name TEXT NOT NULL,
  secret TEXT,
  -- What is asked of the provider, separated by spaces.
  scope TEXT NOT NULL DEFAULT 'openid email profile',
  -- JSON: which claims give which roles.
  roles TEXT NOT NULL DEFAULT '[]',
  -- After how many days without a confirmation a member is suspended; NULL: never.
  unconfirmed_days INTEGER DEFAULT 30,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  on_at INTEGER,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX providers_by_client ON providers (client_id) WHERE client_id IS NOT NULL AND ended_at IS NULL;
CREATE UNIQUE INDEX providers_of_service ON providers (kind, issuer, application) WHERE client_id IS NULL;

CREATE TABLE identities (
  provider_id TEXT NOT NULL REFERENCES providers (id),
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT,
  email TEXT,
  refresh_token TEXT,
  created_at INTEGER NOT NULL,
  -- When the provider last confirmed the person, when it was last asked, and when the person was warned.
  confirmed_at INTEGER NOT NULL,
  asked_at INTEGER,
  warned_at INTEGER,
  -- When the provider last refused to.
  refused_at INTEGER,
  PRIMARY KEY (provider_id, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX identities_by_user ON identities (user_id);

-- Mail domains that a workspace claims. One of them has proven a domain.
CREATE TABLE provider_domains (
  client_id TEXT NOT NULL REFERENCES clients (id),
  domain TEXT NOT NULL,
  challenge TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  proven_at INTEGER,
  checked_at INTEGER,
  -- The daily checks in a row that found no proof.
  failures INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (client_id, domain)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX provider_domains_proven ON provider_domains (domain) WHERE proven_at IS NOT NULL;

-- The provider by which a family began, or in whose session its password or grant was made.
ALTER TABLE token_families ADD COLUMN provider_id TEXT;
ALTER TABLE application_passwords ADD COLUMN provider_id TEXT;
ALTER TABLE oauth_codes ADD COLUMN provider_id TEXT;

-- The provider by which alone a workspace is opened, and the owner who may also use a password and a second factor.
ALTER TABLE clients ADD COLUMN required_provider TEXT;
ALTER TABLE clients ADD COLUMN break_glass_id TEXT;
-- Since when: a session of that owner which began before is not in the audit log.
ALTER TABLE clients ADD COLUMN required_since INTEGER;

-- 1 if a member's role comes from claims.
ALTER TABLE members ADD COLUMN role_by_claims INTEGER NOT NULL DEFAULT 0;
ALTER TABLE suspended_members ADD COLUMN role_by_claims INTEGER NOT NULL DEFAULT 0;
-- Since when the provider suspends the member; NULL if the workspace was deleted.
ALTER TABLE suspended_members ADD COLUMN suspended_at INTEGER;

-- An earlier version would open a workspace in ways that its owners have ruled out.
UPDATE schema_support SET oldest_migration = 33;
