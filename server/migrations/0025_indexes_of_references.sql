-- outside a transaction
-- What refers to a member or to a task type is found by it, be it deleted or not. The second keeps whether it is, so that
-- reports need no look at the tasks that have a type.
create index concurrently if not exists subtasks_referring_to_assignee on subtasks (org_id, assignee_id)
  where assignee_id is not null;
drop index concurrently if exists subtasks_by_assignee;
create index concurrently if not exists tasks_referring_to_type on tasks (org_id, type_id, id desc) include (deleted_at)
  where type_id is not null;
drop index concurrently if exists tasks_by_type;
