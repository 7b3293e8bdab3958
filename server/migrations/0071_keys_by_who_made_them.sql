-- outside a transaction
-- beside 0.1.0: yes, it only has one more index to write to.
-- What somebody who leaves has made for others is found without a look at all keys.
create index concurrently if not exists api_keys_by_who_made_them on api_keys (org_id, created_by) where created_by is not null;
