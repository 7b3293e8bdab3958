create table tasks (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  project_id uuid not null,
  workspace_id uuid,
  stage_id uuid,
  number integer not null,
  key text not null,
  name text not null,
  description text,
  type_id uuid,
  priority text not null default 'none' check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  start_date date,
  due_date date,
  estimate_seconds integer check (estimate_seconds >= 0),
  position bigint,
  completed_at timestamptz(3),
  created_by uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  constraint tasks_number unique (org_id, project_id, number),
  foreign key (org_id, project_id) references projects (org_id, id),
  foreign key (org_id, workspace_id) references workspaces (org_id, id),
  foreign key (org_id, stage_id) references stages (org_id, id),
  foreign key (org_id, type_id) references task_types (org_id, id),
  foreign key (org_id, created_by) references members (org_id, id),
  check (due_date >= start_date),
  -- on a board a task always stands in a stage
  check ((workspace_id is null) = (stage_id is null) and (stage_id is null) = (position is null))
);
-- createdAt is the time in the id, so the order of ids is the order of the list
create index tasks_newest on tasks (org_id, id desc) where deleted_at is null;
create index tasks_by_project on tasks (org_id, project_id, id desc) where deleted_at is null;
create index tasks_by_workspace on tasks (org_id, workspace_id, id desc) where deleted_at is null;
create index tasks_by_stage on tasks (org_id, stage_id, id desc) where deleted_at is null;
create index tasks_by_position on tasks (org_id, stage_id, position) where deleted_at is null;
create index tasks_by_type on tasks (org_id, type_id, id desc) where deleted_at is null;

create table task_assignees (
  org_id uuid not null,
  task_id uuid not null,
  member_id uuid not null,
  primary key (org_id, task_id, member_id),
  foreign key (org_id, task_id) references tasks (org_id, id),
  foreign key (org_id, member_id) references members (org_id, id)
);
create index task_assignees_by_member on task_assignees (org_id, member_id, task_id desc);

create table task_tags (
  org_id uuid not null,
  task_id uuid not null,
  tag_id uuid not null,
  primary key (org_id, task_id, tag_id),
  foreign key (org_id, task_id) references tasks (org_id, id),
  foreign key (org_id, tag_id) references tags (org_id, id)
);
create index task_tags_by_tag on task_tags (org_id, tag_id, task_id desc);

create table subtasks (
  org_id uuid not null,
  id uuid not null,
  task_id uuid not null,
  -- the task's project, which never changes: who sees a subtask is decided without a join
  project_id uuid not null,
  name text not null,
  assignee_id uuid,
  position bigint not null,
  finalized_at timestamptz(3),
  finalized_by uuid,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, task_id) references tasks (org_id, id),
  foreign key (org_id, project_id) references projects (org_id, id),
  foreign key (org_id, assignee_id) references members (org_id, id),
  foreign key (org_id, finalized_by) references members (org_id, id),
  check ((finalized_at is null) = (finalized_by is null))
);
create index subtasks_by_position on subtasks (org_id, task_id, position, id) where deleted_at is null;
create index subtasks_by_assignee on subtasks (org_id, assignee_id) where deleted_at is null;
