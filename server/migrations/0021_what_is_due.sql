-- What runs by itself asks each organization for what is due in it, and finds that by an index that begins with it.
drop index idempotency_keys_by_expiry;
create index idempotency_keys_by_expiry on idempotency_keys (org_id, expires_at);
drop index projects_deleted;
drop index workspaces_deleted;
drop index stages_deleted;
drop index task_types_deleted;
drop index tags_deleted;
drop index tasks_deleted;
drop index subtasks_deleted;
drop index comments_deleted;
drop index time_entries_deleted;
create index projects_deleted on projects (org_id, deleted_at) where deleted_at is not null;
create index workspaces_deleted on workspaces (org_id, deleted_at) where deleted_at is not null;
create index stages_deleted on stages (org_id, deleted_at) where deleted_at is not null;
create index task_types_deleted on task_types (org_id, deleted_at) where deleted_at is not null;
create index tags_deleted on tags (org_id, deleted_at) where deleted_at is not null;
create index tasks_deleted on tasks (org_id, deleted_at) where deleted_at is not null;
create index subtasks_deleted on subtasks (org_id, deleted_at) where deleted_at is not null;
create index comments_deleted on comments (org_id, deleted_at) where deleted_at is not null;
create index time_entries_deleted on time_entries (org_id, deleted_at) where deleted_at is not null;

-- What is in a project that is purged, and what refers to a row that is, deleted or not: foreign keys ask for it too.
create index comments_by_project on comments (org_id, project_id);
create index subtasks_by_project on subtasks (org_id, project_id);
create index stages_by_project on stages (org_id, project_id);
drop index workspaces_by_project;
create index workspaces_by_project on workspaces (org_id, project_id, name_key, id);
drop index tasks_by_project;
create index tasks_by_project on tasks (org_id, project_id, id desc);
drop index tasks_by_type;
create index tasks_by_type on tasks (org_id, type_id, id desc);
