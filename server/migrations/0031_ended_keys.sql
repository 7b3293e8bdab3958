-- outside a transaction
-- A key that opens nothing any more is found by since when.
create index concurrently if not exists api_keys_due on api_keys (org_id, least(revoked_at, expires_at))
  where least(revoked_at, expires_at) is not null;
