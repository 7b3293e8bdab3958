-- outside a transaction
-- Subtasks are listed by when they were finalized. The index names the project too, so that who sees few projects walks past
-- what is in others in the index alone. What is not finalized is found by subtasks_open.
create index concurrently if not exists subtasks_in_order_of_finalization on subtasks (org_id, finalized_at, id)
  include (project_id) where finalized_at is not null and deleted_at is null;
