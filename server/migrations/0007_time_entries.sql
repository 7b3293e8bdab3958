create table time_entries (
  org_id uuid not null,
  id uuid not null,
  -- the project of its task or subtask, which never changes
  project_id uuid not null,
  task_id uuid,
  subtask_id uuid,
  member_id uuid not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  description text,
  billable boolean not null default false,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects (org_id, id),
  foreign key (org_id, task_id) references tasks (org_id, id),
  foreign key (org_id, subtask_id) references subtasks (org_id, id),
  foreign key (org_id, member_id) references members (org_id, id),
  constraint time_entries_parent check ((task_id is null) <> (subtask_id is null)),
  constraint time_entries_order check (ended_at >= started_at)
);
create index time_entries_latest on time_entries (org_id, started_at desc, id desc) where deleted_at is null;
create index time_entries_by_project on time_entries (org_id, project_id, started_at desc, id desc) where deleted_at is null;
create index time_entries_by_member on time_entries (org_id, member_id, started_at desc, id desc) where deleted_at is null;
create index time_entries_by_task on time_entries (org_id, task_id, started_at desc, id desc) where deleted_at is null;
create index time_entries_by_subtask on time_entries (org_id, subtask_id, started_at desc, id desc)
  where deleted_at is null;
-- at most one entry of a member runs
create unique index time_entries_running on time_entries (org_id, member_id) where ended_at is null and deleted_at is null;

create table time_entry_tags (
  org_id uuid not null,
  time_entry_id uuid not null,
  tag_id uuid not null,
  primary key (org_id, time_entry_id, tag_id),
  foreign key (org_id, time_entry_id) references time_entries (org_id, id),
  foreign key (org_id, tag_id) references tags (org_id, id)
);
create index time_entry_tags_by_tag on time_entry_tags (org_id, tag_id, time_entry_id desc);
