-- beside 0.1.0: yes, it shows an erased member as a removed one that is called so, and takes nobody's name off anything.
-- Since when a member has no name any more. Its row stays, as what it did names it.
alter table members add column erased_at timestamptz(3);

-- Members whose names are still being taken off what bears them besides: events, keys, stored answers. What is done is said
-- by the step that is under way, and how far that has come.
create table erasures (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  created_at timestamptz(3) not null,
  step integer not null default 0,
  reached text[] not null default '{}',
  primary key (org_id, id)
);
