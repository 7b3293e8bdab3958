create table projects (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  key text collate "C" not null check (key ~ '^[A-Z][A-Z0-9]{1,9}$'),
  description text,
  color text,
  status text not null default 'active' check (status in ('active', 'archived')),
  start_date date,
  due_date date,
  -- tasks are numbered without gaps: the counter moves in the transaction that makes the task
  last_task_number integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  check (due_date >= start_date)
);
create unique index projects_key on projects (org_id, key) where deleted_at is null;
create index projects_by_creation on projects (org_id, created_at desc, id desc) where deleted_at is null;

-- Owners and admins lead every project without a row here.
create table project_members (
  org_id uuid not null,
  project_id uuid not null,
  member_id uuid not null,
  role text not null check (role in ('lead', 'contributor', 'viewer')),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint project_members_key primary key (org_id, project_id, member_id),
  foreign key (org_id, project_id) references projects (org_id, id),
  foreign key (org_id, member_id) references members (org_id, id)
);
create index project_members_by_member on project_members (org_id, member_id, project_id);
