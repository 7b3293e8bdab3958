-- A task is read far more often than it changes, so each row keeps the text that a list answers with. The database makes
-- it, whatever changes the row. For that, all that is shown must be in the row; task_assignees and task_tags remain, as
-- what refers to members and tags and is searched by them.
alter table tasks
  add column assignee_ids uuid[] not null default '{}',
  add column tag_ids uuid[] not null default '{}';
update tasks set
  assignee_ids = array(
    select member_id from task_assignees
    where task_assignees.org_id = tasks.org_id and task_id = tasks.id order by member_id),
  tag_ids = array(
    select tag_id from task_tags where task_tags.org_id = tasks.org_id and task_id = tasks.id order by tag_id);

-- What it is made of does not depend on any setting, though PostgreSQL cannot know: hence immutable. A field that is
-- added to a task needs this function and the column made anew.
create function shown_task(
  id uuid, project_id uuid, workspace_id uuid, stage_id uuid, number integer, key text, name text, description text,
  type_id uuid, priority text, assignee_ids uuid[], tag_ids uuid[], start_date date, due_date date,
  estimate_seconds integer, "position" bigint, completed_at timestamptz, created_by uuid, version integer,
  created_at timestamptz, updated_at timestamptz
) returns text language sql immutable parallel safe as $$
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
$$;

alter table tasks add column shown text not null generated always as (
  shown_task(id, project_id, workspace_id, stage_id, number, key, name, description, type_id, priority, assignee_ids,
    tag_ids, start_date, due_date, estimate_seconds, position, completed_at, created_by, version, created_at, updated_at)
) stored;
