-- outside a transaction
-- beside 0.1.0: no, it cannot run beside 0074.
-- A person has one member in each organization.
create unique index concurrently if not exists members_person on members (org_id, person_id) where deleted_at is null;
create index concurrently if not exists members_of_person on members (person_id) where person_id is not null;
-- When somebody signs in with a provider, the server finds their open invitations by address, in any organization.
create index concurrently if not exists members_to_join on members (email) where person_id is null and deleted_at is null;
