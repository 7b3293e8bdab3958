-- outside a transaction
-- beside 0.1.0: yes, it only has more indexes to write to.
-- GET /trash lists what was deleted by itself. What was deleted together with its task is in far larger numbers: its updated_at
-- stays older than its deleted_at, so these indexes leave it out. Removed members had no index at all.
create index concurrently if not exists subtasks_deleted_by_themselves on subtasks (org_id, deleted_at desc, id desc)
  where deleted_at is not null and updated_at >= deleted_at;
create index concurrently if not exists comments_deleted_by_themselves on comments (org_id, deleted_at desc, id desc)
  where deleted_at is not null and updated_at >= deleted_at;
create index concurrently if not exists time_entries_deleted_by_themselves on time_entries (org_id, deleted_at desc, id desc)
  where deleted_at is not null and updated_at >= deleted_at;
create index concurrently if not exists members_deleted_by_themselves on members (org_id, deleted_at desc, id desc)
  where deleted_at is not null and updated_at >= deleted_at;
