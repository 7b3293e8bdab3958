-- outside a transaction
-- Subtasks and comments are listed across tasks, newest first: those of a project, of an assignee, of an author. These
-- indexes serve the foreign keys too, in place of ones that knew no order.
create index concurrently if not exists subtasks_by_project on subtasks (org_id, project_id, id desc);
drop index concurrently if exists subtasks_in_project;
create index concurrently if not exists subtasks_by_assignee on subtasks (org_id, assignee_id, id desc)
  where assignee_id is not null;
drop index concurrently if exists subtasks_referring_to_assignee;
create index concurrently if not exists comments_by_project on comments (org_id, project_id, id desc);
drop index concurrently if exists comments_in_project;
create index concurrently if not exists comments_by_author on comments (org_id, author_id, id desc);

-- What a filter leaves may be few of all: what is left to do, of everybody and of one; what is done; what is nobody's.
create index concurrently if not exists subtasks_open on subtasks (org_id, id desc)
  where finalized_at is null and deleted_at is null;
create index concurrently if not exists subtasks_open_by_assignee on subtasks (org_id, assignee_id, id desc)
  where finalized_at is null and deleted_at is null and assignee_id is not null;
create index concurrently if not exists subtasks_finalized on subtasks (org_id, id desc)
  where finalized_at is not null and deleted_at is null;
create index concurrently if not exists subtasks_unassigned on subtasks (org_id, id desc)
  where assignee_id is null and deleted_at is null;
