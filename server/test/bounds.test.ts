import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../src/db/sql.ts'
import { type Reply, startServer, type World } from './world.ts'

const { db, newWorld } = await startServer()

const assertNoRoom = ({ status, headers, body }: Reply, sentence: RegExp) => {
  assert.deepEqual([status, headers.get('x-error-code')], [412, 'no_room'])
  assert.match(body.error, sentence)
}

/** Adds so many rows to a task at once, as they may have come before there was a bound. */
const addTo = (task: { id: string; projectId: string }, { orgId }: World, table: Sql, fields: Sql, values: Sql) =>
  db.rows(sql`
    insert into ${table} (org_id, id, task_id, project_id, created_at, updated_at, ${fields})
    select ${orgId}, gen_random_uuid(), ${task.id}, ${task.projectId}, now(), now(), ${values}`)
const addSubtasks = (task: { id: string; projectId: string }, world: World, count: number) =>
  addTo(task, world, sql`subtasks`, sql`name, position`, sql`'Step', 1000 * generate_series(1, ${count})`)

test('a task has 1,000 subtasks at most: 412 for more, also when one is restored', async () => {
  const world = await newWorld()
  const { owner, project, subtask } = world
  const task = await world.task({ projectId: (await project()).id })
  const { id } = await subtask(task.id)
  await addSubtasks(task, world, 998)
  const add = () => owner.post(`/tasks/${task.id}/subtasks`, { name: 'One more' })
  const together = await Promise.all([add(), add(), add()])
  assert.deepEqual(together.map(({ status }) => status).toSorted(), [201, 412, 412])
  assertNoRoom(await add(), /^A task has 1000 subtasks at most; put more into another task$/)
  assert.equal((await owner.delete(`/subtasks/${id}`)).status, 204)
  assert.equal((await add()).status, 201)
  assertNoRoom(await owner.post(`/subtasks/${id}/restore`), /^A task has 1000 subtasks at most/)
})

test('a task has 10,000 comments at most, and a workspace 100 stages: 412 for more', async () => {
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
  assertNoRoom(await comment(), /^A task has 10000 comments at most$/)
  // one that comes back needs room too
  assert.equal((await owner.delete(`/comments/${last.id}`)).status, 204)
  const { body: next } = await comment()
  assertNoRoom(await owner.post(`/comments/${last.id}/restore`), /^A task has 10000 comments at most$/)
  assert.equal((await owner.delete(`/comments/${next.id}`)).status, 204)
  assert.equal((await owner.post(`/comments/${last.id}/restore`)).status, 200)
  const { id } = await workspace({ stages: Array.from({ length: 50 }, (_, i) => `Stage ${i}`) })
  const operations = Array.from({ length: 50 }, (_, i) => ({
    ...{ method: 'POST', path: `/workspaces/${id}/stages`, body: { name: `Another ${i}` } },
  }))
  assert.equal((await owner.post('/bulk', { operations })).status, 200)
  assertNoRoom(
    await owner.post(`/workspaces/${id}/stages`, { name: 'One more' }),
    /^A workspace has 100 stages at most$/,
  )
})

test('a page holds 2,000 subtasks at most, says of each task whether there are more, and what is beyond a bound reads well', async () => {
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
