-- outside a transaction
-- The tasks of a project with all that they are put in order by: for who sees few projects, a page by any key is found in it
-- alone. It takes the place of one that held less.
create index concurrently if not exists tasks_of_project_with_keys on tasks (org_id, project_id, id desc)
  include (deleted_at, stage_id, due_date, estimate_seconds, updated_at, completed_at, priority);
drop index concurrently if exists tasks_of_project;
