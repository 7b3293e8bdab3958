-- outside a transaction
-- Tasks are listed by what is asked for, in both directions: by a key and then by the id. Each index names the project too, so
-- that who sees few projects walks past the tasks of others in the index alone. Three take the place of ones that knew no order.
create index concurrently if not exists tasks_in_order_of_update on tasks (org_id, updated_at, id) include (project_id)
  where deleted_at is null;
drop index concurrently if exists tasks_by_update;
create index concurrently if not exists tasks_in_order_of_due_date on tasks (org_id, due_date, id) include (project_id)
  where deleted_at is null;
drop index concurrently if exists tasks_by_due_date;
-- what is not completed is found by tasks_open
create index concurrently if not exists tasks_in_order_of_completion on tasks (org_id, completed_at, id) include (project_id)
  where deleted_at is null and completed_at is not null;
-- of all tasks, deleted ones too: in an index of some rows the planner would not look how many have a rank, which it needs to
-- know where they are filtered by it
create index concurrently if not exists tasks_in_order_of_priority on tasks (org_id, (case priority when 'none' then 0
  when 'low' then 1 when 'medium' then 2 when 'high' then 3 when 'urgent' then 4 end), id) include (project_id, deleted_at);
drop index concurrently if exists tasks_by_priority;
-- once it has looked
analyze tasks;
