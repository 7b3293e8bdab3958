-- beside 0.1.0: no, it cannot run beside 0074.
-- People sign in. A person belongs to the instance, not to an organization, so these tables have no org_id.
create table persons (
  id uuid primary key,
  name text not null,
  -- null: a verified owner of the address took it over, or another person already had it
  email text check (email = lower(email)),
  email_verified boolean not null default false,
  -- scrypt, as server/src/persons/passwords.ts writes it; null: no password
  password_hash text,
  password_changed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index persons_email on persons (email);

create table passkeys (
  id uuid primary key,
  person_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  backed_up boolean not null default false,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_of_person on passkeys (person_id);

-- The accounts of people at OpenID Connect providers.
create table identities (
  id uuid primary key,
  person_id uuid not null,
  issuer text not null,
  subject text not null,
  email text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create unique index identities_subject on identities (issuer, subject);
create index identities_of_person on identities (person_id);

create table sessions (
  id uuid primary key,
  person_id uuid not null,
  -- SHA-256 of the token in the cookie
  token_hash bytea not null,
  -- password, passkey, oidc or link
  signed_in_by text not null,
  signed_in_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  address text not null,
  user_agent text not null
);
create unique index sessions_token on sessions (token_hash);
create index sessions_of_person on sessions (person_id);
create index sessions_due on sessions (expires_at);

-- Tokens that work once: sign-in links, password resets, and the state of a sign-in that takes two requests.
create table sign_in_tokens (
  -- SHA-256 of the token
  hash bytea primary key,
  kind text not null,
  person_id uuid,
  org_id uuid,
  member_id uuid,
  data jsonb not null default '{}',
  -- the network that the sign-in began from, so that strangers of one network cannot fill the table
  network text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index sign_in_tokens_due on sign_in_tokens (expires_at);
create index sign_in_tokens_of_network on sign_in_tokens (network, created_at) where network is not null;

-- Failed sign-ins, by a hash of the account or of the network.
create table sign_in_failures (
  bucket bytea primary key,
  failures integer not null,
  next_try_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index sign_in_failures_due on sign_in_failures (updated_at);

create table outgoing_mail (
  id uuid primary key,
  -- the same cause is mailed once
  cause text not null,
  kind text not null,
  recipient text not null,
  -- holds no token: a token is made when the mail is sent
  data jsonb not null,
  attempts integer not null default 0,
  next_try_at timestamptz(3),
  sent_at timestamptz(3),
  -- when the content began to go to the SMTP server; if the mail is neither sent nor failed, nobody knows whether it arrived
  handed_over_at timestamptz(3),
  failed_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) not null
);
create unique index outgoing_mail_cause on outgoing_mail (cause);
create index outgoing_mail_due on outgoing_mail (next_try_at) where next_try_at is not null;
create index outgoing_mail_unsettled on outgoing_mail (handed_over_at) where handed_over_at is not null and sent_at is null and failed_at is null;
create index outgoing_mail_old on outgoing_mail (created_at);

-- Logins of the command line that wait for approval in a browser (RFC 8628).
create table device_logins (
  id uuid primary key,
  device_hash bytea not null,
  user_code text not null,
  device_name text not null,
  address text not null,
  network text,
  -- set by the approval; the API key is made when the device asks for it
  org_id uuid,
  member_id uuid,
  scopes text[],
  key_expires_at timestamptz(3),
  denied boolean not null default false,
  last_asked_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create unique index device_logins_device on device_logins (device_hash);
create unique index device_logins_user_code on device_logins (user_code);
create index device_logins_due on device_logins (expires_at);
create index device_logins_of_network on device_logins (network, expires_at);

alter table members
  add column person_id uuid,
  -- when a person accepted an invitation or used a sign-in link; null: nobody did yet
  add column joined_at timestamptz(3),
  -- whether that person proved that the address is theirs
  add column email_verified boolean not null default false;

create table invitations (
  org_id uuid not null references organizations,
  id uuid not null,
  member_id uuid not null,
  created_by uuid,
  -- SHA-256 of the token in the link that the response showed, and of the one that was mailed
  token_hash bytea not null,
  mail_token_hash bytea,
  mailed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, member_id) references members,
  foreign key (org_id, created_by) references members
);
create unique index invitations_open on invitations (org_id, member_id) where deleted_at is null and accepted_at is null;
create index invitations_by_creation on invitations (org_id, created_at desc, id desc) where deleted_at is null;
create index invitations_of_creator on invitations (org_id, created_by);
create index invitations_token on invitations (token_hash);
create index invitations_mail_token on invitations (mail_token_hash);
