import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sharedServer, type World } from '../../support/world.ts'

const { newWorld } = await sharedServer()

interface Placed {
  id: string
  name: string
  position: number
}

const byPosition = (items: Placed[]) => items.toSorted((a, b) => a.position - b.position)
const names = (items: Placed[]) => byPosition(items).map(({ name }) => name)

/** A project with a board of two stages and tasks in the first of them. */
async function board({ project, workspace, stages, task }: World, tasks: string[] = []) {
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const [todo, done] = await stages(workspaceId)
  const placed = []
  for (const name of tasks) placed.push(await task({ projectId, workspaceId, name }))
  return { projectId, workspaceId, todo, done, tasks: placed }
}

const inStage = async ({ owner }: World, stageId: string): Promise<Placed[]> =>
  (await owner.get(`/tasks?limit=100&stageId=${stageId}`)).body.data

function assertTotalOrder(items: Placed[]) {
  assert.equal(new Set(items.map(({ position }) => position)).size, items.length, 'two stand at one position')
}

test('a stage is moved before or after another one of its workspace', async () => {
  const { owner, workspace, stages } = await newWorld()
  const { id } = await workspace({ stages: ['A', 'B', 'C'] })
  const [a, b, c] = await stages(id)
  const moved = await owner.post(`/stages/${c.id}/move`, { beforeId: a.id })
  assert.deepEqual([moved.status, moved.body.name], [200, 'C'])
  assert.deepEqual(
    (await stages(id)).map(({ name }: Placed) => name),
    ['C', 'A', 'B'],
  )
  await owner.post(`/stages/${c.id}/move`, { afterId: b.id })
  assert.deepEqual(
    (await stages(id)).map(({ name }: Placed) => name),
    ['A', 'B', 'C'],
  )
  await owner.post(`/stages/${a.id}/move`, { afterId: b.id })
  assert.deepEqual(
    (await stages(id)).map(({ name }: Placed) => name),
    ['B', 'A', 'C'],
  )
})

test('a subtask is moved before or after another one of its task', async () => {
  const { owner, project, task, subtask } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  const [a, b, c] = [
    await subtask(id, { name: 'a' }),
    await subtask(id, { name: 'b' }),
    await subtask(id, { name: 'c' }),
  ]
  const list = async () => (await owner.get(`/tasks/${id}/subtasks`)).body.data.map(({ name }: Placed) => name)
  assert.equal((await owner.post(`/subtasks/${c.id}/move`, { afterId: a.id })).status, 200)
  assert.deepEqual(await list(), ['a', 'c', 'b'])
  await owner.post(`/subtasks/${b.id}/move`, { beforeId: a.id })
  assert.deepEqual(await list(), ['b', 'a', 'c'])
})

test('a task is moved before or after another one, and into its stage', async () => {
  const world = await newWorld()
  const { todo, done, tasks } = await board(world, ['a', 'b', 'c'])
  const [a, b, c] = tasks
  await world.owner.post(`/tasks/${c.id}/move`, { beforeId: b.id })
  assert.deepEqual(names(await inStage(world, todo.id)), ['a', 'c', 'b'])
  await world.owner.post(`/tasks/${a.id}/move`, { stageId: done.id })
  await world.owner.patch(`/stages/${done.id}`, { category: 'done' })
  const moved = await world.owner.post(`/tasks/${b.id}/move`, { afterId: a.id })
  assert.deepEqual([moved.status, moved.body.stageId], [200, done.id])
  assert.notEqual(moved.body.completedAt, null)
  assert.deepEqual(names(await inStage(world, done.id)), ['a', 'b'])
})

test('a move of stages and subtasks takes exactly one neighbour, a move of tasks at most one: 422', async () => {
  const world = await newWorld()
  const { todo, done, tasks } = await board(world, ['a', 'b'])
  const [a, b] = tasks
  const [first, second] = [await world.subtask(a.id), await world.subtask(a.id)]
  const both = (id: string) => ({ beforeId: id, afterId: id })
  const replies = [
    await world.owner.post(`/stages/${todo.id}/move`, both(done.id)),
    await world.owner.post(`/stages/${todo.id}/move`, {}),
    await world.owner.post(`/subtasks/${first.id}/move`, both(second.id)),
    await world.owner.post(`/subtasks/${first.id}/move`, {}),
    await world.owner.post(`/tasks/${a.id}/move`, both(b.id)),
  ]
  for (const { status, body } of replies) {
    assert.equal(status, 422)
    assert.equal(body.details.formErrors.length, 1)
  }
})

test('a neighbour at another place is refused with 400', async () => {
  const world = await newWorld()
  const { owner, task, subtask } = world
  const here = await board(world, ['a', 'b'])
  const there = await board(world, ['x'])
  const [[a, b], [x]] = [here.tasks, there.tasks]
  const offBoard = await task({ projectId: here.projectId })
  const [mine, other] = [await subtask(a.id), await subtask(b.id)]
  const replies = [
    await owner.post(`/stages/${here.todo.id}/move`, { beforeId: there.todo.id }),
    await owner.post(`/subtasks/${mine.id}/move`, { afterId: other.id }),
    await owner.post(`/tasks/${a.id}/move`, { afterId: x.id, stageId: here.todo.id }),
    await owner.post(`/tasks/${a.id}/move`, { afterId: b.id, stageId: here.done.id }),
    await owner.post(`/tasks/${a.id}/move`, { afterId: x.id }),
    await owner.post(`/tasks/${a.id}/move`, { afterId: offBoard.id }),
  ]
  assert.deepEqual(
    replies.map(({ status }) => status),
    replies.map(() => 400),
  )
})

test('a move to a neighbour on another board names that board', async () => {
  const world = await newWorld()
  const here = await board(world, ['a'])
  const { id: workspaceId } = await world.workspace({ projectId: here.projectId })
  const [, { id: stageId }] = await world.stages(workspaceId)
  const x = await world.task({ projectId: here.projectId, workspaceId, stageId })
  const move = (to: object) => world.owner.post(`/tasks/${here.tasks[0].id}/move`, { beforeId: x.id, ...to })
  assert.equal((await move({})).status, 400)
  const { status, body } = await move({ workspaceId })
  assert.deepEqual([status, body.workspaceId, body.stageId], [200, workspaceId, stageId])
  assert.ok(body.position < x.position)
})

test('an unknown, foreign, deleted or invisible neighbour is refused with the same 404', async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const { todo, projectId, tasks } = await board(world, ['a', 'gone'])
  const [a, gone] = tasks
  const foreign = await board(other, ['x'])
  const hidden = await board(world, ['h'])
  await world.addToProject(projectId, world.member, 'lead')
  await world.owner.delete(`/tasks/${gone.id}`)
  const [x, h] = [foreign.tasks[0], hidden.tasks[0]]
  const replies = [
    ...(await Promise.all(
      [randomUUID(), x.id, gone.id, h.id].map((beforeId) => world.member.post(`/tasks/${a.id}/move`, { beforeId })),
    )),
    ...(await Promise.all(
      [randomUUID(), foreign.todo.id, hidden.todo.id].map((afterId) =>
        world.member.post(`/stages/${todo.id}/move`, { afterId }),
      ),
    )),
  ]
  assert.deepEqual(
    new Set(replies.map(({ status, text }) => `${status} ${text}`)),
    new Set(['404 {"error":"Not found"}']),
  )
})

test('a neighbour that is not an id is refused with 422', async () => {
  const world = await newWorld()
  const { tasks, todo } = await board(world, ['a'])
  const odd = ['', 'WEB-1', '\0', 1e308, null, [], {}, [randomUUID(), randomUUID()]]
  for (const beforeId of odd) {
    for (const path of [`/tasks/${tasks[0].id}/move`, `/stages/${todo.id}/move`]) {
      const { status, body } = await world.owner.post(path, { beforeId })
      assert.equal(status, 422, `${path} ${JSON.stringify(beforeId)}`)
      assert.deepEqual(Object.keys(body.details.fieldErrors), ['beforeId'])
    }
  }
})

test('the server makes room by itself for any number of moves into one gap, and other items keep their version', async () => {
  const world = await newWorld()
  const { todo, tasks } = await board(world, ['a', 'b', 'c', 'd', ...Array.from({ length: 12 }, (_, i) => `e${i}`)])
  const [a, b, c] = tasks
  for (let i = 0; i < 15; i++) {
    for (const { id } of [b, c]) {
      const { status } = await world.owner.post(`/tasks/${id}/move`, { afterId: a.id })
      assert.equal(status, 200)
    }
  }
  const placed = await inStage(world, todo.id)
  assertTotalOrder(placed)
  assert.deepEqual(names(placed).slice(0, 5), ['a', 'c', 'b', 'd', 'e0'])
  const version = { 'if-match': `"${a.version}"` }
  assert.equal((await world.owner.patch(`/tasks/${a.id}`, { name: 'still' }, version)).status, 200)
  const types = (await world.owner.get(`/tasks/${a.id}/history`)).body.data.map(({ type }: { type: string }) => type)
  assert.deepEqual(types, ['task.updated', 'task.created'], 'its own history does not tell that it made room')
})

test('only nearby items make room', async () => {
  const world = await newWorld()
  const { todo, tasks } = await board(
    world,
    Array.from({ length: 24 }, (_, i) => `t${i}`),
  )
  const [first, second, third] = tasks
  const last = (await inStage(world, todo.id)).find(({ id }) => id === tasks.at(-1).id)
  for (let i = 0; i < 60; i++)
    await world.owner.post(`/tasks/${(i % 2 ? second : third).id}/move`, { afterId: first.id })
  const placed = await inStage(world, todo.id)
  assertTotalOrder(placed)
  assert.equal(placed.find(({ id }) => id === last?.id)?.position, last?.position)
})

test('subtasks and stages get room in the same way', async () => {
  const { owner, workspace, stages, project, task, subtask } = await newWorld()
  const { id } = await workspace({ stages: ['A', 'B', 'C'] })
  const [a, b, c] = await stages(id)
  const { id: taskId } = await task({ projectId: (await project()).id })
  const [x, y, z] = [await subtask(taskId), await subtask(taskId), await subtask(taskId)]
  for (let i = 0; i < 30; i++) {
    for (const moving of [b, c]) await owner.post(`/stages/${moving.id}/move`, { afterId: a.id })
    for (const moving of [y, z]) await owner.post(`/subtasks/${moving.id}/move`, { afterId: x.id })
  }
  assert.deepEqual(names(await stages(id)), ['A', 'C', 'B'])
  assertTotalOrder(await stages(id))
  const { data } = (await owner.get(`/tasks/${taskId}/subtasks`)).body
  assertTotalOrder(data)
  assert.deepEqual(
    data.map(({ id }: Placed) => id),
    [x.id, z.id, y.id],
  )
})

test('50 moves inside one stage at once leave one total order and no equal positions', async () => {
  const world = await newWorld()
  const { todo, tasks } = await board(
    world,
    Array.from({ length: 12 }, (_, i) => `t${i}`),
  )
  const at = (i: number) => tasks[i % tasks.length].id
  const moves = Array.from({ length: 50 }, (_, i) =>
    world.owner.post(`/tasks/${at(i)}/move`, i % 2 ? { beforeId: at(i * 7 + 5) } : { afterId: at(i * 5 + 3) }),
  )
  for (const { status } of await Promise.all(moves)) assert.equal(status, 200)
  const placed = await inStage(world, todo.id)
  assert.equal(placed.length, tasks.length)
  assertTotalOrder(placed)
})

test('30 tasks that are moved into one gap at once all get room there', async () => {
  const world = await newWorld()
  const { todo, tasks } = await board(
    world,
    Array.from({ length: 32 }, (_, i) => `t${i}`),
  )
  const [first] = tasks
  const moves = tasks.slice(2).map(({ id }) => world.owner.post(`/tasks/${id}/move`, { afterId: first.id }))
  const statuses = (await Promise.all(moves)).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([200]))
  const placed = await inStage(world, todo.id)
  assertTotalOrder(placed)
  assert.deepEqual([names(placed)[0], names(placed).at(-1)], ['t0', 't1'])
})
