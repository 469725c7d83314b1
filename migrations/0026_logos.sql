-- The logo that a client keeps for the QR codes of its links: a PNG or an SVG of at most 64 KiB, in base64.
CREATE TABLE logos (
  client_id TEXT NOT NULL REFERENCES clients (id),
  domain TEXT NOT NULL,
  type TEXT NOT NULL,
  file TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (client_id, domain)
) STRICT;
