-- outside a transaction
-- The same of time entries. That of a project holds what its entries are put in order by: who sees few projects has them read
-- from it alone.
create index concurrently if not exists time_entries_in_order_of_update on time_entries (org_id, updated_at, id)
  include (project_id) where deleted_at is null;
drop index concurrently if exists time_entries_by_update;
create index concurrently if not exists time_entries_in_order_of_creation on time_entries (org_id, created_at, id)
  include (project_id) where deleted_at is null;
create index concurrently if not exists time_entries_of_project_by_start
  on time_entries (org_id, project_id, started_at desc, id desc) include (deleted_at, created_at, updated_at);
drop index concurrently if exists time_entries_by_project;
