-- outside a transaction
-- The tasks of a project and the time in it are summed up from indexes alone (server/src/resources/progress.ts): the first
-- takes the place of one that held less, of the second many entries with the same duration share a place.
create index concurrently if not exists tasks_of_project on tasks (org_id, project_id, id desc)
  include (deleted_at, stage_id, due_date, estimate_seconds);
drop index concurrently if exists tasks_in_project;
create index concurrently if not exists time_entries_of_project on time_entries (org_id, project_id, duration_ms)
  where deleted_at is null;
