-- outside a transaction
-- beside 0.1.0: no, it cannot run beside 0074.
-- When somebody signs in with a provider, the server finds their open invitations by address, in any organization.
create index concurrently if not exists members_to_join on members (email) where person_id is null and deleted_at is null;
