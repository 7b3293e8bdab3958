-- What changed behind the position to which the words were followed is found by a join, not by a query for each row: of a join
-- Citus knows that it stays in the organization which a statement names, of that query it did not, and refused every search.
create or replace view searched_subtasks as
select subtasks.org_id, subtasks.id, subtasks.project_id, subtasks.deleted_at, subtask_words.search,
  subtask_words.search_text
from subtasks join subtask_words on subtask_words.org_id = subtasks.org_id and subtask_words.id = subtasks.id
where not exists (
  select from events join search_positions on search_positions.org_id = events.org_id
  where events.org_id = subtasks.org_id and events.resource_id = subtasks.id
    and events.sequence > search_positions.sequence);
create or replace view searched_comments as
select comments.org_id, comments.id, comments.project_id, comments.deleted_at, comment_words.search,
  comment_words.search_text
from comments join comment_words on comment_words.org_id = comments.org_id and comment_words.id = comments.id
where not exists (
  select from events join search_positions on search_positions.org_id = events.org_id
  where events.org_id = comments.org_id and events.resource_id = comments.id
    and events.sequence > search_positions.sequence);
create or replace view searched_projects as
select projects.org_id, projects.id, projects.deleted_at, project_words.search, project_words.search_text
from projects join project_words on project_words.org_id = projects.org_id and project_words.id = projects.id
where not exists (
  select from events join search_positions on search_positions.org_id = events.org_id
  where events.org_id = projects.org_id and events.resource_id = projects.id
    and events.sequence > search_positions.sequence);
create or replace view searched_time as
select time_entries.org_id, time_entries.id, time_entries.project_id, time_entries.deleted_at, time_entry_words.search,
  time_entry_words.search_text
from time_entries join time_entry_words
  on time_entry_words.org_id = time_entries.org_id and time_entry_words.id = time_entries.id
where not exists (
  select from events join search_positions on search_positions.org_id = events.org_id
  where events.org_id = time_entries.org_id and events.resource_id = time_entries.id
    and events.sequence > search_positions.sequence);
