import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, invalidFields } from '../../support/envelope.ts'
import { created, type Reply, sharedServer, type World } from '../../support/world.ts'

const { newWorld } = await sharedServer()

interface Place {
  workspaceId?: string | null
  stageId?: string | null
}

type Way = (world: World, projectId: string, place: Place) => Promise<Reply>

/** The ways for a task of the project to come to a place. */
const ways: Record<string, Way> = {
  'POST /tasks': ({ owner }, projectId, place) => owner.post('/tasks', { name: 'A task', projectId, ...place }),
  'PATCH /tasks/{id}': async ({ owner, task }, projectId, place) =>
    owner.patch(`/tasks/${(await task({ projectId })).id}`, place),
  'POST /tasks/{id}/move': async ({ owner, task }, projectId, place) =>
    owner.post(`/tasks/${(await task({ projectId })).id}/move`, place),
}
const changingWays = Object.entries(ways).filter(([way]) => way !== 'POST /tasks')

const placeOf = ({ body }: Reply) => [body.workspaceId, body.stageId]

for (const [way, go] of Object.entries(ways)) {
  test(`${way} into a workspace with no stages is refused with 412`, async () => {
    const world = await newWorld()
    const { id: workspaceId } = await world.workspace({ stages: [] })
    assertRefused(await go(world, (await world.project()).id, { workspaceId }), 412, 'workspace_has_no_stages')
  })

  test(`${way} with a stage from a different workspace is refused with 400, even if the workspace has no stages`, async () => {
    const world = await newWorld()
    const { id: projectId } = await world.project()
    const [foreign] = await world.stages((await world.workspace()).id)
    for (const stages of [['To do'], []]) {
      const { id: workspaceId } = await world.workspace({ stages })
      const reply = await go(world, projectId, { workspaceId, stageId: foreign.id })
      assertRefused(reply, 400, 'stage_of_other_workspace')
    }
    assertRefused(await go(world, projectId, { workspaceId: null, stageId: foreign.id }), 400)
  })

  test(`${way} into a workspace puts the task in the named stage, or else in the first one`, async () => {
    const world = await newWorld()
    const { id: projectId } = await world.project()
    const { id: workspaceId } = await world.workspace({ stages: ['To do', 'Doing', 'Done'] })
    const [first, second] = await world.stages(workspaceId)
    assert.deepEqual(placeOf(await go(world, projectId, { workspaceId })), [workspaceId, first.id])
    assert.deepEqual(placeOf(await go(world, projectId, { workspaceId, stageId: null })), [workspaceId, first.id])
    const named = { workspaceId, stageId: second.id }
    assert.deepEqual(placeOf(await go(world, projectId, named)), [workspaceId, second.id])
    assert.deepEqual(placeOf(await go(world, projectId, { stageId: second.id })), [workspaceId, second.id])
  })

  test(`${way} into a workspace of a different project is refused with 400`, async () => {
    const world = await newWorld()
    const { id: workspaceId } = await world.workspace({ projectId: (await world.project()).id })
    const reply = await go(world, (await world.project()).id, { workspaceId })
    assertRefused(reply, 400, 'workspace_of_other_project')
  })

  test(`${way} into a stage that holds as many tasks as it can is refused with 412`, async () => {
    const world = await newWorld()
    const { id: projectId } = await world.project()
    const { id: workspaceId } = await world.workspace()
    const [first, second] = await world.stages(workspaceId)
    await world.owner.patch(`/stages/${first.id}`, { wipLimit: 1 })
    assert.deepEqual(placeOf(await go(world, projectId, { workspaceId })), [workspaceId, first.id])
    assertRefused(await go(world, projectId, { workspaceId }), 412, 'stage_full')
    assert.deepEqual(placeOf(await go(world, projectId, { stageId: second.id })), [workspaceId, second.id])
  })

  test(`${way} with a workspace or stage that the caller cannot see gets 404`, async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const { id: projectId } = await world.project()
    const foreign = await other.workspace()
    const [stage] = await other.stages(foreign.id)
    const { id: workspaceId } = await world.workspace()
    const places = [
      { workspaceId: foreign.id },
      { stageId: stage.id },
      { workspaceId, stageId: stage.id },
      { workspaceId, stageId: randomUUID() },
      { workspaceId: randomUUID() },
    ]
    for (const place of places) assertRefused(await go(world, projectId, place), 404)
  })

  test(`${way} into a done stage completes the task`, async () => {
    const world = await newWorld()
    const { id: workspaceId } = await world.workspace()
    const [, done] = await world.stages(workspaceId)
    await world.owner.patch(`/stages/${done.id}`, { category: 'done' })
    const { body } = await go(world, (await world.project()).id, { stageId: done.id })
    assert.equal(typeof body.completedAt, 'string')
    const reopened = await world.owner.patch(`/tasks/${body.id}`, { workspaceId: null })
    assert.equal(reopened.body.completedAt, null)
  })
}

for (const [way] of changingWays) {
  const changing = ({ owner }: World, id: string, place: Place) =>
    way.startsWith('PATCH') ? owner.patch(`/tasks/${id}`, place) : owner.post(`/tasks/${id}/move`, place)

  /** A task in the second stage of a workspace. */
  const placed = async () => {
    const world = await newWorld()
    const { id: projectId } = await world.project()
    const { id: workspaceId } = await world.workspace()
    const [first, second] = await world.stages(workspaceId)
    const task = await world.task({ projectId, stageId: second.id })
    return { world, task, workspaceId, first, second, projectId }
  }

  test(`${way} with the workspace that the task is already in keeps its stage`, async () => {
    const { world, task, workspaceId, second } = await placed()
    assert.deepEqual(placeOf(await changing(world, task.id, { workspaceId })), [workspaceId, second.id])
  })

  test(`${way} with a null workspace takes the task off the board`, async () => {
    const { world, task } = await placed()
    const reply = await changing(world, task.id, { workspaceId: null })
    assert.deepEqual([...placeOf(reply), reply.body.position], [null, null, null])
  })

  test(`${way} cannot clear the stage of a task on a board: 422 in fieldErrors.stageId`, async () => {
    const { world, task } = await placed()
    assert.deepEqual(invalidFields(await changing(world, task.id, { stageId: null })), ['stageId'])
  })

  test(`${way} with only a stage, of a workspace that the task is not in, is refused with 400`, async () => {
    const { world, task } = await placed()
    const [foreign] = await world.stages((await world.workspace()).id)
    assertRefused(await changing(world, task.id, { stageId: foreign.id }), 400, 'stage_of_other_workspace')
  })

  test(`${way} to the stage that the task is already in is allowed, even if it is full`, async () => {
    const { world, task, second } = await placed()
    await world.owner.patch(`/stages/${second.id}`, { wipLimit: 1 })
    const reply = await changing(world, task.id, { stageId: second.id })
    assert.deepEqual([reply.status, reply.body.stageId, reply.body.position], [200, second.id, task.position])
  })

  test(`${way} changes nothing if it is refused`, async () => {
    const { world, task } = await placed()
    const { id: workspaceId } = await world.workspace({ stages: [] })
    assertRefused(await changing(world, task.id, { workspaceId }), 412)
    assert.deepEqual((await world.owner.get(`/tasks/${task.id}`)).body, task)
  })
}

test('PATCH that is refused for the place changes no other field either', async () => {
  const { owner, project, task, tag, workspace } = await newWorld()
  const made = await task({ projectId: (await project()).id })
  const { id: workspaceId } = await workspace({ stages: [] })
  const changes = { name: 'Renamed', tagIds: [(await tag()).id], workspaceId }
  assertRefused(await owner.patch(`/tasks/${made.id}`, changes), 412)
  assert.deepEqual((await owner.get(`/tasks/${made.id}`)).body, made)
})

test('a workspace has no stages unless it is created with some; after a stage is added, it takes tasks', async () => {
  const { owner, project, task, stages } = await newWorld()
  const { id: workspaceId } = await created(owner.post('/workspaces', { name: 'Empty' }))
  assert.deepEqual(await stages(workspaceId), [])
  const { id } = await task({ projectId: (await project()).id })
  assertRefused(await owner.post(`/tasks/${id}/move`, { workspaceId }), 412)
  const stage = await created(owner.post(`/workspaces/${workspaceId}/stages`, { name: 'To do' }))
  assert.deepEqual(placeOf(await owner.post(`/tasks/${id}/move`, { workspaceId })), [workspaceId, stage.id])
})

test('a stage belongs to a workspace, and is gone when the workspace is deleted', async () => {
  const { owner, workspace, stages } = await newWorld()
  const { id } = await workspace()
  const [stage] = await stages(id)
  assert.equal(stage.workspaceId, id)
  assert.equal((await owner.delete(`/workspaces/${id}`)).status, 204)
  assertRefused(await owner.get(`/stages/${stage.id}`), 404)
})

test('a stage or workspace that still has tasks cannot be deleted: 412', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const { id: workspaceId } = await workspace()
  const [first] = await stages(workspaceId)
  await task({ projectId: (await project()).id, workspaceId })
  assertRefused(await owner.delete(`/stages/${first.id}`), 412)
  assertRefused(await owner.delete(`/workspaces/${workspaceId}`), 412)
})
