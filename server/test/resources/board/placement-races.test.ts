import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hold } from '../../support/holding.ts'
import { databaseUrl, type Reply, sharedServer, type World } from '../../support/world.ts'

const { newWorld } = await sharedServer()

const lockStage = 'select 1 from stages where id = $1 for update'

interface Placed {
  id: string
  name: string
  position: number
}

/** A project with a board of these stages, and the ways for a task to land on it without naming a stage. */
async function board({ owner, project, workspace, stages, task }: World, names: string[]) {
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId, stages: names })
  const [one, other] = [await task({ projectId }), await task({ projectId })]
  return {
    ...{ projectId, workspaceId, stages: await stages(workspaceId) },
    ways: [
      () => owner.post('/tasks', { name: 'A task', projectId, workspaceId }),
      () => owner.patch(`/tasks/${one.id}`, { workspaceId }),
      () => owner.post(`/tasks/${other.id}/move`, { workspaceId }),
    ],
  }
}

/** Follows the history of a task from one stage to the next; moves tell of nothing else. */
async function wayOf({ owner }: World, id: string, stageId: string): Promise<string> {
  const { data } = (await owner.get(`/tasks/${id}/history?limit=100`)).body
  const moves = data.filter(({ type }: { type: string }) => type === 'task.moved').toReversed()
  return moves.reduce((from: string, { changes }: Event) => {
    assert.deepEqual([changes.stageId?.from, changes.name], [from, undefined])
    return changes.stageId?.to
  }, stageId)
}

interface Event {
  changes: Record<string, { from: unknown; to: unknown }>
}

/** Lets a stage be deleted while requests wait for it that are sent behind the deletion. */
async function whileDeleting(t: TestContext, { owner }: World, id: string, ways: (() => Promise<Reply>)[]) {
  const held = await hold(t, databaseUrl, lockStage, [id])
  const deletion = owner.delete(`/stages/${id}`)
  await held.waiters(1)
  const replies = ways.map((way) => way())
  await held.waiters(1 + ways.length)
  await held.release()
  assert.equal((await deletion).status, 204)
  return Promise.all(replies)
}

test('a task that enters the first stage while that is deleted goes to the next one', async (t) => {
  const world = await newWorld()
  const { stages, ways } = await board(world, ['First', 'Second'])
  const replies = await whileDeleting(t, world, stages[0].id, ways)
  for (const { status, body, text } of replies) {
    assert.ok(status < 300, text)
    assert.equal(body.stageId, stages[1].id)
  }
  assert.equal(new Set(replies.map(({ body }) => body.position)).size, ways.length)
})

test('a task that enters the only stage while that is deleted is refused with 412', async (t) => {
  const world = await newWorld()
  const { stages, ways } = await board(world, ['Only'])
  const replies = await whileDeleting(t, world, stages[0].id, ways)
  for (const { status, headers } of replies) {
    assert.deepEqual([status, headers.get('x-error-code')], [412, 'workspace_has_no_stages'])
  }
})

test('a task that leaves a stage while its tasks are moved is where it went, and its history ends there', async (t) => {
  const world = await newWorld()
  const { projectId, stages } = await board(world, ['First', 'Second', 'Third'])
  const [first, second, third] = stages
  const [leaver, stayer] = [
    await world.task({ projectId, stageId: first.id }),
    await world.task({ projectId, stageId: first.id }),
  ]
  const held = await hold(t, databaseUrl, 'select 1 from tasks where id = $1 for no key update', [leaver.id])
  const leaving = world.owner.post(`/tasks/${leaver.id}/move`, { stageId: third.id })
  await held.waiters(1)
  const deletion = world.owner.delete(`/stages/${first.id}?moveTasksTo=${second.id}`)
  await held.waiters(2)
  await held.release()
  assert.deepEqual([(await leaving).status, (await deletion).status], [200, 204])
  const stageOf = async ({ id }: Placed) => (await world.owner.get(`/tasks/${id}`)).body.stageId
  assert.deepEqual([await stageOf(leaver), await stageOf(stayer)], [third.id, second.id])
  assert.equal(await wayOf(world, leaver.id, first.id), third.id)
})

test('moves of one task at once form one path in its history, from its first place to its last', async () => {
  const world = await newWorld()
  const { owner } = world
  const { projectId, stages } = await board(world, ['A', 'B', 'C', 'D', 'E'])
  const task = await world.task({ projectId, stageId: stages[0].id })
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      if (i % 5 === 4) return (await owner.patch(`/tasks/${task.id}`, { name: `name ${i}` })).status
      return (await owner.post(`/tasks/${task.id}/move`, { stageId: stages[1 + (i % 4)].id })).status
    }),
  )
  assert.deepEqual(new Set(statuses), new Set([200]))
  const last = await wayOf(world, task.id, stages[0].id)
  assert.equal((await owner.get(`/tasks/${task.id}`)).body.stageId, last)
})

test('30 tasks that are moved at once inside a stage each get their place beside the named neighbour', async () => {
  const world = await newWorld()
  const { projectId, stages } = await board(world, ['Stage'])
  const stageId = stages[0].id
  const create = (count: number, name: string) =>
    Promise.all(Array.from({ length: count }, (_, i) => world.task({ projectId, stageId, name: `${name}${i}` })))
  const [anchors, movers] = [await create(15, 'anchor'), await create(30, 'mover')]
  const moves = movers.map(({ id }, i) => {
    const { id: anchor } = anchors[i >> 1]
    return world.owner.post(`/tasks/${id}/move`, i % 2 ? { afterId: anchor } : { beforeId: anchor })
  })
  for (const { status, text } of await Promise.all(moves)) assert.equal(status, 200, text)
  const placed: Placed[] = (await world.owner.get(`/tasks?limit=100&stageId=${stageId}`)).body.data
  assert.equal(new Set(placed.map(({ position }) => position)).size, 45)
  const order = placed.toSorted((a, b) => a.position - b.position).map(({ name }) => name)
  for (let i = 0; i < 15; i++) {
    const at = order.indexOf(`anchor${i}`)
    assert.deepEqual([order[at - 1], order[at + 1]], [`mover${2 * i}`, `mover${2 * i + 1}`])
  }
})

test('40 tasks get room between the same two, one after the other, and the ones that made room were not changed', async () => {
  const world = await newWorld()
  const { projectId, stages } = await board(world, ['Stage'])
  const stageId = stages[0].id
  const [top, bottom] = [await world.task({ projectId, stageId }), await world.task({ projectId, stageId })]
  const order = []
  for (let i = 0; i < 40; i++) {
    const { id } = await world.task({ projectId, stageId })
    const { status } = await world.owner.post(`/tasks/${id}/move`, { afterId: top.id })
    assert.equal(status, 200)
    order.unshift(id)
  }
  const placed: Placed[] = (await world.owner.get(`/tasks?limit=100&stageId=${stageId}`)).body.data
  assert.deepEqual(
    placed.toSorted((a, b) => a.position - b.position).map(({ id }) => id),
    [top.id, ...order, bottom.id],
  )
  const { body } = await world.owner.get(`/tasks/${top.id}`)
  assert.deepEqual({ ...body, position: 0 }, { ...top, position: 0 })
  assert.notEqual(body.position, top.position, 'it made room')
  assert.equal((await world.owner.get(`/tasks/${top.id}/history`)).body.total, 1)
})
