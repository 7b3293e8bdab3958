-- A subtask keeps the text that it is shown as, as a task does: a task that is read with a thousand of them took most of a
-- hundredth of a second. A field that is added to a subtask needs this function and the column made anew.
create function shown_subtask(
  id uuid, task_id uuid, project_id uuid, name text, assignee_id uuid, "position" bigint, finalized_at timestamptz,
  finalized_by uuid, version integer, created_at timestamptz, updated_at timestamptz
) returns text language sql immutable parallel safe as $$
  select row_to_json(subtask)::text from (
    select id, task_id as "taskId", project_id as "projectId", name, assignee_id as "assigneeId", "position",
      to_char(finalized_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "finalizedAt",
      finalized_by as "finalizedBy", version,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt") subtask
$$;

alter table subtasks add column shown text not null generated always as (
  shown_subtask(id, task_id, project_id, name, assignee_id, position, finalized_at, finalized_by, version, created_at,
    updated_at)
) stored;
