-- outside a transaction
-- beside 0.1.0: yes, it only has one more index to write to.
-- Whether a key is free is looked up: a deleted project keeps its key, as it may be restored.
create index concurrently if not exists projects_deleted_by_key on projects (org_id, key) where deleted_at is not null;
