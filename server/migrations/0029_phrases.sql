-- Of a text with very many words, or one word very many times, a tsvector does not keep all places; there the words
-- themselves are kept, so that phrases are found (server/src/resources/tasks/search.ts).
alter table tasks add column search_text text;
