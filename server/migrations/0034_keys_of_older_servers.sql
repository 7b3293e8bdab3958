-- A server of the version before names no made_until when it makes a key. Its keys are known by that, and a job gives them
-- what they lack from their events (server/src/jobs/catching-up.ts).
alter table api_keys alter column made_until set default '-infinity';
update api_keys set made_until = '-infinity'
  where created_by is null and made_until is null
    and created_at > (select applied_at - interval '1 hour' from migrations where name = '0019_makers_of_keys.sql');
