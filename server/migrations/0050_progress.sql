-- outside a transaction
-- The tasks of a project and the time in it are summed up from indexes alone (server/src/resources/progress.ts). The first
-- holds also what tasks are put in order by: for who sees few projects, a page by any key is found in it alone. It takes the
-- place of one that held less. Of the second many entries with the same duration share a place.
create index concurrently if not exists tasks_of_project on tasks (org_id, project_id, id desc)
  include (deleted_at, stage_id, due_date, estimate_seconds, updated_at, completed_at, priority);
drop index concurrently if exists tasks_in_project;
create index concurrently if not exists time_entries_of_project on time_entries (org_id, project_id, duration_ms)
  where deleted_at is null;
