-- The imports of a client in its audit log: a chart shows them, and each has one entry.
CREATE INDEX audit_entries_of_imports ON audit_entries (client_id, created_at) WHERE action = 'client.imported';
