-- outside a transaction
-- beside 0.1.0: no, it cannot run beside the migration before this one.
-- Without a list of pending entries, which every search would read from end to end.
create index concurrently if not exists tasks_by_lexeme on tasks using gin (lexemes) with (fastupdate = off)
  where deleted_at is null and lexemes is not null;
create index concurrently if not exists subtasks_by_lexeme on subtasks using gin (lexemes) with (fastupdate = off)
  where deleted_at is null and lexemes is not null;
create index concurrently if not exists comments_by_lexeme on comments using gin (lexemes) with (fastupdate = off)
  where deleted_at is null and lexemes is not null;
create index concurrently if not exists projects_by_lexeme on projects using gin (lexemes) with (fastupdate = off)
  where deleted_at is null and lexemes is not null;
create index concurrently if not exists time_entries_by_lexeme on time_entries using gin (lexemes) with (fastupdate = off)
  where deleted_at is null and lexemes is not null;
