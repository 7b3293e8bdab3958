-- Filters that leave few rows of many find them without a walk past all others.
create index tasks_completed on tasks (org_id, id desc) where deleted_at is null and completed_at is not null;
create index tasks_unassigned on tasks (org_id, id desc) where deleted_at is null and assignee_ids = '{}';
create index time_entries_by_billable on time_entries (org_id, billable, started_at desc, id desc) where deleted_at is null;

-- A list passes over the few rows that were deleted in the last 30 days, so one index serves it and the foreign key.
drop index tasks_by_workspace;
drop index tasks_referring_to_workspace;
drop index tasks_by_stage;
drop index tasks_referring_to_stage;
drop index time_entries_by_project;
drop index time_entries_referring_to_project;
drop index time_entries_by_task;
drop index time_entries_referring_to_task;
drop index time_entries_by_subtask;
drop index time_entries_referring_to_subtask;
create index tasks_by_workspace on tasks (org_id, workspace_id, id desc);
create index tasks_by_stage on tasks (org_id, stage_id, id desc);
create index time_entries_by_project on time_entries (org_id, project_id, started_at desc, id desc);
create index time_entries_by_task on time_entries (org_id, task_id, started_at desc, id desc);
create index time_entries_by_subtask on time_entries (org_id, subtask_id, started_at desc, id desc);
