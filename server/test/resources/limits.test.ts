import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../src/db/sql.ts'
import { type Api, type Reply, sharedServer, type World } from '../support/world.ts'

const { db, newWorld } = await sharedServer()

const assertNoRoom = ({ status, headers, body }: Reply, sentence: RegExp) => {
  assert.deepEqual([status, headers.get('x-error-code')], [412, 'no_room'])
  assert.match(body.error, sentence)
}

/** Adds so many rows to a task at once. */
const addTo = (task: { id: string; projectId: string }, { orgId }: World, table: Sql, fields: Sql, values: Sql) =>
  db.rows(sql`
    insert into ${table} (org_id, id, task_id, project_id, created_at, updated_at, ${fields})
    select ${orgId}, gen_random_uuid(), ${task.id}, ${task.projectId}, now(), now(), ${values}`)
const addSubtasks = (task: { id: string; projectId: string }, world: World, count: number) =>
  addTo(task, world, sql`subtasks`, sql`name, position`, sql`'Step', 1000 * generate_series(1, ${count})`)

test('a task has at most 1,000 subtasks: 412 for more, also for a restore', async () => {
  const world = await newWorld()
  const { owner, project, subtask } = world
  const task = await world.task({ projectId: (await project()).id })
  const { id } = await subtask(task.id)
  await addSubtasks(task, world, 998)
  const add = () => owner.post(`/tasks/${task.id}/subtasks`, { name: 'One more' })
  const together = await Promise.all([add(), add(), add()])
  assert.deepEqual(together.map(({ status }) => status).toSorted(), [201, 412, 412])
  assertNoRoom(await add(), /^A task can have at most 1000 subtasks; use another task for more$/)
  assert.equal((await owner.delete(`/subtasks/${id}`)).status, 204)
  assert.equal((await add()).status, 201)
  assertNoRoom(await owner.post(`/subtasks/${id}/restore`), /^A task can have at most 1000 subtasks/)
})

test('a task has at most 10,000 comments, and a workspace at most 100 stages: 412 for more', async () => {
  const world = await newWorld()
  const { owner, project, workspace } = world
  const task = await world.task({ projectId: (await project()).id })
  await addTo(
    task,
    world,
    sql`comments`,
    sql`author_id, body`,
    sql`${owner.memberId}, 'Fine' from generate_series(1, 9999)`,
  )
  const comment = () => owner.post(`/tasks/${task.id}/comments`, { body: 'One more' })
  const { body: last } = await comment()
  assertNoRoom(await comment(), /^A task can have at most 10000 comments$/)
  // one that comes back needs room too
  assert.equal((await owner.delete(`/comments/${last.id}`)).status, 204)
  const { body: next } = await comment()
  assertNoRoom(await owner.post(`/comments/${last.id}/restore`), /^A task can have at most 10000 comments$/)
  assert.equal((await owner.delete(`/comments/${next.id}`)).status, 204)
  assert.equal((await owner.post(`/comments/${last.id}/restore`)).status, 200)
  const { id } = await workspace({ stages: Array.from({ length: 50 }, (_, i) => `Stage ${i}`) })
  const operations = Array.from({ length: 50 }, (_, i) => ({
    ...{ method: 'POST', path: `/workspaces/${id}/stages`, body: { name: `Another ${i}` } },
  }))
  assert.equal((await owner.post('/bulk', { operations })).status, 200)
  assertNoRoom(
    await owner.post(`/workspaces/${id}/stages`, { name: 'One more' }),
    /^A workspace can have at most 100 stages$/,
  )
})

test('a page has at most 2,000 subtasks, and says for each task whether there are more; tasks above a limit can be read', async () => {
  const world = await newWorld()
  const { owner, project, subtask, task } = world
  const { id: projectId } = await project()
  const [none, few, many, more] = [
    await task({ projectId }),
    await task({ projectId }),
    await task({ projectId }),
    await task({ projectId }),
  ]
  const [first, second] = [await subtask(few.id), await subtask(few.id)]
  await addSubtasks(many, world, 501)
  await addSubtasks(more, world, 1_500)
  const { body, text } = await owner.get(`/tasks?projectId=${projectId}&include=subtasks`)
  assert.ok(text.length < 1_000_000)
  const held = body.data.map((one: { id: string; subtasks: unknown[]; moreSubtasks?: true }) => {
    return [one.id, one.subtasks.length, one.moreSubtasks]
  })
  assert.deepEqual(held, [
    [more.id, 500, true],
    [many.id, 500, true],
    [few.id, 2, undefined],
    [none.id, 0, undefined],
  ])
  assert.deepEqual(body.data[2].subtasks, [first, second])
  const positions = body.data[0].subtasks.map(({ position }: { position: number }) => position)
  assert.deepEqual(
    positions,
    Array.from({ length: 500 }, (_, i) => (i + 1) * 1_000),
  )
  const alone = async ({ id }: { id: string }) => (await owner.get(`/tasks/${id}?include=subtasks`)).body
  const [whole, cut] = [await alone(many), await alone(more)]
  assert.deepEqual([whole.subtasks.length, whole.moreSubtasks], [501, undefined])
  assert.deepEqual([cut.subtasks.length, cut.moreSubtasks], [1_000, true])
  const rest = (await owner.get(`/tasks/${more.id}/subtasks?limit=100&offset=1450`)).body
  assert.deepEqual([rest.total, rest.data.length], [1_500, 50])
  assert.equal((await owner.delete(`/tasks/${more.id}`)).status, 204)
  assert.equal((await owner.post(`/tasks/${more.id}/restore`)).status, 200)
})

/** Adds so much time to a task, some of it on a subtask, as it may have come in the course of years. */
async function addTime(
  task: { id: string; projectId: string },
  world: World,
  count: number,
  { subtaskId }: { subtaskId?: string } = {},
) {
  const { orgId, owner } = world
  const taskId = subtaskId === undefined ? task.id : null
  await db.rows(sql`
    insert into time_entries (org_id, id, project_id, task_id, subtask_id, member_id, started_at, ended_at, created_at, updated_at)
    select ${orgId}, gen_random_uuid(), ${task.projectId}, ${taskId}::uuid, ${subtaskId ?? null}::uuid, ${owner.memberId},
      now() - n * interval '2 minutes', now() - n * interval '2 minutes' + interval '1 minute', now(), now()
    from generate_series(1, ${count}::int) n`)
}

test('a task has at most 10,000 time entries, with those of its subtasks: 412 for more, in whichever way they come', async () => {
  const world = await newWorld()
  const { owner, project } = world
  const { id: projectId } = await project()
  const [task, beside] = [await world.task({ projectId }), await world.task({ projectId })]
  const [step, next] = [await world.subtask(task.id), await world.subtask(task.id)]
  const elsewhere = await world.timeEntry({ taskId: beside.id })
  await addTime(task, world, 4_999)
  await addTime(task, world, 5_000, { subtaskId: step.id })
  const add = (on: object = { taskId: task.id }) => owner.post('/time-entries', { ...on, durationSeconds: 60 })
  const { status, body: last } = await add({ subtaskId: step.id })
  assert.equal(status, 201)
  const full =
    /^A task can have at most 10000 time entries, including those on its subtasks; record more on another task$/
  assertNoRoom(await add(), full)
  assertNoRoom(await add({ subtaskId: next.id }), full)
  assertNoRoom(await owner.post('/timer/start', { taskId: task.id }), full)
  for (const onto of [{ taskId: task.id }, { subtaskId: next.id }]) {
    assertNoRoom(await owner.patch(`/time-entries/${elsewhere.id}`, onto), full)
  }
  const operations = [{ method: 'POST', path: '/time-entries', body: { taskId: task.id, durationSeconds: 60 } }]
  assertNoRoom(await owner.post('/bulk', { operations }), /^operations\.0: A task can have at most 10000/)
  const key = { 'idempotency-key': 'once' }
  const keyed = () => owner.post('/time-entries', { taskId: task.id, durationSeconds: 60 }, key)
  assertNoRoom(await keyed(), full)
  assertNoRoom(await keyed(), full)
  const [{ count } = assert.fail()] = await db.rows<{ count: number }>(sql`
    select count(*)::int as count from time_entries where org_id = ${world.orgId}`)
  assert.equal(count, 10_001)

  // within the task it may change its place
  assert.equal((await owner.patch(`/time-entries/${last.id}`, { subtaskId: next.id })).status, 200)
  assert.equal((await owner.patch(`/time-entries/${last.id}`, { taskId: task.id })).status, 200)
  assert.equal((await owner.delete(`/time-entries/${last.id}`)).status, 204)
  const { body: another } = await add()
  assert.equal((await owner.delete(`/time-entries/${another.id}`)).status, 204)
  assert.equal((await owner.patch(`/time-entries/${elsewhere.id}`, { subtaskId: next.id })).status, 200)
  assertNoRoom(await owner.post(`/time-entries/${last.id}/restore`), full)
  assert.equal((await owner.delete(`/subtasks/${step.id}`)).status, 204)
  assert.equal((await owner.post(`/time-entries/${last.id}/restore`)).status, 200)
  assertNoRoom(await owner.post(`/subtasks/${step.id}/restore`), full)
  assert.equal((await owner.delete(`/time-entries/${last.id}`)).status, 204)
  assert.equal((await owner.post(`/subtasks/${step.id}/restore`)).status, 200)

  // and whatever a task may hold is deleted with it, and comes back
  assert.equal((await owner.delete(`/tasks/${task.id}`)).status, 204)
  assert.equal((await owner.get(`/time-entries?taskId=${task.id}`)).body.data.length, 0)
  assert.equal((await owner.post(`/tasks/${task.id}/restore`)).status, 200)
  assertNoRoom(await add(), full)
})

/** A stage, in which stand a task and, as they are added, others with the same texts. */
async function standing({ orgId, owner, project, workspace, stages, task }: World, texts: object) {
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const [stage, next] = await stages(workspaceId)
  const { id: taskId } = await task({ projectId, workspaceId, stageId: stage.id, ...texts })
  return {
    stage,
    next,
    add: (count: number) =>
      db.rows(sql`
        insert into tasks (org_id, id, project_id, workspace_id, stage_id, number, key, name, description, position,
          created_by, created_at, updated_at)
        select org_id, gen_random_uuid(), project_id, workspace_id, stage_id, last + n, 'MORE-' || (last + n), name, description,
          position + (last + n) * 1000, created_by, created_at, updated_at
        from tasks, (select max(number) as last from tasks where org_id = ${orgId} and project_id = ${projectId}) made,
          generate_series(1, ${count}) n
        where tasks.org_id = ${orgId} and tasks.id = ${taskId}`),
    complete: () => owner.patch(`/stages/${stage.id}`, { category: 'done' }),
    reopen: () => owner.patch(`/stages/${stage.id}`, { category: 'todo' }),
  }
}

const assertTooMany = ({ status, headers, body }: Reply, sentence: RegExp) => {
  assert.deepEqual([status, headers.get('x-error-code')], [412, 'too_many_changes'])
  assert.match(body.error, sentence)
}

test('the events of one request have at most 12 MB: 412 above, also in a dry run, and nothing changes', async () => {
  const world = await newWorld()
  const { orgId, owner } = world
  // six characters in JSON
  const control = '\u0001'
  const texts = { name: `${control.repeat(254)}x`, description: control.repeat(510) }
  const { stage, add } = await standing(world, texts)
  await add(99)
  const flips = (count: number) => ({
    operations: Array.from({ length: count }, (_, i) => ({
      ...{ method: 'PATCH', path: `/stages/${stage.id}`, body: { category: i % 2 ? 'todo' : 'done' } },
    })),
  })
  const told = async (as: Api, count: number) => {
    const before = await eventsOf(orgId)
    assert.equal((await as.post('/bulk', flips(count))).status, 200)
    return (await eventsOf(orgId)).slice(before.length).reduce((sum, text) => sum + text.length, 0)
  }
  const most = 12_582_912
  const each = (await told(owner, 2)) / 2
  // numbers of versions grow by a digit or two
  const count = 2 * Math.floor((most - 101 * 100 * 2) / each / 2)
  assert.ok(count > 10 && count < 98)
  const last = await told(owner, count)
  assert.ok(last <= most && last > most - 2.5 * each)
  const before = await eventsOf(orgId)
  for (const path of ['/bulk?dryRun=true', '/bulk']) {
    const refused = await owner.post(path, flips(count + 4))
    assertTooMany(
      refused,
      /^operations\.\d\d: This would change more than 10000 things, or more than 12 MB of text, at once/,
    )
  }
  assert.deepEqual(await eventsOf(orgId), before)
  assert.equal((await owner.get(`/stages/${stage.id}`)).body.category, 'todo')
})

/** The texts of an organization's events, as they are counted. */
const eventsOf = async (orgId: string) => {
  const rows = await db.rows<Record<string, unknown>>(sql`
    select type, resource_id as "resourceId", project_id as "projectId", changes, snapshot from events
    where org_id = ${orgId} order by sequence`)
  return rows.map((row) => JSON.stringify(row))
}

test('a stage whose tasks have more than 64 MB of descriptions cannot change its category or hand over its tasks: 412', async () => {
  const world = await newWorld()
  const { stage, next, add, complete, reopen } = await standing(world, { description: '\u{1f600}'.repeat(50_000) })
  await add(334)
  assert.equal((await complete()).status, 200)
  await add(1)
  const handedOver = () => world.owner.delete(`/stages/${stage.id}?moveTasksTo=${next.id}`)
  for (const refused of [await reopen(), await handedOver()])
    assertTooMany(refused, /, or too much text, to change at once/)
  assert.equal((await world.owner.get(`/stages/${stage.id}`)).body.category, 'done')
})
