-- Domains that were verified are checked again every day, those with the oldest check first.
CREATE INDEX domains_by_check ON domains (coalesce(checked_at, 0)) WHERE status <> 'pending' AND verified_at IS NOT NULL;
