-- The schema that all migrations make, for readers. No server reads this file.
-- Write it again: UPDATE_SCHEMA=yes npm test -- migrations/schema

CREATE OR REPLACE FUNCTION public.shown_subtask(id uuid, task_id uuid, project_id uuid, name text, assignee_id uuid, "position" bigint, finalized_at timestamp with time zone, finalized_by uuid, version integer, created_at timestamp with time zone, updated_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select row_to_json(subtask)::text from (
    select id, task_id as "taskId", project_id as "projectId", name, assignee_id as "assigneeId", "position",
      to_char(finalized_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "finalizedAt",
      finalized_by as "finalizedBy", version,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt") subtask
$function$;

CREATE OR REPLACE FUNCTION public.shown_task(id uuid, project_id uuid, workspace_id uuid, stage_id uuid, number integer, key text, name text, description text, type_id uuid, priority text, assignee_ids uuid[], tag_ids uuid[], start_date date, due_date date, estimate_seconds integer, "position" bigint, completed_at timestamp with time zone, created_by uuid, version integer, created_at timestamp with time zone, updated_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select row_to_json(task)::text from (
    select id, project_id as "projectId", workspace_id as "workspaceId", stage_id as "stageId", number, key, name,
      description, type_id as "typeId", priority, assignee_ids as "assigneeIds", tag_ids as "tagIds",
      to_char(start_date::timestamp, 'YYYY-MM-DD') as "startDate",
      to_char(due_date::timestamp, 'YYYY-MM-DD') as "dueDate",
      estimate_seconds as "estimateSeconds", "position",
      to_char(completed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "completedAt",
      created_by as "createdBy", version,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt") task
$function$;

create table api_keys (
  org_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  name text not null,
  prefix text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  created_by uuid,
  created_with uuid,
  made_until timestamp(3) with time zone default '-infinity'::timestamp with time zone,
  constraint api_keys_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES members(org_id, id),
  constraint api_keys_org_id_created_with_fkey FOREIGN KEY (org_id, created_with) REFERENCES api_keys(org_id, id),
  constraint api_keys_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES members(org_id, id),
  constraint api_keys_pkey PRIMARY KEY (org_id, id),
  constraint api_keys_scopes_check CHECK (((scopes <@ ARRAY['read'::text, 'write'::text]) AND (cardinality(scopes) > 0))),
  constraint api_keys_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE INDEX api_keys_by_maker ON public.api_keys USING btree (org_id, created_with) WHERE (created_with IS NOT NULL);
CREATE INDEX api_keys_by_member ON public.api_keys USING btree (org_id, member_id);
CREATE INDEX api_keys_by_who_made_them ON public.api_keys USING btree (org_id, created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX api_keys_due ON public.api_keys USING btree (org_id, LEAST(revoked_at, expires_at)) WHERE (LEAST(revoked_at, expires_at) IS NOT NULL);
CREATE UNIQUE INDEX api_keys_secret_hash ON public.api_keys USING btree (org_id, secret_hash);

create table audit_entries (
  org_id uuid not null,
  sequence bigint not null,
  type text not null,
  actor_id uuid,
  actor_key_id uuid,
  request_id text not null,
  resource_id uuid not null,
  project_id uuid,
  changes json not null,
  created_at timestamp(3) with time zone not null,
  constraint audit_entries_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint audit_entries_pkey PRIMARY KEY (org_id, sequence) INCLUDE (type, actor_id, created_at)
);

create table comments (
  org_id uuid not null,
  id uuid not null,
  task_id uuid not null,
  project_id uuid not null,
  author_id uuid not null,
  body text not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  lexemes tsvector,
  long_text text,
  constraint comments_org_id_author_id_fkey FOREIGN KEY (org_id, author_id) REFERENCES members(org_id, id),
  constraint comments_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  constraint comments_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES tasks(org_id, id),
  constraint comments_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX comments_by_author ON public.comments USING btree (org_id, author_id, id DESC);
CREATE INDEX comments_by_lexeme ON public.comments USING gin (lexemes) WITH (fastupdate=off) WHERE ((deleted_at IS NULL) AND (lexemes IS NOT NULL));
CREATE INDEX comments_by_project ON public.comments USING btree (org_id, project_id, id DESC);
CREATE INDEX comments_by_task ON public.comments USING btree (org_id, task_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX comments_deleted_by_themselves ON public.comments USING btree (org_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (updated_at >= deleted_at));
CREATE INDEX comments_due ON public.comments USING btree (org_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX comments_referring_to_task ON public.comments USING btree (org_id, task_id);

create table deliveries (
  org_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  sequence bigint not null,
  event_type text not null,
  status text not null,
  attempts json default '[]'::json not null,
  attempt_count integer default 0 not null,
  next_attempt_at timestamp(3) with time zone,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  event_id uuid not null,
  constraint deliveries_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint deliveries_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint deliveries_org_id_sequence_webhook_id_key UNIQUE (org_id, sequence, webhook_id),
  constraint deliveries_org_id_webhook_id_fkey FOREIGN KEY (org_id, webhook_id) REFERENCES webhooks(org_id, id),
  constraint deliveries_pkey PRIMARY KEY (org_id, id),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX deliveries_by_status ON public.deliveries USING btree (org_id, webhook_id, status, id);
CREATE INDEX deliveries_due ON public.deliveries USING btree (org_id, webhook_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX deliveries_of_webhook ON public.deliveries USING btree (org_id, webhook_id, id);

create table detachments (
  org_id uuid not null,
  id uuid not null,
  kind text not null,
  created_at timestamp(3) with time zone not null,
  constraint detachments_kind_check CHECK ((kind = ANY (ARRAY['tag'::text, 'task_type'::text, 'member'::text]))),
  constraint detachments_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint detachments_pkey PRIMARY KEY (org_id, id)
);

create table device_logins (
  id uuid not null,
  device_hash bytea not null,
  user_code text not null,
  device_name text not null,
  address text not null,
  network text,
  org_id uuid,
  member_id uuid,
  scopes text[],
  key_expires_at timestamp(3) with time zone,
  denied boolean default false not null,
  last_asked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint device_logins_pkey PRIMARY KEY (id)
);
CREATE INDEX device_logins_due ON public.device_logins USING btree (expires_at);
CREATE INDEX device_logins_of_network ON public.device_logins USING btree (network, expires_at);
CREATE UNIQUE INDEX device_logins_device ON public.device_logins USING btree (device_hash);
CREATE UNIQUE INDEX device_logins_user_code ON public.device_logins USING btree (user_code);

create table erasures (
  org_id uuid not null,
  id uuid not null,
  created_at timestamp(3) with time zone not null,
  step integer default 0 not null,
  reached text[] default '{}'::text[] not null,
  constraint erasures_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint erasures_pkey PRIMARY KEY (org_id, id)
);

create table event_counters (
  org_id uuid not null,
  last_sequence bigint default 0 not null,
  constraint event_counters_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint event_counters_pkey PRIMARY KEY (org_id)
);

create table events (
  org_id uuid not null,
  sequence bigint not null,
  type text not null,
  actor_id uuid,
  actor_key_id uuid,
  request_id text not null,
  resource_id uuid not null,
  project_id uuid,
  changes json not null,
  snapshot json not null,
  created_at timestamp(3) with time zone not null,
  constraint events_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint events_pkey PRIMARY KEY (org_id, sequence)
);
CREATE INDEX events_audited ON public.events USING btree (org_id, sequence) INCLUDE (type, actor_id, created_at) WHERE ((split_part(type, '.'::text, 1) = ANY (ARRAY['organization'::text, 'member'::text, 'project_member'::text, 'api_key'::text, 'webhook'::text])) OR (split_part(type, '.'::text, 2) = ANY (ARRAY['deleted'::text, 'restored'::text])));
CREATE INDEX events_by_resource ON public.events USING btree (org_id, resource_id, sequence DESC);

create table idempotency_keys (
  org_id uuid not null,
  member_id uuid not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  status smallint,
  headers json,
  body bytea,
  sealed boolean default false not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  tells_of uuid,
  constraint idempotency_keys_key_check CHECK (((octet_length(key) >= 1) AND (octet_length(key) <= 255))),
  constraint idempotency_keys_pkey PRIMARY KEY (org_id, member_id, key)
);
CREATE INDEX idempotency_keys_due ON public.idempotency_keys USING btree (org_id, expires_at);

create table identities (
  id uuid not null,
  person_id uuid not null,
  issuer text not null,
  subject text not null,
  email text,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  constraint identities_pkey PRIMARY KEY (id)
);
CREATE INDEX identities_of_person ON public.identities USING btree (person_id);
CREATE UNIQUE INDEX identities_subject ON public.identities USING btree (issuer, subject);

create table instance (
  id boolean default true not null,
  secret bytea not null,
  created_at timestamp(3) with time zone not null,
  secret_key_fingerprint bytea,
  operator_tokens json default '[]'::json not null,
  constraint instance_id_check CHECK (id),
  constraint instance_pkey PRIMARY KEY (id),
  constraint instance_secret_check CHECK ((octet_length(secret) = 32))
);

create table invitations (
  org_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  created_by uuid,
  token_hash bytea not null,
  mail_token_hash bytea,
  mailed_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null,
  accepted_at timestamp(3) with time zone,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint invitations_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES members(org_id, id),
  constraint invitations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint invitations_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES members(org_id, id),
  constraint invitations_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX invitations_by_creation ON public.invitations USING btree (org_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX invitations_mail_token ON public.invitations USING btree (mail_token_hash);
CREATE INDEX invitations_of_creator ON public.invitations USING btree (org_id, created_by);
CREATE INDEX invitations_token ON public.invitations USING btree (token_hash);
CREATE UNIQUE INDEX invitations_open ON public.invitations USING btree (org_id, member_id) WHERE ((deleted_at IS NULL) AND (accepted_at IS NULL));

create table members (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  email text not null,
  role text not null,
  timezone text,
  status text default 'active'::text not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  erased_at timestamp(3) with time zone,
  lexemes tsvector,
  person_id uuid,
  joined_at timestamp(3) with time zone,
  email_verified boolean default false not null,
  constraint members_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint members_pkey PRIMARY KEY (org_id, id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text]))),
  constraint members_status_check CHECK ((status = ANY (ARRAY['active'::text, 'deactivated'::text])))
);
CREATE INDEX members_by_name ON public.members USING btree (org_id, name_key, id) WHERE (deleted_at IS NULL);
CREATE INDEX members_deleted_by_themselves ON public.members USING btree (org_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (updated_at >= deleted_at));
CREATE INDEX members_of_person ON public.members USING btree (person_id) WHERE (person_id IS NOT NULL);
CREATE INDEX members_to_join ON public.members USING btree (email) WHERE ((person_id IS NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX members_email ON public.members USING btree (org_id, email) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX members_person ON public.members USING btree (org_id, person_id) WHERE (deleted_at IS NULL);

create table migrations (
  name text not null,
  applied_at timestamp with time zone not null,
  hash text,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table organizations (
  org_id uuid not null,
  name text not null,
  timezone text default 'UTC'::text not null,
  week_start text default 'monday'::text not null,
  timer_policy text default 'stop_previous'::text not null,
  overlap_policy text default 'allow'::text not null,
  time_locked_before date,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_since timestamp(3) with time zone,
  erasure_begun_at timestamp(3) with time zone,
  constraint organizations_overlap_policy_check CHECK ((overlap_policy = ANY (ARRAY['allow'::text, 'reject'::text]))),
  constraint organizations_pkey PRIMARY KEY (org_id),
  constraint organizations_timer_policy_check CHECK ((timer_policy = ANY (ARRAY['stop_previous'::text, 'reject'::text]))),
  constraint organizations_week_start_check CHECK ((week_start = ANY (ARRAY['monday'::text, 'saturday'::text, 'sunday'::text])))
);
CREATE INDEX organizations_deleted ON public.organizations USING btree (org_id) WHERE (deleted_since IS NOT NULL);

create table outgoing_mail (
  id uuid not null,
  cause text not null,
  kind text not null,
  recipient text not null,
  data jsonb not null,
  attempts integer default 0 not null,
  next_try_at timestamp(3) with time zone,
  sent_at timestamp(3) with time zone,
  handed_over_at timestamp(3) with time zone,
  failed_at timestamp(3) with time zone,
  last_error text,
  created_at timestamp(3) with time zone not null,
  constraint outgoing_mail_pkey PRIMARY KEY (id)
);
CREATE INDEX outgoing_mail_due ON public.outgoing_mail USING btree (next_try_at) WHERE (next_try_at IS NOT NULL);
CREATE INDEX outgoing_mail_old ON public.outgoing_mail USING btree (created_at);
CREATE INDEX outgoing_mail_unsettled ON public.outgoing_mail USING btree (handed_over_at) WHERE ((handed_over_at IS NOT NULL) AND (sent_at IS NULL) AND (failed_at IS NULL));
CREATE UNIQUE INDEX outgoing_mail_cause ON public.outgoing_mail USING btree (cause);

create table passkeys (
  id uuid not null,
  person_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] default '{}'::text[] not null,
  name text not null,
  backed_up boolean default false not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  constraint passkeys_pkey PRIMARY KEY (id)
);
CREATE INDEX passkeys_of_person ON public.passkeys USING btree (person_id);
CREATE UNIQUE INDEX passkeys_credential ON public.passkeys USING btree (credential_id);

create table persons (
  id uuid not null,
  name text not null,
  email text,
  email_verified boolean default false not null,
  password_hash text,
  password_changed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint persons_email_check CHECK ((email = lower(email))),
  constraint persons_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX persons_email ON public.persons USING btree (email);

create table project_members (
  org_id uuid not null,
  project_id uuid not null,
  member_id uuid not null,
  role text not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint project_members_key PRIMARY KEY (org_id, project_id, member_id),
  constraint project_members_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES members(org_id, id),
  constraint project_members_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  constraint project_members_role_check CHECK ((role = ANY (ARRAY['lead'::text, 'contributor'::text, 'viewer'::text])))
);
CREATE INDEX project_members_by_member ON public.project_members USING btree (org_id, member_id, project_id);

create table projects (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  key text collate "C" not null,
  description text,
  color text,
  status text default 'active'::text not null,
  start_date date,
  due_date date,
  last_task_number integer default 0 not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  lexemes tsvector,
  long_text text,
  constraint projects_check CHECK ((due_date >= start_date)),
  constraint projects_key_check CHECK ((key ~ '^[A-Z][A-Z0-9]{1,9}$'::text)),
  constraint projects_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint projects_pkey PRIMARY KEY (org_id, id),
  constraint projects_status_check CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
);
CREATE INDEX projects_by_creation ON public.projects USING btree (org_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX projects_by_lexeme ON public.projects USING gin (lexemes) WITH (fastupdate=off) WHERE ((deleted_at IS NULL) AND (lexemes IS NOT NULL));
CREATE INDEX projects_deleted_by_id ON public.projects USING btree (org_id, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX projects_deleted_by_key ON public.projects USING btree (org_id, key) WHERE (deleted_at IS NOT NULL);
CREATE INDEX projects_due ON public.projects USING btree (org_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX projects_key ON public.projects USING btree (org_id, key) WHERE (deleted_at IS NULL);

create table refused_sign_ins (
  org_id uuid not null,
  id uuid not null,
  hour timestamp(3) with time zone not null,
  key_id uuid not null,
  address text not null,
  count bigint not null,
  last_at timestamp(3) with time zone not null,
  constraint refused_sign_ins_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint refused_sign_ins_pkey PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX refused_sign_ins_of_hour ON public.refused_sign_ins USING btree (org_id, hour, key_id, address);

create table sessions (
  id uuid not null,
  person_id uuid not null,
  token_hash bytea not null,
  signed_in_by text not null,
  signed_in_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  address text not null,
  user_agent text not null,
  constraint sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX sessions_due ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_of_person ON public.sessions USING btree (person_id);
CREATE UNIQUE INDEX sessions_token ON public.sessions USING btree (token_hash);

create table sign_in_failures (
  bucket bytea not null,
  failures integer not null,
  next_try_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (bucket)
);
CREATE INDEX sign_in_failures_due ON public.sign_in_failures USING btree (updated_at);

create table sign_in_tokens (
  hash bytea not null,
  kind text not null,
  person_id uuid,
  org_id uuid,
  member_id uuid,
  data jsonb default '{}'::jsonb not null,
  network text,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint sign_in_tokens_pkey PRIMARY KEY (hash)
);
CREATE INDEX sign_in_tokens_due ON public.sign_in_tokens USING btree (expires_at);
CREATE INDEX sign_in_tokens_of_network ON public.sign_in_tokens USING btree (network, created_at) WHERE (network IS NOT NULL);

create table stages (
  org_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  project_id uuid,
  name text not null,
  name_key text collate "C" not null,
  category text default 'todo'::text not null,
  color text,
  wip_limit integer,
  "position" bigint not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint stages_category_check CHECK ((category = ANY (ARRAY['todo'::text, 'doing'::text, 'done'::text]))),
  constraint stages_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  constraint stages_org_id_workspace_id_fkey FOREIGN KEY (org_id, workspace_id) REFERENCES workspaces(org_id, id),
  constraint stages_pkey PRIMARY KEY (org_id, id),
  constraint stages_wip_limit_check CHECK ((wip_limit > 0))
);
CREATE INDEX stages_by_position ON public.stages USING btree (org_id, workspace_id, "position", id) WHERE (deleted_at IS NULL);
CREATE INDEX stages_due ON public.stages USING btree (org_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX stages_in_project ON public.stages USING btree (org_id, project_id);
CREATE INDEX stages_referring_to_workspace ON public.stages USING btree (org_id, workspace_id);
CREATE UNIQUE INDEX stages_name ON public.stages USING btree (org_id, workspace_id, name_key) WHERE (deleted_at IS NULL);

create table subtasks (
  org_id uuid not null,
  id uuid not null,
  task_id uuid not null,
  project_id uuid not null,
  name text not null,
  assignee_id uuid,
  "position" bigint not null,
  finalized_at timestamp(3) with time zone,
  finalized_by uuid,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  shown text generated always as (shown_subtask(id, task_id, project_id, name, assignee_id, "position", finalized_at, finalized_by, version, created_at, updated_at)) stored not null,
  lexemes tsvector,
  constraint subtasks_check CHECK (((finalized_at IS NULL) = (finalized_by IS NULL))),
  constraint subtasks_org_id_assignee_id_fkey FOREIGN KEY (org_id, assignee_id) REFERENCES members(org_id, id),
  constraint subtasks_org_id_finalized_by_fkey FOREIGN KEY (org_id, finalized_by) REFERENCES members(org_id, id),
  constraint subtasks_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  constraint subtasks_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES tasks(org_id, id),
  constraint subtasks_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX subtasks_by_assignee ON public.subtasks USING btree (org_id, assignee_id, id DESC) WHERE (assignee_id IS NOT NULL);
CREATE INDEX subtasks_by_lexeme ON public.subtasks USING gin (lexemes) WITH (fastupdate=off) WHERE ((deleted_at IS NULL) AND (lexemes IS NOT NULL));
CREATE INDEX subtasks_by_position ON public.subtasks USING btree (org_id, task_id, "position", id) WHERE (deleted_at IS NULL);
CREATE INDEX subtasks_by_project ON public.subtasks USING btree (org_id, project_id, id DESC);
CREATE INDEX subtasks_deleted_by_themselves ON public.subtasks USING btree (org_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (updated_at >= deleted_at));
CREATE INDEX subtasks_due ON public.subtasks USING btree (org_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX subtasks_finalized ON public.subtasks USING btree (org_id, id DESC) WHERE ((finalized_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX subtasks_in_order_of_finalization ON public.subtasks USING btree (org_id, finalized_at, id) INCLUDE (project_id) WHERE ((finalized_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX subtasks_open ON public.subtasks USING btree (org_id, id DESC) WHERE ((finalized_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX subtasks_open_by_assignee ON public.subtasks USING btree (org_id, assignee_id, id DESC) WHERE ((finalized_at IS NULL) AND (deleted_at IS NULL) AND (assignee_id IS NOT NULL));
CREATE INDEX subtasks_referring_to_task ON public.subtasks USING btree (org_id, task_id);
CREATE INDEX subtasks_unassigned ON public.subtasks USING btree (org_id, id DESC) WHERE ((assignee_id IS NULL) AND (deleted_at IS NULL));

create table tags (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  color text,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  lexemes tsvector,
  constraint tags_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint tags_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX tags_due ON public.tags USING btree (org_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX tags_name ON public.tags USING btree (org_id, name_key) WHERE (deleted_at IS NULL);

create table task_assignees (
  org_id uuid not null,
  task_id uuid not null,
  member_id uuid not null,
  constraint task_assignees_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES members(org_id, id),
  constraint task_assignees_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES tasks(org_id, id),
  constraint task_assignees_pkey PRIMARY KEY (org_id, task_id, member_id)
);
CREATE INDEX task_assignees_by_member ON public.task_assignees USING btree (org_id, member_id, task_id DESC);

create table task_tags (
  org_id uuid not null,
  task_id uuid not null,
  tag_id uuid not null,
  constraint task_tags_org_id_tag_id_fkey FOREIGN KEY (org_id, tag_id) REFERENCES tags(org_id, id),
  constraint task_tags_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES tasks(org_id, id),
  constraint task_tags_pkey PRIMARY KEY (org_id, task_id, tag_id)
);
CREATE INDEX task_tags_by_tag ON public.task_tags USING btree (org_id, tag_id, task_id DESC);

create table task_types (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  color text,
  icon text,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  lexemes tsvector,
  constraint task_types_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint task_types_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX task_types_due ON public.task_types USING btree (org_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX task_types_name ON public.task_types USING btree (org_id, name_key) WHERE (deleted_at IS NULL);

create table tasks (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  workspace_id uuid,
  stage_id uuid,
  number integer not null,
  key text not null,
  name text not null,
  description text,
  type_id uuid,
  priority text default 'none'::text not null,
  start_date date,
  due_date date,
  estimate_seconds integer,
  "position" bigint,
  completed_at timestamp(3) with time zone,
  created_by uuid not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  assignee_ids uuid[] default '{}'::uuid[] not null,
  tag_ids uuid[] default '{}'::uuid[] not null,
  shown text generated always as (shown_task(id, project_id, workspace_id, stage_id, number, key, name, description, type_id, priority, assignee_ids, tag_ids, start_date, due_date, estimate_seconds, "position", completed_at, created_by, version, created_at, updated_at)) stored not null,
  lexemes tsvector,
  long_text text,
  constraint tasks_check CHECK ((due_date >= start_date)),
  constraint tasks_check1 CHECK ((((workspace_id IS NULL) = (stage_id IS NULL)) AND ((stage_id IS NULL) = ("position" IS NULL)))),
  constraint tasks_estimate_seconds_check CHECK ((estimate_seconds >= 0)),
  constraint tasks_number UNIQUE (org_id, project_id, number),
  constraint tasks_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES members(org_id, id),
  constraint tasks_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint tasks_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  constraint tasks_org_id_stage_id_fkey FOREIGN KEY (org_id, stage_id) REFERENCES stages(org_id, id),
  constraint tasks_org_id_type_id_fkey FOREIGN KEY (org_id, type_id) REFERENCES task_types(org_id, id),
  constraint tasks_org_id_workspace_id_fkey FOREIGN KEY (org_id, workspace_id) REFERENCES workspaces(org_id, id),
  constraint tasks_pkey PRIMARY KEY (org_id, id),
  constraint tasks_priority_check CHECK ((priority = ANY (ARRAY['none'::text, 'low'::text, 'medium'::text, 'high'::text, 'urgent'::text])))
);
CREATE INDEX tasks_by_completion ON public.tasks USING btree (org_id, completed_at, id) INCLUDE (project_id, stage_id, due_date, updated_at) WHERE ((deleted_at IS NULL) AND (completed_at IS NOT NULL));
CREATE INDEX tasks_by_creation ON public.tasks USING btree (org_id, id DESC) INCLUDE (project_id, stage_id, due_date, completed_at, updated_at) WHERE (deleted_at IS NULL);
CREATE INDEX tasks_by_creator ON public.tasks USING btree (org_id, created_by, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX tasks_by_due_date ON public.tasks USING btree (org_id, due_date, id) INCLUDE (project_id, stage_id, completed_at, updated_at) WHERE (deleted_at IS NULL);
CREATE INDEX tasks_by_key ON public.tasks USING btree (org_id, key) WHERE (deleted_at IS NULL);
CREATE INDEX tasks_by_lexeme ON public.tasks USING gin (lexemes) WITH (fastupdate=off) WHERE ((deleted_at IS NULL) AND (lexemes IS NOT NULL));
CREATE INDEX tasks_by_position ON public.tasks USING btree (org_id, stage_id, "position") WHERE (deleted_at IS NULL);
CREATE INDEX tasks_by_priority ON public.tasks USING btree (org_id, (
CASE priority
    WHEN 'none'::text THEN 0
    WHEN 'low'::text THEN 1
    WHEN 'medium'::text THEN 2
    WHEN 'high'::text THEN 3
    WHEN 'urgent'::text THEN 4
    ELSE NULL::integer
END), id) INCLUDE (project_id, deleted_at, priority, stage_id, due_date, completed_at, updated_at);
CREATE INDEX tasks_by_stage ON public.tasks USING btree (org_id, stage_id, id DESC);
CREATE INDEX tasks_by_type ON public.tasks USING btree (org_id, type_id, id DESC) INCLUDE (deleted_at);
CREATE INDEX tasks_by_update ON public.tasks USING btree (org_id, updated_at, id) INCLUDE (project_id, stage_id, due_date, completed_at) WHERE (deleted_at IS NULL);
CREATE INDEX tasks_by_workspace ON public.tasks USING btree (org_id, workspace_id, id DESC);
CREATE INDEX tasks_due ON public.tasks USING btree (org_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX tasks_of_project ON public.tasks USING btree (org_id, project_id, id DESC) INCLUDE (deleted_at, stage_id, due_date, estimate_seconds, updated_at, completed_at, priority);
CREATE INDEX tasks_open ON public.tasks USING btree (org_id, id DESC) WHERE ((deleted_at IS NULL) AND (completed_at IS NULL));
CREATE INDEX tasks_unassigned ON public.tasks USING btree (org_id, id DESC) WHERE ((deleted_at IS NULL) AND (assignee_ids = '{}'::uuid[]));

create table time_entries (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  task_id uuid,
  subtask_id uuid,
  member_id uuid not null,
  started_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  description text,
  billable boolean default false not null,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  no_overlap boolean default false not null,
  duration_ms bigint generated always as (((EXTRACT(epoch FROM (ended_at - started_at)) * (1000)::numeric))::bigint) stored,
  tag_ids uuid[] default '{}'::uuid[] not null,
  gave_way boolean default false not null,
  lexemes tsvector,
  long_text text,
  constraint time_entries_order CHECK ((ended_at >= started_at)),
  constraint time_entries_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES members(org_id, id),
  constraint time_entries_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  constraint time_entries_org_id_subtask_id_fkey FOREIGN KEY (org_id, subtask_id) REFERENCES subtasks(org_id, id),
  constraint time_entries_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES tasks(org_id, id),
  constraint time_entries_overlap EXCLUDE USING gist (org_id WITH =, member_id WITH =, tstzrange(started_at, ended_at, '[)'::text) WITH &&) WHERE ((no_overlap AND (NOT gave_way) AND (deleted_at IS NULL))),
  constraint time_entries_parent CHECK (((task_id IS NULL) <> (subtask_id IS NULL))),
  constraint time_entries_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX time_entries_by_lexeme ON public.time_entries USING gin (lexemes) WITH (fastupdate=off) WHERE ((deleted_at IS NULL) AND (lexemes IS NOT NULL));
CREATE INDEX time_entries_by_member ON public.time_entries USING btree (org_id, member_id, started_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX time_entries_by_project ON public.time_entries USING btree (org_id, project_id, started_at DESC, id DESC) INCLUDE (deleted_at, duration_ms);
CREATE INDEX time_entries_by_subtask ON public.time_entries USING btree (org_id, subtask_id, started_at DESC, id DESC) INCLUDE (deleted_at, duration_ms) WHERE (subtask_id IS NOT NULL);
CREATE INDEX time_entries_by_task ON public.time_entries USING btree (org_id, task_id, started_at DESC, id DESC) INCLUDE (deleted_at, duration_ms) WHERE (task_id IS NOT NULL);
CREATE INDEX time_entries_deleted_by_themselves ON public.time_entries USING btree (org_id, deleted_at DESC, id DESC) WHERE ((deleted_at IS NOT NULL) AND (updated_at >= deleted_at));
CREATE INDEX time_entries_due ON public.time_entries USING btree (org_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX time_entries_gave_way ON public.time_entries USING btree (org_id, project_id) WHERE gave_way;
CREATE INDEX time_entries_in_order_of_start ON public.time_entries USING btree (org_id, started_at, id) INCLUDE (project_id, billable) WHERE (deleted_at IS NULL);
CREATE INDEX time_entries_in_order_of_update ON public.time_entries USING btree (org_id, updated_at, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX time_entries_running ON public.time_entries USING btree (org_id, member_id) WHERE ((ended_at IS NULL) AND (deleted_at IS NULL));

create table time_entry_tags (
  org_id uuid not null,
  time_entry_id uuid not null,
  tag_id uuid not null,
  constraint time_entry_tags_org_id_tag_id_fkey FOREIGN KEY (org_id, tag_id) REFERENCES tags(org_id, id),
  constraint time_entry_tags_org_id_time_entry_id_fkey FOREIGN KEY (org_id, time_entry_id) REFERENCES time_entries(org_id, id),
  constraint time_entry_tags_pkey PRIMARY KEY (org_id, time_entry_id, tag_id)
);
CREATE INDEX time_entry_tags_by_tag ON public.time_entry_tags USING btree (org_id, tag_id, time_entry_id DESC);

create table webhooks (
  org_id uuid not null,
  id uuid not null,
  url text not null,
  types text[] default '{}'::text[] not null,
  project_id uuid,
  description text,
  status text default 'active'::text not null,
  disabled_reason text,
  secret bytea not null,
  former_secret bytea,
  former_secret_until timestamp(3) with time zone,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  "position" bigint not null,
  failing_since timestamp(3) with time zone,
  failures integer default 0 not null,
  retry_at timestamp(3) with time zone,
  last_success_at timestamp(3) with time zone,
  constraint webhooks_check CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint webhooks_check1 CHECK (((former_secret IS NULL) = (former_secret_until IS NULL))),
  constraint webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text]))),
  constraint webhooks_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint webhooks_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  constraint webhooks_pkey PRIMARY KEY (org_id, id),
  constraint webhooks_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text])))
);
CREATE INDEX webhooks_due ON public.webhooks USING btree (org_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX webhooks_in_project ON public.webhooks USING btree (org_id, project_id) WHERE (project_id IS NOT NULL);
CREATE INDEX webhooks_newest_first ON public.webhooks USING btree (org_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

create table workspaces (
  org_id uuid not null,
  id uuid not null,
  project_id uuid,
  name text not null,
  name_key text collate "C" not null,
  description text,
  color text,
  version integer default 1 not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint workspaces_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id),
  constraint workspaces_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  constraint workspaces_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX workspaces_by_name ON public.workspaces USING btree (org_id, name_key, id) WHERE (deleted_at IS NULL);
CREATE INDEX workspaces_due ON public.workspaces USING btree (org_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX workspaces_in_project ON public.workspaces USING btree (org_id, project_id, name_key, id);
