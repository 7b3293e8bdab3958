import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeedResult } from '../../../src/commands/demo/seed.ts'
import { timeOf } from '../../../src/db/ids.ts'
import { sql } from '../../../src/db/sql.ts'
import { type Api, sharedServer } from '../../support/world.ts'
import { everybody, keyOf, seedingOf } from './seeding.ts'

const { db, api } = await sharedServer()
const { seeded, rowsAbout } = seedingOf(db)
const tasks = 700
const made = await seeded({ tasks })

const apiAs = (organization: SeedResult, wanted: (typeof everybody)[number]): Api => api(keyOf(organization, wanted))

test('the seed has the requested size: 12 members in three roles, 8 projects, every task and ten entries for each', async () => {
  const [counts] = await rowsAbout(
    made,
    `select (select count(*) from tasks where org_id = $1) as tasks,
       (select count(*) from time_entries where org_id = $1) as entries,
       (select count(*) from projects where org_id = $1) as projects,
       (select count(*) from members where org_id = $1) as members,
       (select count(distinct role) from members where org_id = $1) as roles,
       (select count(*) from subtasks where org_id = $1) > 100 as subtasks,
       (select count(*) from workspaces where org_id = $1 and project_id is null) > 1 as shared,
       (select count(*) from comments where org_id = $1) > 10 as comments,
       (select count(*) from events where org_id = $1) > 1000 as events,
       (select count(*) from idempotency_keys where org_id = $1) as answers`,
  )
  const some = { subtasks: true, shared: true, comments: true, events: true, answers: 0 }
  assert.deepEqual(counts, { tasks, entries: 10 * tasks, projects: 8, members: 12, roles: 3, ...some })
})

test('a seed of few tasks is a whole organization too', async () => {
  for (const few of [1, 3, 40]) {
    const small = await seeded({ tasks: few })
    const text = `select (select count(*) from tasks where org_id = $1) as tasks,
      (select count(*) from time_entries where org_id = $1) as entries`
    assert.deepEqual(await rowsAbout(small, text), [{ tasks: few, entries: 10 * few }])
  }
})

test('task names do not repeat, except for one that every project has', async () => {
  const [{ names } = { names: 0 }] = await rowsAbout<{ names: number }>(
    made,
    'select count(distinct name) as names from tasks where org_id = $1',
  )
  assert.equal(names, tasks - 8 + 1)
})

const broken = {
  'a task stands in a stage of its workspace': `select tasks.id from tasks join stages on stages.org_id = $1 and stages.id = stage_id
    where tasks.org_id = $1 and stages.workspace_id <> tasks.workspace_id`,
  'a task stands on a board of its project or of all': `select tasks.id from tasks
    join workspaces on workspaces.org_id = $1 and workspaces.id = workspace_id
    where tasks.org_id = $1 and workspaces.project_id <> tasks.project_id`,
  'a task has completedAt exactly in a done stage': `select tasks.id from tasks
    left join stages on stages.org_id = $1 and stages.id = stage_id
    where tasks.org_id = $1 and (completed_at is null) = coalesce(category = 'done', false)`,
  'positions in a stage differ': `select stage_id from tasks where org_id = $1 and stage_id is not null
    group by stage_id having count(*) <> count(distinct position)`,
  'numbers count from 1 to last_task_number': `select projects.id from projects
    left join tasks on tasks.org_id = $1 and project_id = projects.id where projects.org_id = $1 group by projects.id, last_task_number
    having last_task_number <> count(number) or last_task_number <> coalesce(max(number), 0)`,
  'a key is the key of the project and the number': `select tasks.id from tasks
    join projects on projects.org_id = $1 and projects.id = project_id
    where tasks.org_id = $1 and tasks.key <> projects.key || '-' || number`,
  'a task is found by the words of its name and description': `select name from tasks where org_id = $1
    and array(select distinct substr(lexeme, 7) from unnest(lexemes) order by 1) <> array(
      select distinct word from regexp_split_to_table(lower(concat_ws(' ', name, description)), '[^a-z0-9]+') word
      where word <> '' order by 1)`,
  'what has words is found by them': `select id from tasks where org_id = $1 and lexemes is null
    union all select id from comments where org_id = $1 and lexemes is null
    union all select id from subtasks where org_id = $1 and lexemes is null
    union all select id from projects where org_id = $1 and lexemes is null
    union all select id from time_entries where org_id = $1 and description is not null and lexemes is null`,
  'a subtask is in the project of its task': `select subtasks.id from subtasks
    left join tasks on tasks.org_id = $1 and tasks.id = task_id
    where subtasks.org_id = $1 and subtasks.project_id is distinct from tasks.project_id`,
  'an entry has one parent and its project': `select time_entries.id from time_entries
    left join tasks on tasks.org_id = $1 and tasks.id = time_entries.task_id
    left join subtasks on subtasks.org_id = $1 and subtasks.id = subtask_id
    where time_entries.org_id = $1 and (num_nonnulls(time_entries.task_id, subtask_id) <> 1
      or time_entries.project_id is distinct from coalesce(tasks.project_id, subtasks.project_id))`,
  'an entry is of a member of its project, a leader of the organization included': `select time_entries.id from time_entries
    join members on members.org_id = $1 and members.id = time_entries.member_id and role = 'member'
    where time_entries.org_id = $1 and not exists (select from project_members where project_members.org_id = $1
      and project_members.project_id = time_entries.project_id and project_members.member_id = time_entries.member_id
      and project_members.role <> 'viewer')`,
  'a task is assigned to members of its project': `select task_id from task_assignees
    join tasks on tasks.org_id = $1 and tasks.id = task_id
    join members on members.org_id = $1 and members.id = member_id and role = 'member'
    where task_assignees.org_id = $1 and not exists (select from project_members where project_members.org_id = $1
      and project_members.project_id = tasks.project_id and project_members.member_id = task_assignees.member_id
      and project_members.role <> 'viewer')`,
  'a task and an entry bear the tags that refer to them': `select id from tasks where org_id = $1 and tag_ids <> array(
      select tag_id from task_tags where task_tags.org_id = $1 and task_id = tasks.id order by 1)
    union all select id from time_entries where org_id = $1 and tag_ids <> array(
      select tag_id from time_entry_tags where time_entry_tags.org_id = $1 and time_entry_id = time_entries.id order by 1)`,
  'a comment is in the project of its task, which was there before': `select comments.id from comments
    left join tasks on tasks.org_id = $1 and tasks.id = task_id
    where comments.org_id = $1 and (comments.project_id is distinct from tasks.project_id or comments.created_at < tasks.created_at)`,
  'nobody does two things at once': `select one.id from time_entries one join time_entries other on other.org_id = $1
    and other.member_id = one.member_id and other.id <> one.id and other.started_at >= one.started_at
    and other.started_at < one.ended_at where one.org_id = $1`,
  'at most one entry of a member runs': `select member_id from time_entries where org_id = $1 and ended_at is null
    group by member_id having count(*) > 1`,
  'work happens Monday to Friday between eight and seven': `select id from time_entries where org_id = $1
    and ended_at is not null and (extract(isodow from started_at) > 5 or started_at::time < '08:00' or ended_at::time > '19:00')`,
  'an entry lasts from five minutes to four hours': `select id from time_entries where org_id = $1
    and ended_at - started_at not between interval '5 minutes' and interval '4 hours'`,
  'nothing is recorded on a subtask once it is finalized': `select time_entries.id from time_entries
    join subtasks on subtasks.org_id = $1 and subtasks.id = subtask_id
    where time_entries.org_id = $1 and (finalized_at < started_at or finalized_at < ended_at)`,
  'nothing is recorded on a task before it is created or after it is done': `select time_entries.id from time_entries
    join tasks on tasks.org_id = $1 and tasks.id = task_id
    where time_entries.org_id = $1 and (started_at < tasks.created_at or completed_at < ended_at)`,
  'nothing lies in the future, and what is changed was created before': `select id from (
      select id, created_at, updated_at from tasks where org_id = $1
      union all select id, created_at, updated_at from subtasks where org_id = $1
      union all select id, created_at, updated_at from time_entries where org_id = $1
      union all select id, created_at, updated_at from comments where org_id = $1
      union all select id, created_at, updated_at from projects where org_id = $1) rows
    where updated_at < created_at or updated_at > now()`,
}

for (const [rule, text] of Object.entries(broken)) {
  test(`in a seeded organization ${rule}`, async () => {
    assert.deepEqual(await rowsAbout(made, text), [])
  })
}

test('createdAt is the time in the id', async () => {
  for (const table of [
    'tasks',
    'subtasks',
    'time_entries',
    'comments',
    'members',
    'projects',
    'workspaces',
    'tags',
    'task_types',
  ]) {
    const text = `select id, created_at as "createdAt" from ${table} where org_id = $1`
    const rows = await rowsAbout<{ id: string; createdAt: string }>(made, text)
    assert.ok(rows.length > 0)
    for (const { id, createdAt } of rows) assert.equal(timeOf(id).toISOString(), createdAt, table)
  }
})

for (const [path, count] of [
  ['/tasks', tasks],
  ['/time-entries', 10 * tasks],
] as const) {
  test(`the pages of ${path} have every seeded row once, in order`, async () => {
    const ids: string[] = []
    const owner = apiAs(made, 'owner')
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body, text } = await owner.get(`${path}?limit=100${cursor && `&cursor=${cursor}`}`)
      assert.equal(status, 200, text)
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.pagination.nextCursor
    }
    assert.equal(ids.length, count)
    assert.equal(new Set(ids).size, count)
    if (path === '/tasks') assert.deepEqual(ids, ids.toSorted().reverse())
  })
}

test('every list accepts each of the keys', async () => {
  for (const as of everybody) {
    for (const path of [
      '/me',
      '/projects',
      '/workspaces',
      '/members',
      '/task-types',
      '/tags',
      '/tasks',
      '/time-entries',
    ]) {
      const { status, text } = await apiAs(made, as).get(path)
      assert.equal(status, 200, `${as} ${path}: ${text}`)
    }
  }
})

test('the member leads one project and contributes to others; the viewer sees one small project and can change nothing', async () => {
  const [member, viewer] = [apiAs(made, 'member'), apiAs(made, 'viewer')]
  const projects = (await member.get('/projects')).body.data
  const { member: me } = (await member.get('/me')).body
  const roles = await Promise.all(
    projects.map(async ({ id }: { id: string }) => (await member.get(`/projects/${id}/members/${me.id}`)).body.role),
  )
  assert.deepEqual(roles.toSorted(), [...Array(roles.length - 1).fill('contributor'), 'lead'])
  assert.ok(roles.length > 1 && roles.length < 8)

  const { data } = (await viewer.get('/projects')).body
  assert.equal(data.length, 1)
  const seen = (await viewer.get('/tasks?limit=100')).body.data
  assert.ok(seen.length > 0 && seen.length < 40)
  assert.equal((await viewer.post('/tasks', { projectId: data[0].id, name: 'Mine' })).status, 403)
})

test('a seeded organization can be used: the next task gets the next number, and a board without stages takes none', async () => {
  const owner = apiAs(made, 'owner')
  const [{ id: projectId }] = (await owner.get('/projects')).body.data
  const [{ last }] = (await db.rows<{ last: number }>(sql`
    select last_task_number as last from projects where org_id = ${made.orgId} and id = ${projectId}`)) as [
    { last: number },
  ]
  const task = (await owner.post('/tasks', { projectId, name: 'One more' })).body
  assert.equal(task.number, last + 1)
  const boards = (await owner.get('/workspaces?limit=100')).body.data
  const bare = boards.find(({ name }: { name: string }) => name === 'Someday')
  assert.equal((await owner.post(`/tasks/${task.id}/move`, { workspaceId: bare.id })).status, 412)
})
