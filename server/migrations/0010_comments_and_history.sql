create table comments (
  org_id uuid not null,
  id uuid not null,
  task_id uuid not null,
  -- the task's project, which never changes
  project_id uuid not null,
  author_id uuid not null,
  body text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, task_id) references tasks (org_id, id),
  foreign key (org_id, project_id) references projects (org_id, id),
  foreign key (org_id, author_id) references members (org_id, id)
);
create index comments_by_task on comments (org_id, task_id, id) where deleted_at is null;

-- the history of a resource
create index events_by_resource on events (org_id, resource_id, sequence desc);
