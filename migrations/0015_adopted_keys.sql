-- When a key was transferred from a member who was removed; null once it was rolled, since that member knew the secret.
ALTER TABLE api_keys ADD COLUMN adopted_at INTEGER;
