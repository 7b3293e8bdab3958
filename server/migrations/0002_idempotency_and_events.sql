-- The answer of a POST, kept under its key. The row of a claim that is not committed yet is the lock: a twin waits on
-- the primary key. Operator requests claim under nil ids, hence no foreign key.
create table idempotency_keys (
  org_id uuid not null,
  member_id uuid not null,
  key text collate "C" not null check (octet_length(key) between 1 and 255),
  fingerprint bytea not null,
  status smallint,
  headers json,
  body bytea,
  sealed boolean not null default false,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (org_id, member_id, key)
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);

-- One row per organization: the number of its newest event.
create table event_counters (
  org_id uuid primary key references organizations (org_id),
  last_sequence bigint not null default 0
);

-- The outbox: what changed, written in the transaction that changed it.
create table events (
  org_id uuid not null references organizations (org_id),
  sequence bigint not null,
  type text not null,
  actor_id uuid,
  actor_key_id uuid,
  request_id text not null,
  resource_id uuid not null,
  project_id uuid,
  changes json not null,
  snapshot json not null,
  created_at timestamptz(3) not null,
  primary key (org_id, sequence)
);
