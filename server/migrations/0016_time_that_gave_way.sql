-- Time in a deleted project takes no room: where other time comes it gives way, and must find room again when its project
-- returns.
alter table time_entries add column gave_way boolean not null default false;
create index time_entries_gave_way on time_entries (org_id, project_id) where gave_way;
