-- outside a transaction
-- What runs by itself asks each organization for what is due in it, and finds that by an index that begins with it.
create index concurrently if not exists idempotency_keys_due on idempotency_keys (org_id, expires_at);
drop index concurrently if exists idempotency_keys_by_expiry;
create index concurrently if not exists projects_due on projects (org_id, deleted_at) where deleted_at is not null;
create index concurrently if not exists workspaces_due on workspaces (org_id, deleted_at)
  where deleted_at is not null;
create index concurrently if not exists stages_due on stages (org_id, deleted_at) where deleted_at is not null;
create index concurrently if not exists task_types_due on task_types (org_id, deleted_at)
  where deleted_at is not null;
create index concurrently if not exists tags_due on tags (org_id, deleted_at) where deleted_at is not null;
create index concurrently if not exists tasks_due on tasks (org_id, deleted_at) where deleted_at is not null;
create index concurrently if not exists subtasks_due on subtasks (org_id, deleted_at) where deleted_at is not null;
create index concurrently if not exists comments_due on comments (org_id, deleted_at) where deleted_at is not null;
create index concurrently if not exists time_entries_due on time_entries (org_id, deleted_at)
  where deleted_at is not null;
drop index concurrently if exists projects_deleted;
drop index concurrently if exists workspaces_deleted;
drop index concurrently if exists stages_deleted;
drop index concurrently if exists task_types_deleted;
drop index concurrently if exists tags_deleted;
drop index concurrently if exists tasks_deleted;
drop index concurrently if exists subtasks_deleted;
drop index concurrently if exists comments_deleted;
drop index concurrently if exists time_entries_deleted;

-- What is in a project that is purged, deleted or not: foreign keys ask for it too.
create index concurrently if not exists comments_in_project on comments (org_id, project_id);
create index concurrently if not exists subtasks_in_project on subtasks (org_id, project_id);
create index concurrently if not exists stages_in_project on stages (org_id, project_id);
create index concurrently if not exists workspaces_in_project on workspaces (org_id, project_id, name_key, id);
drop index concurrently if exists workspaces_by_project;
create index concurrently if not exists tasks_in_project on tasks (org_id, project_id, id desc);
drop index concurrently if exists tasks_by_project;
