-- Of a removed domain only the host stays, for the addresses of its deleted links.
UPDATE domains SET root_url = NULL, not_found_url = NULL, token = NULL WHERE removed_at IS NOT NULL;
