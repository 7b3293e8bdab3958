-- By which key the secrets in this database are sealed, once there are any: a server that has another one is not to start.
alter table instance add column secret_key_fingerprint bytea;

-- An address that events are sent to. Below its own columns stands how far it is with them: whoever sends writes these, and
-- no version counts that. Every event up to `position` was taken on; of what is paused or disabled it stays, so that what
-- happens meanwhile waits in `events`. No new event is tried before `retry_at`.
create table webhooks (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  url text not null,
  types text[] not null default '{}',
  project_id uuid,
  description text,
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  secret bytea not null,
  former_secret bytea,
  former_secret_until timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  position bigint not null,
  failing_since timestamptz(3),
  failures integer not null default 0,
  retry_at timestamptz(3),
  last_success_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects (org_id, id),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((former_secret is null) = (former_secret_until is null))
);
create index webhooks_newest_first on webhooks (org_id, created_at desc, id desc) where deleted_at is null;
create index webhooks_in_project on webhooks (org_id, project_id) where project_id is not null;
create index webhooks_due on webhooks (org_id, deleted_at) where deleted_at is not null;

-- One event on its way to one webhook, made by its first attempt. It goes with its event.
create table deliveries (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  webhook_id uuid not null,
  sequence bigint not null,
  event_type text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts json not null default '[]',
  attempt_count integer not null default 0,
  next_attempt_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  -- in this order, so that what goes with its event is found by it
  unique (org_id, sequence, webhook_id),
  foreign key (org_id, webhook_id) references webhooks (org_id, id),
  check ((status = 'pending') = (next_attempt_at is not null))
);
create index deliveries_of_webhook on deliveries (org_id, webhook_id, id);
create index deliveries_by_status on deliveries (org_id, webhook_id, status, id);
create index deliveries_due on deliveries (org_id, webhook_id, next_attempt_at) where next_attempt_at is not null;
