-- Every table and index of Terse, to read: a test compares it with what the files in migrations/ give, which alone are
-- applied. Instants are milliseconds since 1970-01-01T00:00:00Z, in columns that end in _at. Secrets are kept as hashes
-- only.

-- The oldest code that works on this schema, as the number of the newest migration that it must know. Older code refuses
-- writes. Not STRICT, since backup and restore take the STRICT tables.
CREATE TABLE schema_support (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  oldest_migration INTEGER NOT NULL
);

-- The progress of a restore. While there is a row, all other queries of the service fail. sha256 is that of the backup,
-- is_emptied says whether the old rows are deleted, and next_row how many rows of the backup are restored.
CREATE TABLE restores (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sha256 TEXT NOT NULL,
  is_emptied INTEGER NOT NULL,
  next_row INTEGER NOT NULL,
  begun_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A person or program with a name and a password; id is the `local_id` callers see and the `sub` of their tokens.
-- time_zone is the IANA zone in which the platform's pages show times. skeleton is the same for names that look alike;
-- null for some users of earlier versions. language is that of the pages, null for that of the browser.
-- basic_used_at is when a program last got tokens with the user's own password, up to ten minutes late.
-- passkeys_are_factor is true if a password alone does not sign in a user who has passkeys.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  disabled_at INTEGER,
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  skeleton TEXT,
  language TEXT,
  factor_since INTEGER,
  factor_version INTEGER NOT NULL DEFAULT 0,
  factors_reset_at INTEGER,
  basic_used_at INTEGER,
  passkeys_are_factor INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- No two new users have names that look alike.
CREATE UNIQUE INDEX users_by_skeleton ON users (skeleton) WHERE skeleton IS NOT NULL;

-- A service customer (tenant); id is the `client_id` of the published interface, name what people see, or null.
-- first_steps_ended_at is when the first steps on the overview were done or dismissed.
CREATE TABLE clients (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  name TEXT,
  first_steps_ended_at INTEGER,
  slug_length INTEGER NOT NULL DEFAULT 8 CHECK (slug_length BETWEEN 7 AND 16),
  factors_from INTEGER,
  required_provider TEXT,
  break_glass_id TEXT,
  required_since INTEGER
) STRICT, WITHOUT ROWID;

-- Which users belong to which clients. An owner manages keys, domains and members too.
CREATE TABLE members (
  user_id TEXT NOT NULL REFERENCES users (id),
  client_id TEXT NOT NULL REFERENCES clients (id),
  created_at INTEGER NOT NULL,
  role TEXT NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'member')),
  role_by_claims INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, client_id)
) STRICT, WITHOUT ROWID;

-- A client's members, newest first.
CREATE INDEX members_by_client ON members (client_id, created_at, user_id);

-- Clients that an owner has deleted. requested_at is also the deleted_at of the links that the deletion stopped. From
-- ends_at on all that is kept of the client is removed. undone_at is set while its links are restored.
CREATE TABLE deletions (
  client_id TEXT PRIMARY KEY REFERENCES clients (id),
  user_id TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT, WITHOUT ROWID;

-- The members of deleted clients, who have no access until the deletion is undone, and members that a provider has
-- suspended, at suspended_at. They are not in members, so that no statement that authorises a caller needs a condition for
-- it.
CREATE TABLE suspended_members (
  user_id TEXT NOT NULL REFERENCES users (id),
  client_id TEXT NOT NULL REFERENCES clients (id),
  created_at INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  role_by_claims INTEGER NOT NULL DEFAULT 0,
  suspended_at INTEGER,
  PRIMARY KEY (user_id, client_id)
) STRICT, WITHOUT ROWID;

-- The suspended members of a client.
CREATE INDEX suspended_members_by_client ON suspended_members (client_id);

-- API keys `tk_<id>_<secret>`; user_id is its creator. A key stops working when its creator's account is
-- disabled or membership ends. scopes is separated by spaces. The former secret of a rolled key works until former_until_at.
-- adopted_at is when a key was transferred from a member who was removed; null once it was rolled, since they know the secret.
CREATE TABLE api_keys (
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
  former_until_at INTEGER,
  adopted_at INTEGER
) STRICT, WITHOUT ROWID;

-- A client's keys, newest first.
CREATE INDEX api_keys_by_client ON api_keys (client_id, created_at, id);

-- A member's own keys, newest first.
CREATE INDEX api_keys_by_holder ON api_keys (client_id, user_id, created_at, id);

-- Nonces of forms that have created a secret, so that a form sent again creates no second one. subject_id is the created or
-- changed thing, secret_hash identifies the attempt that did it. Kept a year.
CREATE TABLE spent_forms (
  client_id TEXT NOT NULL REFERENCES clients (id),
  nonce TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, nonce)
) STRICT, WITHOUT ROWID;

-- One-time invites into a client, by the hash of their token; user_id is the inviting owner; an invite is valid only
-- while they are one.
CREATE TABLE invites (
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

-- A client's open invites, newest first.
CREATE INDEX invites_open ON invites (client_id, created_at, id)
  WHERE accepted_at IS NULL AND revoked_at IS NULL;

-- One-time links by which users choose a new password, by the hash of their token. Only a user's newest link works.
-- client_id and made_by are NULL if the operator created it, else those of the owner; it is valid only while they are one.
CREATE TABLE password_resets (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  client_id TEXT REFERENCES clients (id),
  made_by TEXT REFERENCES users (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;

-- A user's reset links end together when the password changes.
CREATE INDEX password_resets_by_user ON password_resets (user_id);

-- Who changed what of a client's keys, members, invites, domains, tags, campaigns and shares, and by which credential; kept a year. subject_name and
-- details (a JSON object) are as they were then. Changes by the service itself have '' for user_id and credential_id.
CREATE TABLE audit_entries (
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

-- The entries about a user as a member, by which the clients are found that a user has left.
CREATE INDEX audit_entries_of_member ON audit_entries (subject_id) WHERE substr(action, 1, 7) = 'member.';

-- The imports of a client, which its charts show.
CREATE INDEX audit_entries_of_imports ON audit_entries (client_id, created_at) WHERE action = 'client.imported';

-- What the operator's tools have done: each command, or one for all equal ones of an hour if a tool sends many. It is no
-- part of backups, and a restore leaves it. outcome is 'begun', 'done' or the code of the error.
CREATE TABLE operator_log (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  command TEXT NOT NULL,
  subject TEXT,
  key_thumbprint TEXT NOT NULL,
  outcome TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operator_log_by_time ON operator_log (at, id);

-- One token family per sign-in. Every token of the family carries its id as `sid` and ends with it.
CREATE TABLE token_families (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  started_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  ended_at INTEGER,
  began_by TEXT,
  begun_with TEXT,
  client_id TEXT,
  scopes TEXT,
  confirmed_at INTEGER,
  provider_id TEXT
) STRICT, WITHOUT ROWID;

-- A user's families end together when the account is disabled or its password changes.
CREATE INDEX token_families_by_user ON token_families (user_id);

CREATE INDEX token_families_by_client ON token_families (client_id) WHERE client_id IS NOT NULL;

-- Refresh tokens by hash. A used token names its newest successor. A replaced token was never used: a retry got another one.
CREATE TABLE refresh_tokens (
  hash TEXT PRIMARY KEY,
  family_id TEXT NOT NULL REFERENCES token_families (id),
  status TEXT NOT NULL CHECK (status IN ('live', 'spent', 'replaced')),
  spent_at INTEGER,
  successor_hash TEXT
) STRICT, WITHOUT ROWID;

-- Programs that registered themselves for OAuth (RFC 7591): the network of the caller is kept for an hour. A program that
-- names a document of its own has no row.
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

-- Codes of OAuth by hash, each from the consent of a session (its family) until its end. application is the client_id of
-- OAuth, challenge that of PKCE. A spent code names the family that it began.
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
  family_id TEXT,
  provider_id TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX oauth_codes_by_client ON oauth_codes (client_id);
CREATE INDEX oauth_codes_by_user ON oauth_codes (user_id);

-- What a family of OAuth was granted to, as its user saw it at the consent: the application, its name with the host, and the
-- resource that its tokens are for. used_at may be an hour late.
CREATE TABLE oauth_grants (
  family_id TEXT PRIMARY KEY REFERENCES token_families (id),
  application TEXT NOT NULL,
  name TEXT NOT NULL,
  host TEXT NOT NULL,
  resource TEXT NOT NULL,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Authenticator apps: the sealed seed, the step of the newest code that was used (RFC 6238), and what it was used for.
CREATE TABLE totp_seeds (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  seed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_step INTEGER NOT NULL DEFAULT 0,
  spent_by TEXT
) STRICT, WITHOUT ROWID;

-- Codes for who has lost the authenticator app, as hashes. Each works once.
CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  hash TEXT NOT NULL,
  spent_at INTEGER,
  spent_by TEXT,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

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

-- Wrong codes of second factors, by the caller's address. A row is deleted if its code was right.
CREATE TABLE code_tries (
  user_id TEXT NOT NULL REFERENCES users (id),
  tried_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  address TEXT NOT NULL,
  PRIMARY KEY (user_id, tried_at, id)
) STRICT, WITHOUT ROWID;

-- Browsers that are signed in to the platform: token families that use a cookie, by the hash of its value. browser and os
-- come from the user agent at sign-in, country from the address; seen_at may be a few minutes late.
CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  family_id TEXT NOT NULL UNIQUE REFERENCES token_families (id),
  seen_at INTEGER NOT NULL,
  browser TEXT,
  os TEXT,
  country TEXT
) STRICT, WITHOUT ROWID;

-- Passwords of programs, which get tokens with them. A token family that began with one names it in begun_with. nonce is that
-- of the form that created it, so that it does so once; client_id is the one workspace that its tokens open, or null.
CREATE TABLE application_passwords (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  nonce TEXT NOT NULL,
  client_id TEXT,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER,
  provider_id TEXT
) STRICT, WITHOUT ROWID;

-- The application passwords of a user, and the one that a form has created.
CREATE UNIQUE INDEX application_passwords_by_form ON application_passwords (user_id, nonce);

CREATE INDEX application_passwords_by_client ON application_passwords (client_id) WHERE client_id IS NOT NULL;

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

-- Sign-ins and wrong codes of second factors, for their user. id is that of the token family of a sign-in, way how it was
-- done, begun_with with which credential. A program has one an hour and country. Kept 90 days.
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

-- Calls of /shortener/encode by client, UTC day (YYYY-MM-DD) and the user of the token. Kept 30 days.
CREATE TABLE encode_days (
  client_id TEXT NOT NULL,
  day TEXT NOT NULL,
  user_id TEXT NOT NULL,
  made INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  PRIMARY KEY (client_id, day, user_id)
) STRICT, WITHOUT ROWID;

-- Custom domains. Only an active one takes new links; a lost one (its records were removed) still serves those it has. token
-- is the value of its TXT record, the id where there is none. verified_at is null if the operator added it without a
-- proof; such a domain is not checked daily. failures counts the daily checks in a row that found no proof. A removed domain
-- is pending. case_sensitive decides what `folded` holds in its addresses, so it is fixed once the domain has one.
-- former_status is the status before its client was deleted, while that can be undone.
CREATE TABLE domains (
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
  case_sensitive INTEGER NOT NULL DEFAULT 0 CHECK (case_sensitive IN (0, 1)),
  former_status TEXT,
  tolerant INTEGER NOT NULL DEFAULT 1 CHECK (tolerant IN (0, 1)),
  slug_length INTEGER NOT NULL DEFAULT 8 CHECK (slug_length BETWEEN 5 AND 16)
) STRICT, WITHOUT ROWID;

-- Several clients may add a host, but only one of them serves it. Redirects on custom domains find the host here.
CREATE UNIQUE INDEX domains_serving ON domains (host) WHERE status <> 'pending';

-- Those that were verified, in the order in which they are checked again.
CREATE INDEX domains_by_check ON domains (coalesce(checked_at, 0)) WHERE status <> 'pending' AND verified_at IS NOT NULL;

-- A client's domains; each host once.
CREATE UNIQUE INDEX domains_of_client ON domains (client_id, host) WHERE removed_at IS NULL;

-- The files of app links of a custom domain, by the names of their fields: JSON texts of at most 128 KB, which are served at
-- its well-known paths. A removed domain has none. Rows this large are read faster by rowid.
CREATE TABLE domain_files (
  domain_id TEXT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (domain_id, name)
) STRICT;

-- Short links. (domain_id, slug) is the address shown to callers; domain_id '' is the service's own host.
-- revision grows with every edit, and never moves with a click. user_id and key_id say who created the link, if known.
-- rules, variants and preview are JSON. limited_at is when max_clicks was set on a link without it, password_at when the
-- password last changed.
CREATE TABLE links (
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
  comments TEXT,
  rules TEXT,
  variants TEXT,
  forward_query TEXT,
  forward_path INTEGER,
  redirect_status INTEGER,
  starts_at INTEGER,
  expired_url TEXT,
  preview TEXT,
  inspectable INTEGER,
  max_clicks INTEGER,
  limited_at INTEGER,
  password_hash TEXT,
  password_at INTEGER,
  external_id TEXT,
  imported_clicks INTEGER,
  ask_first INTEGER,
  check_destination INTEGER,
  fallback TEXT,
  language TEXT
) STRICT, WITHOUT ROWID;

-- Links whose destinations are checked whatever their client says.
CREATE INDEX links_checked ON links (client_id, created_at, id) WHERE check_destination = 1 AND deleted_at IS NULL;

-- Deleted links whose content is not removed yet, for the daily clean-up.
CREATE INDEX links_deleted ON links (deleted_at) WHERE deleted_at IS NOT NULL AND url <> '';

-- A client's links, newest first, without deleted ones. With the last four columns, filters by state and sec_id do
-- not read the table.
CREATE INDEX links_live ON links (client_id, created_at, id, expires_at, disabled_at, deleted_at, sec_id)
  WHERE deleted_at IS NULL;

-- A client's deleted links, until their content is removed.
CREATE INDEX links_deleted_of_client ON links (client_id, created_at, id)
  WHERE deleted_at IS NOT NULL AND url <> '';

-- A client's links by the end of their time, for the events of those that have expired.
CREATE INDEX links_by_end ON links (client_id, expires_at) WHERE expires_at IS NOT NULL AND deleted_at IS NULL;

-- A client's disabled links.
CREATE INDEX links_disabled ON links (client_id, created_at, id)
  WHERE disabled_at IS NOT NULL AND deleted_at IS NULL;

-- A client's links that expire, to find the expired ones.
CREATE INDEX links_ending ON links (client_id, created_at, id, expires_at, disabled_at, deleted_at)
  WHERE expires_at IS NOT NULL AND disabled_at IS NULL AND deleted_at IS NULL;

-- The links of a campaign, with the columns that decide their states.
CREATE INDEX links_of_campaign
  ON links (client_id, campaign_name, created_at, id, expires_at, disabled_at, deleted_at)
  WHERE campaign_name IS NOT NULL AND deleted_at IS NULL;

-- The links of a secondary id, without generated ones, since each of those has only one link.
CREATE INDEX links_of_sec_id ON links (client_id, sec_id, created_at, id)
  WHERE deleted_at IS NULL AND (length(sec_id) <> 8 OR sec_id GLOB '*[^6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz]*');

-- The links on a custom domain. client_id is a column since queries filter by it too.
CREATE INDEX links_of_domain
  ON links (domain_id, created_at, id, client_id, expires_at, disabled_at, deleted_at)
  WHERE domain_id <> '' AND deleted_at IS NULL;

-- The links to a destination, by parts of the URL that differ for nearly all destinations.
CREATE INDEX links_of_url
  ON links (client_id, length(url) || substr(url, 9, 24) || substr(url, -32), created_at, id)
  WHERE deleted_at IS NULL;

-- The link of an external id, which a deleted link keeps until its content is removed.
CREATE UNIQUE INDEX links_by_external_id ON links (client_id, external_id) WHERE external_id IS NOT NULL;

-- The tags of a client. A name is unique without case: folded is the name in that form.
CREATE TABLE tags (
  id TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(8)))),
  client_id TEXT NOT NULL REFERENCES clients (id),
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  colour TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A client's tags, in the order of the alphabet.
CREATE UNIQUE INDEX tags_by_name ON tags (client_id, folded);

-- Which links have which tags. created_at is that of the link, so that an index has the links of a tag in order.
CREATE TABLE link_tags (
  link_id TEXT NOT NULL REFERENCES links (id),
  tag_id TEXT NOT NULL REFERENCES tags (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (link_id, tag_id)
) STRICT, WITHOUT ROWID;

-- The links of a tag, newest first.
CREATE INDEX links_of_tag ON link_tags (tag_id, created_at, link_id);

-- Public statistics pages, of a link or of a campaign, by the hash of the secret in their address, which is derived from id.
-- The empty campaign_name is that of the page of a whole client. password_at is when the password last changed.
CREATE TABLE statistics_shares (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id),
  link_id TEXT REFERENCES links (id),
  campaign_name TEXT,
  secret_hash TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  password_at INTEGER,
  created_at INTEGER NOT NULL,
  CHECK ((link_id IS NULL) <> (campaign_name IS NULL))
) STRICT, WITHOUT ROWID;

-- A link has one at most.
CREATE UNIQUE INDEX shares_of_link ON statistics_shares (link_id) WHERE link_id IS NOT NULL;

-- A campaign has one at most.
CREATE UNIQUE INDEX shares_of_campaign ON statistics_shares (client_id, campaign_name) WHERE campaign_name IS NOT NULL;

-- What the users of a client keep by a name, such as views of the list of links. kind says what, content is a text of that
-- kind. A name is unique without case: folded is the name in that form.
CREATE TABLE presets (
  id TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(8)))),
  client_id TEXT NOT NULL REFERENCES clients (id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What a client keeps of a kind, in the order of the alphabet.
CREATE UNIQUE INDEX presets_by_name ON presets (client_id, kind, folded);

-- The logo that a client keeps for the QR codes of its links: a PNG or an SVG of at most 64 KiB; file is its base64. domain is
-- '' for all of its links, or the host of a custom domain for those on it.
CREATE TABLE logos (
  client_id TEXT NOT NULL REFERENCES clients (id),
  domain TEXT NOT NULL,
  type TEXT NOT NULL,
  file TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, domain)
) STRICT;

-- Endpoints of customers that are sent events. events is a JSON list of types. With tag_id or campaign (folded), only events
-- of links that have it. secret is encrypted; former_secret signs too until former_secret_until. failing_since is the
-- instant of the first failure after the last success. disabled_by says why: 'owner', `gone` (410) or 'failures'.
-- origin is that of the last request that wrote the row, for short links in events that no request causes. listens_since
-- is when it was last enabled or given other events, if it was.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(8)))),
  client_id TEXT NOT NULL REFERENCES clients (id),
  url TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  events TEXT NOT NULL,
  tag_id TEXT,
  campaign TEXT,
  secret TEXT NOT NULL,
  former_secret TEXT,
  former_secret_until INTEGER,
  disabled_at INTEGER,
  disabled_by TEXT,
  failing_since INTEGER,
  origin TEXT,
  listens_since INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The webhooks of a client, in the order of the list.
CREATE INDEX webhooks_by_client ON webhooks (client_id, created_at, id);

-- What happened, written in the batch that did it, and only for a client with an active webhook for the type. id is the
-- webhook-id that receivers see. data is JSON. link_tags is a JSON list of ids. webhook_id is set where the event is for one
-- webhook alone. Its deliveries exist once dispatched_at is set. Kept 30 days.
-- With a rowid, since a WITHOUT ROWID row of more than a quarter of a page takes an overflow page of its own.
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id),
  type TEXT NOT NULL,
  happened_at INTEGER NOT NULL,
  data TEXT NOT NULL,
  link_tags TEXT,
  link_campaign TEXT,
  webhook_id TEXT,
  dispatched_at INTEGER
) STRICT;

-- Events that have no deliveries yet.
CREATE INDEX events_waiting ON events (happened_at, id) WHERE dispatched_at IS NULL;

-- Old events, for the clean-up.
CREATE INDEX events_by_time ON events (happened_at);

-- The events of a client that is deleted.
CREATE INDEX events_by_client ON events (client_id);

-- An event on its way to a webhook. next_try_at is null once it was delivered or given up.
CREATE TABLE deliveries (
  webhook_id TEXT NOT NULL REFERENCES webhooks (id),
  event_id TEXT NOT NULL REFERENCES events (id),
  created_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER,
  delivered_at INTEGER,
  PRIMARY KEY (webhook_id, event_id)
) STRICT, WITHOUT ROWID;

-- The log of a webhook.
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, created_at, event_id);

-- The deliveries of an event, which go with it.
CREATE INDEX deliveries_by_event ON deliveries (event_id);
CREATE INDEX deliveries_undelivered ON deliveries (webhook_id, created_at, event_id) WHERE delivered_at IS NULL;

-- The due deliveries, oldest first.
CREATE INDEX deliveries_due ON deliveries (next_try_at) WHERE next_try_at IS NOT NULL;

-- The attempts of a delivery. status is null where no response came, and `fault` says why. `answer` is its first KiB. With a rowid,
-- as events.
CREATE TABLE delivery_tries (
  webhook_id TEXT NOT NULL REFERENCES webhooks (id),
  event_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  tried_at INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  status INTEGER,
  fault TEXT,
  answer TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (webhook_id, event_id, number)
) STRICT;

-- The distinct hosts of the other URLs of a link: those of its rules and variants, expired_url, and the image of its preview.
-- Written by the triggers below only, and not STRICT, so that backup and restore leave it out.
CREATE TABLE link_hosts (
  link_id TEXT NOT NULL,
  host TEXT NOT NULL,
  PRIMARY KEY (link_id, host)
) WITHOUT ROWID;

CREATE TRIGGER link_hosts_inserted AFTER INSERT ON links
WHEN NEW.rules IS NOT NULL OR NEW.variants IS NOT NULL OR NEW.expired_url IS NOT NULL
  OR NEW.preview IS NOT NULL OR NEW.fallback IS NOT NULL
BEGIN
  INSERT OR IGNORE INTO link_hosts (link_id, host)
  SELECT NEW.id, rtrim(substr(ltrim(substr(url, 6), ':/'), 1, instr(CASE WHEN ltrim(substr(url, 6), ':/') GLOB '[[]*' THEN replace(ltrim(substr(url, 6), ':/'), ']', ']/') ELSE replace(ltrim(substr(url, 6), ':/'), ':', '/') END, '/') - 1), '.')
  FROM (
    SELECT value ->> 'url' AS url FROM json_each(NEW.rules)
    UNION ALL SELECT value ->> 'url' FROM json_each(NEW.variants)
    UNION ALL SELECT NEW.expired_url
    UNION ALL SELECT NEW.preview ->> 'image'
    UNION ALL SELECT NEW.fallback
  ) WHERE substr(url, 1, 6) IN ('http:/', 'https:');
END;

CREATE TRIGGER link_hosts_updated AFTER UPDATE OF rules, variants, expired_url, preview, fallback ON links
WHEN OLD.rules IS NOT NEW.rules OR OLD.variants IS NOT NEW.variants OR OLD.expired_url IS NOT NEW.expired_url
  OR OLD.preview IS NOT NEW.preview OR OLD.fallback IS NOT NEW.fallback
BEGIN
  DELETE FROM link_hosts WHERE link_id = NEW.id;
  INSERT OR IGNORE INTO link_hosts (link_id, host)
  SELECT NEW.id, rtrim(substr(ltrim(substr(url, 6), ':/'), 1, instr(CASE WHEN ltrim(substr(url, 6), ':/') GLOB '[[]*' THEN replace(ltrim(substr(url, 6), ':/'), ']', ']/') ELSE replace(ltrim(substr(url, 6), ':/'), ':', '/') END, '/') - 1), '.')
  FROM (
    SELECT value ->> 'url' AS url FROM json_each(NEW.rules)
    UNION ALL SELECT value ->> 'url' FROM json_each(NEW.variants)
    UNION ALL SELECT NEW.expired_url
    UNION ALL SELECT NEW.preview ->> 'image'
    UNION ALL SELECT NEW.fallback
  ) WHERE substr(url, 1, 6) IN ('http:/', 'https:');
END;

CREATE TRIGGER link_hosts_deleted AFTER DELETE ON links BEGIN
  DELETE FROM link_hosts WHERE link_id = OLD.id;
END;

-- The clients whose destinations are checked: of all of their links where is_whole is 1, of single ones otherwise. Its links
-- are read in turns, the last time from begun_at to ended_at, and now up to the link after_id, which was created at after_at.
CREATE TABLE check_sweeps (
  client_id TEXT PRIMARY KEY REFERENCES clients (id),
  is_whole INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
  begun_at INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER NOT NULL DEFAULT 0,
  after_at INTEGER NOT NULL DEFAULT 0,
  after_id TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

-- The destinations that are checked, of each client by itself: host is as the code compares it, url_hash half of the SHA-256
-- of the URL. reason and status are those of the last failed check. failing_since is the first one in a row, unhealthy_since
-- the same once there are two, a day apart, and turned_at when that last changed. With a rowid, as events.
CREATE TABLE destination_checks (
  client_id TEXT NOT NULL REFERENCES clients (id),
  url_hash TEXT NOT NULL,
  url TEXT NOT NULL,
  host TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  checked_at INTEGER,
  reason TEXT,
  status INTEGER,
  failing_since INTEGER,
  unhealthy_since INTEGER,
  turned_at INTEGER,
  PRIMARY KEY (client_id, url_hash)
) STRICT;

-- The clients with the same destination, which is requested once for all of them.
CREATE INDEX destination_checks_by_hash ON destination_checks (url_hash);

-- The due destinations of a host.
CREATE INDEX destination_checks_due ON destination_checks (host, due_at);

-- The unhealthy destinations of a client.
CREATE INDEX destination_checks_unhealthy ON destination_checks (client_id, url_hash) WHERE unhealthy_since IS NOT NULL;

-- Which links lead to which destinations that are checked. Written by the check, and deleted by the triggers when a link
-- changes.
CREATE TABLE link_checks (
  link_id TEXT NOT NULL REFERENCES links (id),
  client_id TEXT NOT NULL,
  url_hash TEXT NOT NULL,
  PRIMARY KEY (link_id, url_hash)
) STRICT, WITHOUT ROWID;

-- The links of a destination.
CREATE INDEX link_checks_by_destination ON link_checks (client_id, url_hash, link_id);

-- The hosts of these destinations: the first one is due at due_at. No request is sent before not_before_at: a pass works on
-- the host, or the host has asked for it.
CREATE TABLE checked_hosts (
  host TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL,
  not_before_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The due hosts.
CREATE INDEX checked_hosts_due ON checked_hosts (due_at);

CREATE TRIGGER link_checks_updated AFTER UPDATE OF url, rules, variants, check_destination, fallback ON links
WHEN OLD.url IS NOT NEW.url OR OLD.rules IS NOT NEW.rules OR OLD.variants IS NOT NEW.variants
  OR OLD.check_destination IS NOT NEW.check_destination OR OLD.fallback IS NOT NEW.fallback
BEGIN
  DELETE FROM link_checks WHERE link_id = NEW.id;
END;

CREATE TRIGGER link_checks_deleted AFTER DELETE ON links BEGIN
  DELETE FROM link_checks WHERE link_id = OLD.id;
END;

-- All addresses of links. The primary key decides which link has a slug; a link may have several. folded is
-- the slug without case, or with case on a case-sensitive domain; it is unique on its host. A slug may have two rows if
-- an earlier version folded it differently.
CREATE TABLE addresses (
  domain_id TEXT NOT NULL,
  folded TEXT NOT NULL,
  slug TEXT NOT NULL,
  link_id TEXT NOT NULL REFERENCES links (id) DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (domain_id, folded)
) STRICT, WITHOUT ROWID;

-- An edit rewrites the cached state under each of its link's addresses.
CREATE INDEX addresses_by_link ON addresses (link_id);

-- The history of a link, from its first change on. changes is a JSON object {field: [before, after]}, url the destination after
-- the change. If two edits race, edit_id identifies the one that was written.
CREATE TABLE link_history (
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

-- Blocked hosts: no link may lead to them or to their subdomains. Spelled as by `new URL`, without a trailing dot. An IPv4
-- address blocks its IPv6 forms too.
CREATE TABLE blocked_hosts (
  host TEXT PRIMARY KEY,
  blocked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Answers to successful requests with an Idempotency-Key; kept 24 hours. key is the endpoint, the user and the key,
-- with spaces between. The response to a list of links is kept under the client of the API key, or under '' if a user
-- sent it.
CREATE TABLE idempotency_keys (
  client_id TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, key)
) STRICT, WITHOUT ROWID;

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

-- The salt of the visitor marks of a UTC day. Deleted with the marks two full days later.
CREATE TABLE visitor_salts (
  day TEXT PRIMARY KEY,
  salt TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is added and deleted in one transaction, to find out whether the database takes writes. Neither table is STRICT, since
-- backup and restore take the STRICT tables.
CREATE TABLE write_checks (
  id TEXT PRIMARY KEY,
  filler BLOB NOT NULL
) WITHOUT ROWID;

-- Keys of KV that may have an old state, since KV has taken neither the new one nor a delete. since_at is when the last
-- change was not taken, tried_at when that was last repeated, and written_at when it succeeded. KV is not read for these keys.
CREATE TABLE unwritten_entries (
  key TEXT PRIMARY KEY,
  since_at INTEGER NOT NULL,
  tried_at INTEGER NOT NULL,
  written_at INTEGER
) WITHOUT ROWID;

-- Packs of clicks that neither the queue nor the objects took, until they are sent again. pack is JSON, clicks its number of
-- clicks. Not STRICT, since backup and restore take the STRICT tables.
CREATE TABLE kept_packs (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  kept_at INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  pack TEXT NOT NULL
);
