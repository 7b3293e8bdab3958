import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from '../../../src/db/ids.ts'
import { sharedServer } from '../../support/world.ts'
import { seedingOf } from './seeding.ts'

const { db } = await sharedServer()
const { seeded, rowsAbout } = seedingOf(db)
const tasks = 300
const made = await seeded({ tasks })

// everything but ids and moments; of these, what does not depend on the day of the run
const structure = {
  organizations: 'select name from organizations where org_id = $1',
  members: 'select name, email, role from members where org_id = $1 order by email',
  projects: `select projects.key, projects.name, projects.status, last_task_number, members.name as member, project_members.role
    from projects left join project_members on project_members.org_id = $1 and project_id = projects.id
    left join members on members.org_id = $1 and members.id = member_id
    where projects.org_id = $1 order by 1, 5`,
  stages: `select workspaces.name as workspace, stages.name, category, stages.position from workspaces
    left join stages on stages.org_id = $1 and workspace_id = workspaces.id
    where workspaces.org_id = $1 order by 1, 4`,
  tasks: `select key, tasks.name, description, priority, estimate_seconds, tasks.position, stages.name as stage,
      tasks.created_at::time::text as time, task_types.name as type, creator.name as creator, tasks.version,
      tasks.due_date - tasks.created_at::date > 0 as due_later, completed_at::time::text as completed,
      array(select name from task_assignees join members on members.org_id = $1 and members.id = member_id
        where task_assignees.org_id = $1 and task_id = tasks.id order by 1) as assignees,
      array(select name from task_tags join tags on tags.org_id = $1 and tags.id = tag_id
        where task_tags.org_id = $1 and task_id = tasks.id order by 1) as tags
    from tasks join task_types on task_types.org_id = $1 and task_types.id = type_id
    join members creator on creator.org_id = $1 and creator.id = created_by
    left join stages on stages.org_id = $1 and stages.id = stage_id
    where tasks.org_id = $1 order by key`,
  subtasks: `select key, subtasks.name, subtasks.position, finalized_at::time::text as finalized, members.name as assignee
    from subtasks join tasks on tasks.org_id = $1 and tasks.id = task_id
    left join members on members.org_id = $1 and members.id = assignee_id
    where subtasks.org_id = $1 order by key, subtasks.position`,
  entries: `select members.name, started_at::time::text as time, (ended_at - started_at)::text as duration, key, billable,
      time_entries.description, subtask_id is null as on_task
    from time_entries join members on members.org_id = $1 and members.id = member_id
    left join subtasks on subtasks.org_id = $1 and subtasks.id = subtask_id
    join tasks on tasks.org_id = $1 and tasks.id = coalesce(time_entries.task_id, subtasks.task_id)
    where time_entries.org_id = $1 and ended_at is not null order by members.name, started_at, key`,
}

test('a seed makes the same names, structure and times of day on any day', async () => {
  const [wednesday, sunday] = [
    await seeded({ tasks, nowMs: Date.parse('2026-03-11T15:00Z') }),
    await seeded({ tasks, nowMs: Date.parse('2026-05-03T07:00Z') }),
  ]
  for (const [what, text] of Object.entries(structure)) {
    const [one, other] = [await rowsAbout(wednesday, text), await rowsAbout(sunday, text)]
    assert.ok(one.length > 0, what)
    assert.deepEqual(one, other, what)
  }
})

test('ids of one seed are the same except for their time and their end, which no other run shares', async () => {
  const again = await seeded({ tasks })
  const text = 'select id from tasks where org_id = $1 order by key'
  const [one, other] = [await rowsAbout<{ id: string }>(made, text), await rowsAbout<{ id: string }>(again, text)]
  const counters = (rows: { id: string }[]) => rows.map(({ id }) => placeOf(id) & 0x3fffffffn)
  assert.deepEqual(counters(one), counters(other))
  assert.equal(new Set([...one, ...other].map(({ id }) => id)).size, 2 * tasks)
  assert.notEqual(made.orgId, again.orgId)
})

test('another seed makes other names', async () => {
  const other = await seeded({ tasks, seed: 8 })
  for (const what of ['members', 'projects', 'tasks'] as const) {
    assert.notDeepEqual(await rowsAbout(made, structure[what]), await rowsAbout(other, structure[what]), what)
  }
})
