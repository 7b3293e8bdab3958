-- What was deleted and still stands in so many rows that it is taken off them little by little: a tag, a task type, a
-- member. Until it is, whatever is read leaves it out. Nearly always an organization has none.
create table detachments (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  kind text not null check (kind in ('tag', 'task_type', 'member')),
  created_at timestamptz(3) not null,
  primary key (org_id, id)
);
