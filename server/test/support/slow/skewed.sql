-- Fills an organization with work that is unevenly spread, as work is; `skew` is one row that says which and how much.
-- Everything has a number, from which all chances come: each run makes the same, but for moments, and the ids that hold them.
create function pg_temp.id_of(ms bigint, n bigint) returns uuid language sql immutable as $$
  select (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid
$$;
create function pg_temp.chance(n bigint, of bigint) returns integer language sql immutable as $$
  select ((hashint8(n * 31 + of)::bigint + 2147483648) % 1000)::integer
$$;
create function pg_temp.lexemes_of(org_id uuid, name text) returns tsvector language sql immutable as $$
  select string_agg(right(org_id::text, 6) || word || ':' || place || 'A', ' ')::tsvector
  from unnest(string_to_array(lower(name), ' ')) with ordinality as words (word, place)
$$;

insert into members (org_id, id, name, name_key, email, role, created_at, updated_at)
select org_id, pg_temp.id_of(first_ms, n), 'Member ' || n, 'member ' || n, n || '@example.com', 'member', began, began
from skew, generate_series(1, 2000) n;

insert into tags (org_id, id, name, name_key, created_at, updated_at)
select org_id, pg_temp.id_of(first_ms, n), 'Tag ' || n, 'tag ' || n, began, began from skew, generate_series(1, 2000) n;

insert into task_types (org_id, id, name, name_key, created_at, updated_at)
select org_id, pg_temp.id_of(first_ms, n), 'Type ' || n, 'type ' || n, began, began from skew, generate_series(1, 5) n;

-- the first is small and old, the last three hold 60 % of the tasks, the two before them are deleted
insert into projects (org_id, id, name, name_key, key, last_task_number, created_at, updated_at, deleted_at)
select org_id, pg_temp.id_of(first_ms, n), 'Project ' || n, 'project ' || n, 'P' || n, tasks, began + n * interval '1 hour',
  began, case when n in (96, 97) then began end
from skew, generate_series(1, 100) n;

insert into project_members (org_id, project_id, member_id, role, created_at, updated_at)
select org_id, pg_temp.id_of(first_ms, project), pg_temp.id_of(first_ms, member), 'contributor', began, began
from skew, generate_series(1, 100) project, generate_series(1, 10) member;

insert into workspaces (org_id, id, project_id, name, name_key, created_at, updated_at)
select org_id, pg_temp.id_of(first_ms, n), pg_temp.id_of(first_ms, n), 'Board ' || n, 'board ' || n, began, began
from skew, generate_series(1, 100) n;

insert into stages (org_id, id, workspace_id, project_id, name, name_key, category, position, created_at, updated_at)
select org_id, pg_temp.id_of(first_ms, 3 * n + k), pg_temp.id_of(first_ms, n), pg_temp.id_of(first_ms, n), 'Stage ' || k,
  'stage ' || k, (array['todo', 'doing', 'done'])[k + 1], k * 65536, began, began
from skew, generate_series(1, 100) n, generate_series(0, 2) k;

-- most old tasks are done; nearly all are assigned; one in 500 is urgent, one in 1,000 of a rare type
insert into tasks (org_id, id, project_id, workspace_id, stage_id, number, key, name, type_id, priority, due_date,
  position, completed_at, created_by, created_at, updated_at, deleted_at, lexemes, assignee_ids, tag_ids)
select org_id, chance.id, pg_temp.id_of(first_ms, drawn.project), pg_temp.id_of(first_ms, drawn.project),
  pg_temp.id_of(first_ms, 3 * drawn.project + drawn.stage), n, 'P' || drawn.project || '-' || n, words, drawn.type,
  drawn.priority, case when due < 400 then made + due * interval '3 hours' end, n::bigint * 65536,
  case when drawn.stage = 2 then made end, owner_id, made, least(made + due * interval '1 hour', ended),
  case when gone < 10 then ended end, pg_temp.lexemes_of(org_id, words),
  array(select pg_temp.id_of(first_ms, drawn.assignee) where drawn.assignee is not null),
  array(select pg_temp.id_of(first_ms, tag) from unnest(array[common_tag, seldom_tag, rare_tag, any_tag]) tag
    where tag is not null order by 1)
from skew, generate_series(1, tasks) n,
  lateral (select first_ms + n * ((last_ms - first_ms) / tasks) as ms) moment,
  lateral (select to_timestamp(ms / 1000.0) as made) shown,
  lateral (select pg_temp.id_of(ms, n) as id, pg_temp.chance(n, 1) as project, pg_temp.chance(n, 2) as stage,
    pg_temp.chance(n, 3) as type, pg_temp.chance(n, 4) as priority, pg_temp.chance(n, 5) as due,
    pg_temp.chance(n, 6) as gone, pg_temp.chance(n, 7) as assignee, pg_temp.chance(n, 8) as tag,
    pg_temp.chance(n, 9) as word, pg_temp.chance(n, 10) as other) chance,
  lateral (select
    case when n <= 12 then 1 when chance.project < 300 then 98 when chance.project < 500 then 99
      when chance.project < 600 then 100 when chance.project < 620 then 96 + n % 2 else 2 + n % 94 end as project,
    case when n < 0.8 * tasks
      then case when chance.stage < 970 then 2 when chance.stage < 980 then 1 else 0 end
      else case when chance.stage < 50 then 2 when chance.stage < 250 then 1 else 0 end end as stage,
    case when chance.type < 1 then pg_temp.id_of(first_ms, 3) when chance.type < 150 then pg_temp.id_of(first_ms, 2)
      when chance.type < 900 then pg_temp.id_of(first_ms, 1) end as type,
    case when chance.priority < 2 then 'urgent' when chance.priority < 50 then 'high'
      when chance.priority < 200 then 'medium' when chance.priority < 500 then 'low' else 'none' end as priority,
    case when n % (tasks / 5) = 7 then 3 when chance.assignee < 200 then 1 when chance.assignee < 220 then 2
      when chance.assignee < 995 then 4 + chance.other end as assignee,
    case when chance.tag < 200 then 1 end as common_tag, case when chance.tag % 100 = 99 then 2 end as seldom_tag,
    case when n % (tasks / 5) = 7 then 3 end as rare_tag, case when chance.tag > 700 then 4 + chance.other end as any_tag,
    'Work' || case when chance.word < 300 then ' common' else '' end
      || case when chance.word % 50 = 0 then ' medium' else '' end
      || case when n % (tasks / 5) = 7 then ' rare' else '' end as words) drawn;

insert into task_assignees (org_id, task_id, member_id)
select tasks.org_id, id, unnest(assignee_ids) from tasks join skew using (org_id);

insert into task_tags (org_id, task_id, tag_id)
select tasks.org_id, id, unnest(tag_ids) from tasks join skew using (org_id);

-- one task, the first, has more below it than all others
insert into subtasks (org_id, id, task_id, project_id, name, position, created_at, updated_at)
select tasks.org_id, pg_temp.id_of(first_ms, n * 1000), tasks.id, project_id, 'Step', n, made.began, made.began
from skew made join tasks using (org_id)
  join generate_series(1, made.tasks / 10) n on tasks.number = case when n <= 300 then 1 else n end;

insert into comments (org_id, id, task_id, project_id, author_id, body, created_at, updated_at)
select tasks.org_id, pg_temp.id_of(first_ms, n), tasks.id, project_id, made.owner_id, 'Fine', made.began, made.began
from skew made join tasks using (org_id)
  join generate_series(1, made.tasks / 3) n on tasks.number = case when n <= 1000 then 1 else n end;

insert into events (org_id, sequence, type, request_id, resource_id, project_id, changes, snapshot, created_at)
select tasks.org_id, last_sequence + n, 'task.updated', 'none', tasks.id, project_id, '{}', '{}', made.began
from skew made join event_counters using (org_id) join tasks using (org_id)
  join generate_series(1, made.tasks) n on tasks.number = case when n <= 1000 then 1 else n end;

update event_counters set last_sequence = last_sequence + skew.tasks from skew where event_counters.org_id = skew.org_id;

-- nearly all time is billable, and only the last of it still runs
insert into time_entries (org_id, id, project_id, task_id, subtask_id, member_id, started_at, ended_at, billable, tag_ids,
  created_at, updated_at, deleted_at, description)
select tasks.org_id, pg_temp.id_of(ms, n), tasks.project_id, case when subtasks.id is null then tasks.id end, subtasks.id,
  pg_temp.id_of(first_ms, member), start, case when n <= entries - 5 or member < 6 then start + interval '1 hour' end,
  pg_temp.chance(n, 20) >= 5, array(select pg_temp.id_of(first_ms, tag)
    from unnest(array[case when label < 200 then 1 end, case when label % 100 = 99 then 2 end,
      case when n % (entries / 5) = 7 then 3 end]) tag where tag is not null order by 1),
  start, start, case when pg_temp.chance(n, 21) < 10 then ended end, repeat('What was done. ', 20)
from skew
  cross join generate_series(1, entries) n
  cross join lateral (select first_ms + n * ((last_ms - first_ms) / entries) as ms, pg_temp.chance(n, 22) as chance) drawn
  cross join lateral (select to_timestamp(ms / 1000.0) as start, case when chance < 200 then 1 when chance < 220 then 2
    when n % (entries / 5) = 7 then 3 else 4 + n % 1900 end as member,
    pg_temp.chance(ms / 1000, 23) as label) shown
  join tasks on tasks.org_id = skew.org_id and tasks.number = 1 + n % skew.tasks
  left join subtasks on subtasks.org_id = skew.org_id and subtasks.task_id = tasks.id and subtasks.position > 300;

insert into time_entry_tags (org_id, time_entry_id, tag_id)
select time_entries.org_id, id, unnest(tag_ids) from time_entries join skew using (org_id);
