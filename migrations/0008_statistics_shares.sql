-- Public statistics pages, of a link or of a campaign, by the hash of the secret in their address, which is derived from id.
-- password_at is when the password last changed.
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
