-- Time is summed up by its tags, so each entry bears them itself; time_entry_tags remains, as what refers to tags and is
-- searched by them.
alter table time_entries add column tag_ids uuid[] not null default '{}';
update time_entries set tag_ids = labels.tag_ids
from (
  select org_id, time_entry_id, array_agg(tag_id order by tag_id) as tag_ids
  from time_entry_tags group by org_id, time_entry_id) labels
where time_entries.org_id = labels.org_id and time_entries.id = labels.time_entry_id;
