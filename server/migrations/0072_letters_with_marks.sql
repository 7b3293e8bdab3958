-- outside a transaction
-- beside 0.1.0: yes, a job renews the name keys that it writes meanwhile, unless the new key is taken: two names can then be the
-- same. Search words that it computes meanwhile stay folded as before until the text is edited.
-- The letters й, ў, ї, ѓ and ќ are no longer folded to и, у, і, г and к. The server computes name keys and search words again.
-- These indexes hold the rows that a server of 0.1.0 writes meanwhile (server/src/jobs/catching-up.ts). They go with that version.
create index concurrently if not exists members_folded_as_before on members (org_id, id)
  where name_key !~ '[йўїѓќ]' and name ~ '[ЙйЎўЇїЃѓЌќ]|[ИиУу][\u0300-\u036f]*\u0306|[Іі][\u0300-\u036f]*\u0308|[ГгКк][\u0300-\u036f]*\u0301';
create index concurrently if not exists projects_folded_as_before on projects (org_id, id)
  where name_key !~ '[йўїѓќ]' and name ~ '[ЙйЎўЇїЃѓЌќ]|[ИиУу][\u0300-\u036f]*\u0306|[Іі][\u0300-\u036f]*\u0308|[ГгКк][\u0300-\u036f]*\u0301';
create index concurrently if not exists stages_folded_as_before on stages (org_id, id)
  where name_key !~ '[йўїѓќ]' and name ~ '[ЙйЎўЇїЃѓЌќ]|[ИиУу][\u0300-\u036f]*\u0306|[Іі][\u0300-\u036f]*\u0308|[ГгКк][\u0300-\u036f]*\u0301';
create index concurrently if not exists tags_folded_as_before on tags (org_id, id)
  where name_key !~ '[йўїѓќ]' and name ~ '[ЙйЎўЇїЃѓЌќ]|[ИиУу][\u0300-\u036f]*\u0306|[Іі][\u0300-\u036f]*\u0308|[ГгКк][\u0300-\u036f]*\u0301';
create index concurrently if not exists task_types_folded_as_before on task_types (org_id, id)
  where name_key !~ '[йўїѓќ]' and name ~ '[ЙйЎўЇїЃѓЌќ]|[ИиУу][\u0300-\u036f]*\u0306|[Іі][\u0300-\u036f]*\u0308|[ГгКк][\u0300-\u036f]*\u0301';
create index concurrently if not exists workspaces_folded_as_before on workspaces (org_id, id)
  where name_key !~ '[йўїѓќ]' and name ~ '[ЙйЎўЇїЃѓЌќ]|[ИиУу][\u0300-\u036f]*\u0306|[Іі][\u0300-\u036f]*\u0308|[ГгКк][\u0300-\u036f]*\u0301';
