-- outside a transaction
-- beside 0.1.0: no, it writes texts without what they are found by, and needs tables that are dropped here.
-- What a row is found by stands in the row (server/src/db/lexemes.ts), and is written with its texts. The server computes it for all
-- rows that are there. Postings, vocabulary and the words beside other tables go.
drop index concurrently if exists tasks_without_postings;
drop index concurrently if exists tasks_without_postings_in_project;
drop index concurrently if exists tasks_not_posted;
drop view if exists searched_subtasks, searched_comments, searched_projects, searched_time;
drop table if exists subtask_words, comment_words, project_words, time_entry_words;
drop table if exists search_fills, search_positions, postings, vocabulary;
alter table tasks drop column if exists search;
alter table tasks drop column if exists search_text;
alter table tasks add column if not exists lexemes tsvector, add column if not exists long_text text;
alter table subtasks add column if not exists lexemes tsvector;
alter table comments add column if not exists lexemes tsvector, add column if not exists long_text text;
alter table projects add column if not exists lexemes tsvector, add column if not exists long_text text;
alter table time_entries add column if not exists lexemes tsvector, add column if not exists long_text text;
alter table members add column if not exists lexemes tsvector;
alter table tags add column if not exists lexemes tsvector;
alter table task_types add column if not exists lexemes tsvector;
-- These held rows that a server of 0.1.0 wrote beside a later one.
drop index concurrently if exists members_folded_as_before;
drop index concurrently if exists projects_folded_as_before;
drop index concurrently if exists stages_folded_as_before;
drop index concurrently if exists tags_folded_as_before;
drop index concurrently if exists task_types_folded_as_before;
drop index concurrently if exists workspaces_folded_as_before;
drop index concurrently if exists api_keys_without_maker;
