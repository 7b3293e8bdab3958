-- outside a transaction
-- beside 0.1.0: yes, its statements are as they were, and what it writes is in the index as well.
-- What is due in a range is found newest first without a walk past all that is due at other times: in each thirty days the index has
-- it in that order. The expression stands in server/src/resources/tasks/due-range.ts word for word.
create index concurrently if not exists tasks_by_month_due on tasks (org_id, ((due_date - date '1970-01-01') / 30), id)
  include (project_id, due_date) where deleted_at is null and due_date is not null;
-- once it has looked, the planner knows how many tasks are due in one of them
analyze tasks;
