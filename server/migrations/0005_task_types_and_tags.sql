create table task_types (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  color text,
  icon text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id)
);
create unique index task_types_name on task_types (org_id, name_key) where deleted_at is null;

create table tags (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  color text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id)
);
create unique index tags_name on tags (org_id, name_key) where deleted_at is null;
