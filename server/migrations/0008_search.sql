-- Words of a task's name and description, folded by the server (case, accents) like every name, so that a search finds
-- the same on every machine, whatever the accents of the language. btree_gin puts the tenant into the same index.
create extension if not exists btree_gin;
alter table tasks add column search tsvector not null default '';
create index tasks_search on tasks using gin (org_id, search) where deleted_at is null;

create index tasks_by_key on tasks (org_id, key) where deleted_at is null;
create index tasks_by_due_date on tasks (org_id, due_date, id desc) where deleted_at is null;
create index tasks_by_update on tasks (org_id, updated_at) where deleted_at is null;
create index tasks_by_priority on tasks (org_id, priority, id desc) where deleted_at is null;
create index tasks_open on tasks (org_id, id desc) where deleted_at is null and completed_at is null;
create index time_entries_by_update on time_entries (org_id, updated_at) where deleted_at is null;
