-- Tokens of who runs the instance, beside that of the setting: of each its id, a name, the SHA-256 of the token and when it was
-- made. There are few, so they stand in the one row that all processes read.
-- beside 0.1.0: yes, it adds a column with a default; a server of 0.1.0 goes on knowing the token of its setting alone.
alter table instance add column operator_tokens json not null default '[]';
