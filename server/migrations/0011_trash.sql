-- What was deleted is found by when, to be purged after 30 days.
create index projects_deleted on projects (deleted_at) where deleted_at is not null;
create index workspaces_deleted on workspaces (deleted_at) where deleted_at is not null;
create index stages_deleted on stages (deleted_at) where deleted_at is not null;
create index task_types_deleted on task_types (deleted_at) where deleted_at is not null;
create index tags_deleted on tags (deleted_at) where deleted_at is not null;
create index tasks_deleted on tasks (deleted_at) where deleted_at is not null;
create index subtasks_deleted on subtasks (deleted_at) where deleted_at is not null;
create index comments_deleted on comments (deleted_at) where deleted_at is not null;
create index time_entries_deleted on time_entries (deleted_at) where deleted_at is not null;

-- foreign keys that a purge follows
create index tasks_referring_to_workspace on tasks (org_id, workspace_id);
create index tasks_referring_to_stage on tasks (org_id, stage_id);
create index subtasks_referring_to_task on subtasks (org_id, task_id);
create index comments_referring_to_task on comments (org_id, task_id);
create index time_entries_referring_to_task on time_entries (org_id, task_id);
create index time_entries_referring_to_subtask on time_entries (org_id, subtask_id);
create index time_entries_referring_to_project on time_entries (org_id, project_id);
create index stages_referring_to_workspace on stages (org_id, workspace_id);
