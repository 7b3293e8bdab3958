-- One row for the whole instance: the secret from which every process derives the keys that encipher cursors.
create table instance (
  id boolean primary key default true check (id),
  secret bytea not null check (octet_length(secret) = 32),
  created_at timestamptz(3) not null
);

-- A tenant. Every other table carries org_id first in its primary key and in every unique and foreign key: a reference
-- across tenants cannot be stored, and the tables can be distributed by org_id.
create table organizations (
  org_id uuid primary key,
  name text not null,
  timezone text not null default 'UTC',
  week_start text not null default 'monday' check (week_start in ('monday', 'saturday', 'sunday')),
  timer_policy text not null default 'stop_previous' check (timer_policy in ('stop_previous', 'reject')),
  overlap_policy text not null default 'allow' check (overlap_policy in ('allow', 'reject')),
  time_locked_before date,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- name_key is the name folded by the server (case, accents): the same order and uniqueness on every machine.
create table members (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  timezone text,
  status text not null default 'active' check (status in ('active', 'deactivated')),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id)
);
create unique index members_email on members (org_id, email) where deleted_at is null;
create index members_by_name on members (org_id, name_key, id) where deleted_at is null;

-- Only the SHA-256 of a key is kept.
create table api_keys (
  org_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  name text not null,
  prefix text not null,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  scopes text[] not null check (scopes <@ array['read', 'write'] and cardinality(scopes) > 0),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, member_id) references members (org_id, id)
);
create unique index api_keys_secret_hash on api_keys (org_id, secret_hash);
create index api_keys_by_member on api_keys (org_id, member_id);
