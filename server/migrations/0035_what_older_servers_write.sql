-- outside a transaction
-- What servers of the version before write while both run lacks what this version keeps beside it. Nearly always these are
-- empty, and they go with that version.
create index concurrently if not exists tasks_without_phrases on tasks (org_id, id)
  where not search @@ 'ς'::tsquery and (description <> '' or search_text like '% ς %');
create index concurrently if not exists api_keys_without_maker on api_keys (org_id, id) where made_until = '-infinity';
