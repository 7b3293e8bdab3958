-- outside a transaction
-- The time on a task is summed up from indexes alone. They take the places of two that held less.
create index concurrently if not exists time_entries_of_task on time_entries (org_id, task_id, started_at desc, id desc)
  include (deleted_at, duration_ms);
drop index concurrently if exists time_entries_by_task;
create index concurrently if not exists time_entries_of_subtask
  on time_entries (org_id, subtask_id, started_at desc, id desc) include (deleted_at, duration_ms);
drop index concurrently if exists time_entries_by_subtask;
