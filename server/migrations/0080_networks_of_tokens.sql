-- beside 0.1.0: no, it cannot run beside 0074.
-- The network that a sign-in or a login began from, so that strangers of one network cannot fill the tables.
alter table sign_in_tokens add column network text;
create index sign_in_tokens_of_network on sign_in_tokens (network, created_at) where network is not null;
alter table device_logins add column network text;
create index device_logins_of_network on device_logins (network, expires_at);
