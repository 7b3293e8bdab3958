-- Time in a deleted project takes no room: where other time comes it gives way, and must find room again when its project
-- returns.
alter table time_entries add column gave_way boolean not null default false;
create index time_entries_gave_way on time_entries (org_id, project_id) where gave_way;
alter table time_entries drop constraint time_entries_overlap;
alter table time_entries add constraint time_entries_overlap exclude using gist (
  org_id with =, member_id with =, tstzrange(started_at, ended_at, '[)') with &&
) where (no_overlap and not gave_way and deleted_at is null);
