-- outside a transaction
-- Who sees some projects walks past what is in others in the index alone. Each takes the place of one that named no project.
create index concurrently if not exists tasks_in_order_of_creation on tasks (org_id, id desc) include (project_id)
  where deleted_at is null;
drop index concurrently if exists tasks_newest;
create index concurrently if not exists time_entries_in_order_of_start on time_entries (org_id, started_at desc, id desc)
  include (project_id) where deleted_at is null;
drop index concurrently if exists time_entries_latest;
