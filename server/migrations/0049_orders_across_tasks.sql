-- outside a transaction
-- Subtasks and comments are listed by when they were changed, subtasks by when they were finalized. Each index names the
-- project too, so that who sees few projects walks past what is in others in the index alone.
create index concurrently if not exists subtasks_in_order_of_update on subtasks (org_id, updated_at, id)
  include (project_id) where deleted_at is null;
-- what is not finalized is found by subtasks_open
create index concurrently if not exists subtasks_in_order_of_finalization on subtasks (org_id, finalized_at, id)
  include (project_id) where finalized_at is not null and deleted_at is null;
create index concurrently if not exists comments_in_order_of_update on comments (org_id, updated_at, id)
  include (project_id) where deleted_at is null;
