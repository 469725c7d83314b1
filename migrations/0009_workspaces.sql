-- Names of clients, their first steps, and their deletion, with 7 days to undo it.

-- The name that people see; null for the id.
ALTER TABLE clients ADD COLUMN name TEXT;

-- When the first steps on the overview were done or dismissed; null while they are shown.
ALTER TABLE clients ADD COLUMN first_steps_ended_at INTEGER;

-- The status of a domain before its client was deleted; null unless that can be undone.
ALTER TABLE domains ADD COLUMN former_status TEXT;

-- Clients that an owner has deleted. requested_at is also the deleted_at of the links that the deletion stopped. From
-- ends_at on all that is kept of the client is removed. undone_at is set while its links are restored.
CREATE TABLE deletions (
  client_id TEXT PRIMARY KEY REFERENCES clients (id),
  user_id TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT, WITHOUT ROWID;

-- The members of deleted clients, who have no access until the deletion is undone. They are not in members, so that no
-- statement that authorises a caller needs a condition for it.
CREATE TABLE suspended_members (
  user_id TEXT NOT NULL REFERENCES users (id),
  client_id TEXT NOT NULL REFERENCES clients (id),
  created_at INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  PRIMARY KEY (user_id, client_id)
) STRICT, WITHOUT ROWID;

-- The suspended members of a client.
CREATE INDEX suspended_members_by_client ON suspended_members (client_id);

-- The entries about a user as a member, by which the clients are found that a user has left.
CREATE INDEX audit_entries_of_member ON audit_entries (subject_id) WHERE substr(action, 1, 7) = 'member.';
