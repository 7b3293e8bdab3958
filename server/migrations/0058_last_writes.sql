-- When an organization was last written to, beside the number of its last event: a database that was put back reaches a
-- number again, with other contents, but not at the same moment. changed_sequence is the number that the moment belongs to:
-- a server of the version before counts on and sets neither, so that the two numbers differ until a job has set both.
alter table event_counters
  add column changed_at timestamptz not null default 'epoch',
  add column changed_sequence bigint not null default 0;
