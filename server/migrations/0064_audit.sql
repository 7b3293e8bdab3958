-- outside a transaction
-- beside 0.1.0: yes, it writes events as before. Where its jobs run, it forgets old ones without keeping what /audit shows of them,
-- and it counts no refused sign-ins.
-- What /audit shows is found among all other events, its filters looked at in the index alone. The condition stands in
-- server/src/resources/audit/audited.ts word for word.
create index concurrently if not exists events_audited on events (org_id, sequence)
  include (type, actor_id, created_at)
  where (split_part(type, '.', 1) in ('organization', 'member', 'project_member', 'api_key', 'webhook')
    or split_part(type, '.', 2) in ('deleted', 'restored'));

-- What is kept of these events once they are no longer: no names and no texts.
create table if not exists audit_entries (
  org_id uuid not null references organizations (org_id),
  sequence bigint not null,
  type text not null,
  actor_id uuid,
  actor_key_id uuid,
  request_id text not null,
  resource_id uuid not null,
  project_id uuid,
  changes json not null,
  created_at timestamptz(3) not null,
  primary key (org_id, sequence) include (type, actor_id, created_at)
);

-- Keys that opened nothing, counted by the hour. An unknown key is the nil id; where too many differ, the address is empty and
-- they are counted together. Strangers make these rows, so they are few, and are no events.
create table if not exists refused_sign_ins (
  org_id uuid not null references organizations (org_id),
  id uuid not null,
  hour timestamptz(3) not null,
  key_id uuid not null,
  address text not null,
  count bigint not null,
  last_at timestamptz(3) not null,
  primary key (org_id, id)
);
create unique index if not exists refused_sign_ins_of_hour on refused_sign_ins (org_id, hour, key_id, address);
