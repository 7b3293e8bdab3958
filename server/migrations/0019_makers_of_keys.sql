-- Who made a key, and with which key: nobody for what the operator and the command line made.
alter table api_keys add column created_by uuid, add column created_with uuid;
alter table api_keys
  add foreign key (org_id, created_by) references members (org_id, id),
  add foreign key (org_id, created_with) references api_keys (org_id, id);
update api_keys set created_by = events.actor_id, created_with = events.actor_key_id
  from events
  where events.org_id = api_keys.org_id and events.resource_id = api_keys.id and events.type = 'api_key.created';
create index api_keys_by_maker on api_keys (org_id, created_with) where created_with is not null;

-- Until when it was made for, whatever a rotation made of that: its successor is made for as long.
alter table api_keys add column made_until timestamptz(3);
update api_keys set made_until = expires_at where expires_at is not null;
