-- The id that an event was sent with. What was sent before had one that was made of its sequence alone.
alter table deliveries add column event_id uuid;
update deliveries set event_id = overlay(overlay(encode(substr(sha256(uuid_send(org_id) || int8send(sequence)), 1, 16), 'hex')
  placing '8' from 13) placing '8' from 17)::uuid;
alter table deliveries alter column event_id set not null;
