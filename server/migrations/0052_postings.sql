-- outside a transaction
-- What things are found by: a row for each word of each of them, read in the order of ids for any word, however common
-- (server/src/search/). The words of a long text have none: tasks.search says so by what it holds of ς. Nothing refers to
-- these rows, and a foreign key would cost each of them a look-up.
create table if not exists postings (
  org_id uuid not null,
  kind smallint not null,
  word text collate "C" not null,
  project_id uuid not null,
  id uuid not null,
  primary key (org_id, kind, word, project_id, id)
);
-- The same collation by another name: so the planner takes this index for who asks by that name, and no other, whatever the
-- statistics say. Who asks for postings in some projects never walks past those of others.
create index if not exists postings_newest on postings (org_id, kind, word collate "POSIX", id);
create index if not exists postings_of_one on postings (org_id, id);

-- The words that there were in a project, for those who search by how a word begins: the first thing with each.
create table if not exists vocabulary (
  org_id uuid not null,
  kind smallint not null,
  project_id uuid not null,
  word text collate "C" not null,
  id uuid not null,
  primary key (org_id, kind, project_id, word, id)
);
