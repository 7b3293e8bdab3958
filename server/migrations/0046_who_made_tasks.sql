-- outside a transaction
-- Lists are asked for what somebody made, and for what has no type: few tasks of very many, found without a walk past all.
create index concurrently if not exists tasks_by_creator on tasks (org_id, created_by, id desc) where deleted_at is null;
create index concurrently if not exists tasks_untyped on tasks (org_id, id desc)
  where deleted_at is null and type_id is null;
