-- What subtasks, comments, projects and time are found by, besides postings. It follows the log of events: no write costs more
-- for it (server/src/resources/search/following.ts). Up to which event it came:
create table search_positions (
  org_id uuid primary key references organizations (org_id),
  sequence bigint not null
);

-- What was there before the log was followed is taken up newest first: what is below this is still to come.
create table search_fills (
  org_id uuid not null references organizations (org_id),
  kind smallint not null,
  before uuid not null,
  primary key (org_id, kind)
);

create table subtask_words (
  org_id uuid not null,
  id uuid not null,
  search tsvector not null,
  search_text text,
  primary key (org_id, id),
  foreign key (org_id, id) references subtasks (org_id, id)
);
create table comment_words (
  org_id uuid not null,
  id uuid not null,
  search tsvector not null,
  search_text text,
  primary key (org_id, id),
  foreign key (org_id, id) references comments (org_id, id)
);
create table project_words (
  org_id uuid not null,
  id uuid not null,
  search tsvector not null,
  search_text text,
  primary key (org_id, id),
  foreign key (org_id, id) references projects (org_id, id)
);
create table time_entry_words (
  org_id uuid not null,
  id uuid not null,
  search tsvector not null,
  search_text text,
  primary key (org_id, id),
  foreign key (org_id, id) references time_entries (org_id, id)
);

-- Texts with so many words that they have no postings: few.
create index subtask_words_alone on subtask_words (org_id, id) where not (search @@ '''ς'':A'::tsquery);
create index comment_words_alone on comment_words (org_id, id) where not (search @@ '''ς'':A'::tsquery);
create index project_words_alone on project_words (org_id, id) where not (search @@ '''ς'':A'::tsquery);
create index time_entry_words_alone on time_entry_words (org_id, id) where not (search @@ '''ς'':A'::tsquery);
create index comment_words_by_word on comment_words using gin (org_id, search)
  where not (search @@ '''ς'':A'::tsquery);

-- What changed behind that position is not found by these words, but looked at itself.
create view searched_subtasks as
select subtasks.org_id, subtasks.id, subtasks.project_id, subtasks.deleted_at, subtask_words.search,
  subtask_words.search_text
from subtasks join subtask_words on subtask_words.org_id = subtasks.org_id and subtask_words.id = subtasks.id
where not exists (
  select from events where events.org_id = subtasks.org_id and events.resource_id = subtasks.id and events.sequence > (
    select search_positions.sequence from search_positions where search_positions.org_id = subtasks.org_id));
create view searched_comments as
select comments.org_id, comments.id, comments.project_id, comments.deleted_at, comment_words.search,
  comment_words.search_text
from comments join comment_words on comment_words.org_id = comments.org_id and comment_words.id = comments.id
where not exists (
  select from events where events.org_id = comments.org_id and events.resource_id = comments.id and events.sequence > (
    select search_positions.sequence from search_positions where search_positions.org_id = comments.org_id));
create view searched_projects as
select projects.org_id, projects.id, projects.deleted_at, project_words.search, project_words.search_text
from projects join project_words on project_words.org_id = projects.org_id and project_words.id = projects.id
where not exists (
  select from events where events.org_id = projects.org_id and events.resource_id = projects.id and events.sequence > (
    select search_positions.sequence from search_positions where search_positions.org_id = projects.org_id));
create view searched_time as
select time_entries.org_id, time_entries.id, time_entries.project_id, time_entries.deleted_at, time_entry_words.search,
  time_entry_words.search_text
from time_entries join time_entry_words
  on time_entry_words.org_id = time_entries.org_id and time_entry_words.id = time_entries.id
where not exists (
  select from events where events.org_id = time_entries.org_id and events.resource_id = time_entries.id
    and events.sequence > (
      select search_positions.sequence from search_positions where search_positions.org_id = time_entries.org_id));
