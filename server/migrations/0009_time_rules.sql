-- Where the organization says so, a member's entries may not overlap: held by the database, whatever path they come by.
-- Intervals are half-open: one that stops and one that starts in the same moment do not touch. An entry that runs has no
-- end, so it overlaps whatever comes after its start. no_overlap is the organization's policy when the row was written.
create extension if not exists btree_gist;
alter table time_entries add column no_overlap boolean not null default false;
alter table time_entries add constraint time_entries_overlap exclude using gist (
  org_id with =, member_id with =, tstzrange(started_at, ended_at, '[)') with &&
) where (no_overlap and deleted_at is null);

-- how long it took, to be summed up without arithmetic on timestamps; null while it runs
alter table time_entries add column duration_ms bigint
  generated always as ((extract(epoch from ended_at - started_at) * 1000)::bigint) stored;
