-- A board of stages: of one project, or (project_id null) of the whole organization.
create table workspaces (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  project_id uuid,
  name text not null,
  name_key text collate "C" not null,
  description text,
  color text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects (org_id, id)
);
create index workspaces_by_name on workspaces (org_id, name_key, id) where deleted_at is null;
create index workspaces_by_project on workspaces (org_id, project_id, name_key, id) where deleted_at is null;

create table stages (
  org_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  -- the workspace's project, which never changes: who sees a stage is decided without a join
  project_id uuid,
  name text not null,
  name_key text collate "C" not null,
  category text not null default 'todo' check (category in ('todo', 'doing', 'done')),
  color text,
  wip_limit integer check (wip_limit > 0),
  position bigint not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, workspace_id) references workspaces (org_id, id),
  foreign key (org_id, project_id) references projects (org_id, id)
);
create unique index stages_name on stages (org_id, workspace_id, name_key) where deleted_at is null;
create index stages_by_position on stages (org_id, workspace_id, position, id) where deleted_at is null;
