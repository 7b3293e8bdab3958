import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sharedServer, type World } from '../../support/world.ts'

const { newWorld } = await sharedServer()

/** A project with a board: an open stage and a done one that holds `wipLimit` tasks. */
async function board({ owner, project, workspace, stages }: World, wipLimit: number | null = null) {
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const [open, done] = await stages(workspaceId)
  await owner.patch(`/stages/${done.id}`, { category: 'done', wipLimit })
  return { projectId, workspaceId, open, done }
}

const many = async <T>(count: number, make: (i: number) => Promise<T>) => {
  const made: T[] = []
  for (let i = 0; i < count; i++) made.push(await make(i))
  return made
}

test('the limit of a stage holds when 30 tasks are moved into it at once', async () => {
  const world = await newWorld()
  const { projectId, workspaceId, done } = await board(world, 7)
  const tasks = await many(30, () => world.task({ projectId, workspaceId }))
  const moves = tasks.map(({ id }, i) =>
    i % 2
      ? world.owner.patch(`/tasks/${id}`, { stageId: done.id })
      : world.owner.post(`/tasks/${id}/move`, { stageId: done.id }),
  )
  const replies = await Promise.all(moves)
  const statuses = replies.map(({ status }) => status)
  assert.deepEqual([statuses.filter((s) => s === 200).length, statuses.filter((s) => s === 412).length], [7, 23])
  assert.equal((await world.owner.get(`/tasks?stageId=${done.id}`)).body.data.length, 7)
})

test('the limit of a stage holds when 30 tasks are created in it at once', async () => {
  const world = await newWorld()
  const { projectId, done } = await board(world, 5)
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => world.owner.post('/tasks', { projectId, name: 'x', stageId: done.id })),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [...Array(5).fill(201), ...Array(25).fill(412)])
  assert.equal((await world.owner.get(`/tasks?stageId=${done.id}`)).body.data.length, 5)
  const next = await world.task({ projectId })
  assert.equal(next.number, 6, 'what was refused took no number')
})

test('tasks of a full stage can still change places', async () => {
  const world = await newWorld()
  const { projectId, done } = await board(world, 2)
  const [a, b] = await many(2, () => world.task({ projectId, stageId: done.id }))
  assert.equal((await world.owner.post(`/tasks/${b.id}/move`, { beforeId: a.id })).status, 200)
  assert.equal((await world.owner.patch(`/tasks/${a.id}`, { stageId: done.id, name: 'still here' })).status, 200)
})

test('a stage with tasks cannot be deleted: 412, until they are moved to another one', async () => {
  const world = await newWorld()
  const { projectId, workspaceId, open, done } = await board(world)
  const tasks = await many(3, () => world.task({ projectId, workspaceId }))
  const earlier = await world.task({ projectId, stageId: done.id })
  const refused = await world.owner.delete(`/stages/${open.id}`)
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [412, 'stage_holds_tasks'])
  assert.equal((await world.owner.delete(`/stages/${open.id}?moveTasksTo=${done.id}`)).status, 204)
  assert.equal((await world.owner.get(`/stages/${open.id}`)).status, 404)
  const { data } = (await world.owner.get(`/tasks?stageId=${done.id}`)).body
  assert.equal(data.length, 4)
  assert.ok(data.every(({ completedAt }: { completedAt: string | null }) => completedAt !== null))
  const inOrder = data.toSorted((a: { position: number }, b: { position: number }) => a.position - b.position)
  assert.deepEqual(
    inOrder.map(({ id }: { id: string }) => id),
    [earlier.id, ...tasks.map(({ id }) => id)],
    'they stand behind those that were there, in their order',
  )
  const moved = inOrder.at(-1)
  assert.equal(moved.version, tasks.at(-1)?.version + 1)
})

test('tasks of a deleted stage that leave done are no longer completed', async () => {
  const world = await newWorld()
  const { projectId, open, done } = await board(world)
  const { id } = await world.task({ projectId, stageId: done.id })
  await world.owner.delete(`/stages/${done.id}?moveTasksTo=${open.id}`)
  const { body } = await world.owner.get(`/tasks/${id}`)
  assert.deepEqual([body.stageId, body.completedAt], [open.id, null])
})

test('moveTasksTo keeps the limit of the target stage: 412, and nothing changes', async () => {
  const world = await newWorld()
  const { projectId, workspaceId, open, done } = await board(world, 2)
  const tasks = await many(3, () => world.task({ projectId, workspaceId }))
  const { status, headers } = await world.owner.delete(`/stages/${open.id}?moveTasksTo=${done.id}`)
  assert.deepEqual([status, headers.get('x-error-code')], [412, 'stage_full'])
  assert.deepEqual((await world.owner.get(`/tasks/${tasks[0].id}`)).body, tasks[0])
  await world.owner.delete(`/tasks/${tasks[0].id}`)
  assert.equal((await world.owner.delete(`/stages/${open.id}?moveTasksTo=${done.id}`)).status, 204)
})

test('moveTasksTo names another stage of the same workspace: 400 for others, 404 for invisible ones, 422 for no id', async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const { open } = await board(world)
  const elsewhere = await board(world)
  const foreign = await board(other)
  const remove = async (to: string) => (await world.owner.delete(`/stages/${open.id}?moveTasksTo=${to}`)).status
  assert.deepEqual(
    [await remove(elsewhere.done.id), await remove(open.id), await remove(foreign.done.id), await remove(randomUUID())],
    [400, 400, 404, 404],
  )
  assert.deepEqual([await remove('%00'), await remove('x'), await remove('')], [422, 422, 422])
  const twice = await world.owner.delete(`/stages/${open.id}?moveTasksTo=${open.id}&moveTasksTo=${open.id}`)
  assert.equal(twice.status, 422)
})

test('no task enters a stage while it is deleted', async () => {
  const world = await newWorld()
  const { projectId, open, done } = await board(world)
  const tasks = await many(10, () => world.task({ projectId, stageId: open.id }))
  const [removal, ...moves] = await Promise.all([
    world.owner.delete(`/stages/${done.id}?moveTasksTo=${open.id}`),
    ...tasks.map(({ id }) => world.owner.post(`/tasks/${id}/move`, { stageId: done.id })),
  ])
  assert.equal(removal?.status, 204)
  for (const { status } of moves) assert.ok([200, 404].includes(status), String(status))
  const { data } = (await world.owner.get(`/tasks?stageId=${open.id}`)).body
  assert.equal(data.length, 10)
})

test('a restored task has its own position and keeps the limit of its stage', async () => {
  const world = await newWorld()
  const { owner } = world
  const { projectId, workspaceId, done, open } = await board(world, 1)
  const gone = await world.task({ projectId, stageId: open.id })
  await owner.delete(`/tasks/${gone.id}`)
  const successor = await world.task({ projectId, stageId: open.id })
  const restored = await owner.post(`/tasks/${gone.id}/restore`)
  assert.equal(restored.status, 200)
  assert.notEqual(restored.body.position, successor.position)

  const full = await world.task({ projectId, stageId: done.id })
  await owner.delete(`/tasks/${full.id}`)
  await world.task({ projectId, stageId: done.id })
  assert.equal((await owner.post(`/tasks/${full.id}/restore`)).status, 412)

  const stage = await owner.post(`/workspaces/${workspaceId}/stages`, { name: 'Later' })
  await owner.delete(`/stages/${stage.body.id}`)
  const after = await owner.post(`/workspaces/${workspaceId}/stages`, { name: 'Last' })
  const back = await owner.post(`/stages/${stage.body.id}/restore`)
  assert.notEqual(back.body.position, after.body.position)

  const step = await world.subtask(gone.id)
  await owner.delete(`/subtasks/${step.id}`)
  const nextStep = await world.subtask(gone.id)
  assert.notEqual((await owner.post(`/subtasks/${step.id}/restore`)).body.position, nextStep.position)
})

test('an empty stage can be deleted, however full the stage for its tasks is', async () => {
  const world = await newWorld()
  const { owner } = world
  const { projectId, open, done } = await board(world)
  await many(2, () => world.task({ projectId, stageId: open.id }))
  assert.equal((await owner.patch(`/stages/${open.id}`, { wipLimit: 1 })).status, 200)
  assert.equal((await owner.delete(`/stages/${done.id}?moveTasksTo=${open.id}`)).status, 204)
})
