-- Endpoints of customers that are sent events. events is a JSON list of types. With tag_id or campaign (folded), only events
-- of links that have it. secret is encrypted; former_secret signs too until former_secret_until. failing_since is the
-- instant of the first failure after the last success. disabled_by says why: 'owner', 'gone' (410) or 'failures'.
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

CREATE INDEX events_waiting ON events (happened_at, id) WHERE dispatched_at IS NULL;
CREATE INDEX events_by_time ON events (happened_at);
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

CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, created_at, event_id);
CREATE INDEX deliveries_by_event ON deliveries (event_id);
CREATE INDEX deliveries_undelivered ON deliveries (webhook_id, created_at, event_id) WHERE delivered_at IS NULL;
CREATE INDEX deliveries_due ON deliveries (next_try_at) WHERE next_try_at IS NOT NULL;

-- The tries of a delivery. status is null where no response came, and fault says why. answer is its first KiB. With a rowid,
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

-- A client's links by the end of their time, for the events of those that have expired.
CREATE INDEX links_by_end ON links (client_id, expires_at) WHERE expires_at IS NOT NULL AND deleted_at IS NULL;
