-- outside a transaction
-- Tasks that no postings find: those with long texts, and for a minute what a server of the version before wrote. The last
-- index is for the job that gives these theirs; the one that it replaces held some of them.
create index concurrently if not exists tasks_without_postings on tasks using gin (org_id, search)
  where deleted_at is null and not (search @@ '''ς'':A'::tsquery);
create index concurrently if not exists tasks_without_postings_in_project on tasks (org_id, project_id, id)
  where deleted_at is null and not (search @@ '''ς'':A'::tsquery);
create index concurrently if not exists tasks_not_posted on tasks (org_id, id)
  where deleted_at is null and not (search @@ '''ς'':AB'::tsquery);
drop index concurrently if exists tasks_without_phrases;
