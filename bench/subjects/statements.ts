// What the server asks for an owner, written out once: sent by the floor and by the typical server. The server itself
// answers lists with the text that each row keeps; these read column by column, as one does without that.

const columns = (
  description: string,
) => `tasks.id, tasks.project_id as "projectId", tasks.workspace_id as "workspaceId", tasks.stage_id as "stageId",
  tasks.number, tasks.key, tasks.name, ${description}tasks.type_id as "typeId", tasks.priority,
  tasks.assignee_ids as "assigneeIds", tasks.tag_ids as "tagIds",
  tasks.start_date as "startDate", tasks.due_date as "dueDate", tasks.estimate_seconds as "estimateSeconds",
  tasks.position, tasks.completed_at as "completedAt", tasks.created_by as "createdBy", tasks.version,
  tasks.created_at as "createdAt", tasks.updated_at as "updatedAt"`

/** A task. */
export const task = columns('tasks.description, ')

/** A task beside something else. */
export const brief = columns('')

/** $1 organization, $2 limit + 1 */
export const taskPage = `
  select ${task} from tasks
  where tasks.org_id = $1 and tasks.deleted_at is null and (tasks.project_id in (
    select projects.id from projects where projects.org_id = $1 and projects.deleted_at is not null)) is not true
  order by tasks.id desc limit $2`

/** $1 organization, $2 task */
export const oneTask = `
  select ${task} from tasks
  join lateral (
    select 'lead' as role, projects.status = 'archived' as archived from projects
    where projects.org_id = $1 and projects.id = tasks.project_id and projects.deleted_at is null
  ) access on true
  where tasks.org_id = $1 and tasks.id = $2 and tasks.deleted_at is null`

/** $1 organization, $2 limit, $3 offset */
export const tagPage = `
  select list.total, page.* from (
    select (select count(*)::int from tags where org_id = $1 and deleted_at is null) as total
  ) list
  left join (
    select tags.id, tags.name, tags.color, tags.version, tags.created_at as "createdAt", tags.updated_at as "updatedAt",
      row_number() over (order by name_key, id) as ordinal
    from tags where org_id = $1 and deleted_at is null
    order by name_key, id limit $2 offset $3
  ) page on true
  order by ordinal`

/** $1 organization, $2 the sequence before, $3 limit + 1 */
export const eventPage = `
  select sequence, row_to_json(event)::text from (
    select overlay(overlay(encode(substr(sha256(uuid_send(org_id) || int8send(sequence)), 1, 16), 'hex')
        placing '8' from 13) placing '8' from 17)::uuid as id,
      sequence, type, json_build_object('memberId', actor_id, 'apiKeyId', actor_key_id) as actor,
      request_id as "requestId", json_build_object('type', split_part(type, '.', 1), 'id', resource_id) as resource,
      project_id as "projectId", changes, created_at as "createdAt", snapshot
    from events where org_id = $1 and sequence > $2 order by sequence limit $3
  ) event`

/** $1 organization, $2 member, $3 key, $4 fingerprint, $5 now, $6 when it expires */
export const claim = `
  insert into idempotency_keys (org_id, member_id, key, fingerprint, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning key`

/** $1 organization, $2 id, $3 task, $4 member, $5 start, $6 end, $7 description, $8 billable, $9 now */
export const insertEntry = `
  insert into time_entries (org_id, id, task_id, project_id, member_id, started_at, ended_at, description, billable,
    created_at, updated_at)
  select $1, $2, tasks.id, tasks.project_id, $4, $5, $6, $7, $8, $9, $9
  from tasks where tasks.org_id = $1 and tasks.id = $3 and tasks.deleted_at is null
  returning time_entries.id, time_entries.task_id as "taskId", time_entries.subtask_id as "subtaskId",
    time_entries.project_id as "projectId", time_entries.member_id as "memberId",
    time_entries.started_at as "startedAt", time_entries.ended_at as "endedAt",
    time_entries.duration_ms / 1000 as "durationSeconds", time_entries.description, time_entries.billable,
    time_entries.version, time_entries.created_at as "createdAt", time_entries.updated_at as "updatedAt"`

/** $1 organization, $2 type, $3 actor, $4 key of the actor, $5 request, $6 resource, $7 snapshot, $8 now */
export const appendEvent = `
  with counter as (
    update event_counters set last_sequence = last_sequence + 1 where org_id = $1 returning last_sequence)
  insert into events (org_id, sequence, type, actor_id, actor_key_id, request_id, resource_id, project_id, changes,
    snapshot, created_at)
  select $1, counter.last_sequence, $2, $3, $4, $5, $6::uuid, ($7::json ->> 'projectId')::uuid, '{}', $7, $8::timestamptz
  from counter`

/** $1 organization, $2 member, $3 key, $4 status, $5 headers, $6 body */
export const storeAnswer = `
  update idempotency_keys set status = $4, headers = $5, body = $6 where org_id = $1 and member_id = $2 and key = $3`

/** $1 organization, $2 hash of the key */
export const keyLookUp = `
  select api_keys.org_id as "orgId", api_keys.id as "keyId", members.id as "memberId"
  from api_keys join members on members.org_id = api_keys.org_id and members.id = api_keys.member_id
  where api_keys.org_id = $1 and api_keys.secret_hash = $2 and api_keys.revoked_at is null
    and members.status = 'active' and members.deleted_at is null`
