import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, sharedServer, type World } from '../../support/world.ts'

const { newWorld } = await sharedServer()

/** A board with four tasks in its first stage. */
async function board(world: World) {
  const { id: projectId } = await world.project()
  const { id: workspaceId } = await world.workspace()
  const [first, second] = await world.stages(workspaceId)
  const tasks = []
  for (const name of ['a', 'b', 'c', 'd']) tasks.push(await world.task({ projectId, workspaceId, name }))
  return { projectId, workspaceId, first, second, tasks }
}

const eventsOf = async (api: Api, id: string) => (await api.get(`/tasks/${id}/history`)).body.total

test('a move of a task to its own place gets 200 and changes nothing: no version, no event', async () => {
  const world = await newWorld()
  const { workspaceId, first, tasks } = await board(world)
  const [a, b, c, d] = tasks
  const stays: [{ id: string }, object | undefined][] = [
    [b, undefined],
    [b, {}],
    [b, { stageId: first.id }],
    [b, { workspaceId }],
    [b, { workspaceId, stageId: null }],
    [b, { workspaceId, stageId: first.id }],
    [b, { afterId: a.id }],
    [b, { beforeId: c.id }],
    [b, { beforeId: c.id, stageId: first.id }],
    [b, { afterId: b.id }],
    [a, { beforeId: b.id }],
    [d, { afterId: c.id }],
  ]
  for (const [task, body] of stays) {
    const reply = await world.owner.post(`/tasks/${task.id}/move`, body)
    assert.deepEqual([reply.status, reply.body], [200, task], JSON.stringify(body))
    assert.equal(reply.headers.get('etag'), `"${reply.body.id}.1"`)
    assert.equal(await eventsOf(world.owner, task.id), 1)
  }
})

test('a move of a task that is on no board to no board changes nothing', async () => {
  const world = await newWorld()
  const task = await world.task({ projectId: (await world.project()).id })
  for (const body of [{}, { workspaceId: null }, { workspaceId: null, stageId: null }, { stageId: null }]) {
    const reply = await world.owner.post(`/tasks/${task.id}/move`, body)
    assert.deepEqual([reply.status, reply.body], [200, task], JSON.stringify(body))
  }
  assert.equal(await eventsOf(world.owner, task.id), 1)
})

test('a task that is not yet directly beside its neighbour is moved', async () => {
  const world = await newWorld()
  const { tasks } = await board(world)
  const [a, b, , d] = tasks
  for (const [task, body] of [
    [d, { afterId: a.id }],
    [a, { beforeId: b.id }],
    [a, { afterId: b.id }],
  ] as const) {
    const { body: moved } = await world.owner.post(`/tasks/${task.id}/move`, body)
    assert.ok(moved.version > task.version)
  }
})

test('PATCH with the current place of a task leaves the place alone, with any other changes', async () => {
  const world = await newWorld()
  const { workspaceId, first, tasks } = await board(world)
  const [, b] = tasks
  const places = [
    { stageId: first.id },
    { workspaceId },
    { workspaceId, stageId: null },
    { workspaceId, stageId: first.id },
  ]
  for (const [i, place] of places.entries()) {
    const { status, body } = await world.owner.patch(`/tasks/${b.id}`, { ...place, name: `name ${i}` })
    const { stageId, position, completedAt } = body
    assert.deepEqual(
      [status, body.workspaceId, stageId, position, completedAt],
      [200, workspaceId, first.id, b.position, null],
    )
    const [latest] = (await world.owner.get(`/tasks/${b.id}/history`)).body.data
    assert.deepEqual(Object.keys(latest.changes), ['name'])
  }
})

test('a stage or subtask that is moved to its own place changes nothing either', async () => {
  const world = await newWorld()
  const { workspaceId, first, second, tasks } = await board(world)
  const [one, two] = [await world.subtask(tasks[0].id), await world.subtask(tasks[0].id)]
  const stays = [
    [`/stages/${first.id}`, { beforeId: second.id }],
    [`/stages/${second.id}`, { afterId: first.id }],
    [`/subtasks/${one.id}`, { beforeId: two.id }],
    [`/subtasks/${two.id}`, { afterId: one.id }],
  ] as const
  for (const [path, body] of stays) {
    const { body: before } = await world.owner.get(path)
    const reply = await world.owner.post(`${path}/move`, body)
    assert.deepEqual([reply.status, reply.body], [200, before], path)
  }
  assert.deepEqual(await world.stages(workspaceId), [first, second])
})
