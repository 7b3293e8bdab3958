import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Api, sharedServer, type World } from '../../support/world.ts'

const { db, newWorld } = await sharedServer()

interface Event {
  type: string
  actor: { memberId: string | null }
  changes: Record<string, { from: unknown; to: unknown }>
}

const history = async (api: Api, id: string): Promise<Event[]> => (await api.get(`/tasks/${id}/history`)).body.data
const typesOf = (events: Event[]) => events.map(({ type }) => type)

/** A board with an open and a done stage, and three tasks in the open one. */
async function board(world: World) {
  const { id: projectId } = await world.project()
  const { id: workspaceId } = await world.workspace()
  const [open, done] = await world.stages(workspaceId)
  await world.owner.patch(`/stages/${done.id}`, { category: 'done' })
  const tasks = []
  for (const name of ['a', 'b', 'c']) tasks.push(await world.task({ projectId, workspaceId, name }))
  return { projectId, workspaceId, open, done, tasks }
}

test('the history of tasks that are moved out of a deleted stage says so: from where to where, by whom', async () => {
  const world = await newWorld()
  const { open, done, tasks } = await board(world)
  assert.equal((await world.admin.delete(`/stages/${open.id}?moveTasksTo=${done.id}`)).status, 204)
  for (const task of tasks) {
    const { body } = await world.owner.get(`/tasks/${task.id}`)
    const [moved, ...earlier] = await history(world.owner, task.id)
    assert.deepEqual([moved?.type, typesOf(earlier)], ['task.moved', ['task.created']])
    assert.equal(moved?.actor.memberId, world.admin.memberId)
    assert.deepEqual(moved?.changes.stageId, { from: open.id, to: done.id })
    assert.deepEqual(moved?.changes.completedAt, { from: null, to: body.completedAt })
    if (body.position !== task.position) {
      assert.deepEqual(moved?.changes.position, { from: task.position, to: body.position })
    }
  }
})

test('the history of tasks that a change of category completes or reopens says so', async () => {
  const world = await newWorld()
  const { open, tasks } = await board(world)
  const [{ id }] = tasks
  await world.owner.patch(`/stages/${open.id}`, { category: 'done' })
  const { completedAt } = (await world.owner.get(`/tasks/${id}`)).body
  await world.owner.patch(`/stages/${open.id}`, { category: 'doing' })
  await world.owner.patch(`/stages/${open.id}`, { category: 'todo', name: 'Later' })
  const [reopened, completed, ...earlier] = await history(world.owner, id)
  assert.deepEqual(
    [reopened?.type, completed?.type, typesOf(earlier)],
    ['task.updated', 'task.updated', ['task.created']],
  )
  assert.deepEqual(completed?.changes, { completedAt: { from: null, to: completedAt } })
  assert.deepEqual(reopened?.changes, { completedAt: { from: completedAt, to: null } })
})

test('the events of tasks that a stage changes have each task as it is then, in board order, under one request', async () => {
  const world = await newWorld()
  const { open, done, tasks } = await board(world)
  await world.owner.post(`/tasks/${tasks[2].id}/move`, { beforeId: tasks[0].id })
  const asOne = { 'x-request-id': 'one-request' }
  await world.owner.delete(`/stages/${open.id}?moveTasksTo=${done.id}`, asOne)
  const events = await db.rows<{ type: string; snapshot: { name?: string; id: string } }>(sql`
    select type, snapshot from events where org_id = ${world.orgId} and request_id = 'one-request' order by sequence`)
  assert.deepEqual(
    events.map(({ type, snapshot }) => [type, snapshot.name]),
    [
      ['task.moved', 'c'],
      ['task.moved', 'a'],
      ['task.moved', 'b'],
      ['stage.deleted', 'To do'],
    ],
  )
  for (const { snapshot } of events.slice(0, 3)) {
    assert.deepEqual((await world.owner.get(`/tasks/${snapshot.id}`)).body, snapshot)
  }
})

test('a deletion that is refused because the other stage is full moves no task and writes no event', async () => {
  const world = await newWorld()
  const { open, done, tasks } = await board(world)
  await world.owner.patch(`/stages/${done.id}`, { wipLimit: 2 })
  assert.equal((await world.owner.delete(`/stages/${open.id}?moveTasksTo=${done.id}`)).status, 412)
  for (const task of tasks) {
    assert.deepEqual((await world.owner.get(`/tasks/${task.id}`)).body, task)
    assert.deepEqual(typesOf(await history(world.owner, task.id)), ['task.created'])
  }
})

test('a task writes an event of its own, with its own version, for each deleted tag or removed member that it loses', async () => {
  const world = await newWorld()
  const { projectId } = await board(world)
  const [tag, member] = [await world.tag(), world.member.memberId]
  const { id, version } = await world.task({ projectId, tagIds: [tag.id], assigneeIds: [member] })
  await world.owner.delete(`/tags/${tag.id}`)
  await world.owner.delete(`/members/${member}`)
  const { body } = await world.owner.get(`/tasks/${id}`)
  assert.deepEqual([body.tagIds, body.assigneeIds, body.version], [[], [], version + 2])
  const [removed, deleted, ...before] = await history(world.owner, id)
  assert.deepEqual(removed?.changes, { assigneeIds: { from: [member], to: [] } })
  assert.deepEqual(deleted?.changes, { tagIds: { from: [tag.id], to: [] } })
  assert.deepEqual(typesOf([removed, deleted, ...before]), ['task.updated', 'task.updated', 'task.created'])
})

test('a task that was deleted while its stage became a done stage is completed when it returns, and the reverse', async () => {
  const world = await newWorld()
  const { open, tasks } = await board(world)
  const [{ id }] = tasks
  for (const [category, completed] of [
    ['done', true],
    ['doing', false],
  ] as const) {
    await world.owner.delete(`/tasks/${id}`)
    await world.owner.patch(`/stages/${open.id}`, { category })
    const { status, body } = await world.owner.post(`/tasks/${id}/restore`)
    assert.deepEqual([status, body.stageId, body.completedAt !== null], [200, open.id, completed])
  }
})
