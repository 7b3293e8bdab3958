import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionGap } from '../../../src/resources/board/order.ts'
import { created, type Reply, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

const codeOf = ({ status, headers }: Reply) => [status, headers.get('x-error-code')]

test('a stage is added at the end of its workspace, as todo and without a limit unless set otherwise', async () => {
  const { owner, workspace, project, stages } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const reply = await owner.post(`/workspaces/${workspaceId}/stages`, { name: ' Review ' })
  assert.equal(reply.status, 201)
  const { id, version, createdAt, updatedAt, ...fields } = reply.body
  assert.deepEqual(fields, {
    ...{ workspaceId, projectId, name: 'Review', category: 'todo' },
    ...{ color: null, wipLimit: null, position: 3 * positionGap },
  })
  assert.equal(reply.headers.get('location'), `/api/v1/stages/${id}`)
  assert.deepEqual((await stages(workspaceId)).at(-1), reply.body)
})

test('stages that are added at the same time get different positions', async () => {
  const { owner, workspace, stages } = await newWorld()
  const { id } = await workspace({ stages: [] })
  const names = Array.from({ length: 10 }, (_, i) => `Stage ${i}`)
  await Promise.all(names.map((name) => created(owner.post(`/workspaces/${id}/stages`, { name }))))
  const positions = (await stages(id)).map(({ position }: { position: number }) => position)
  assert.deepEqual(
    positions,
    names.map((_, i) => (i + 1) * positionGap),
  )
})

test('the name of a stage is unique in its workspace, ignoring case and accents: 422', async () => {
  const { owner, workspace, stages } = await newWorld()
  const [board, other] = [await workspace({ stages: ['Prêt'] }), await workspace({ stages: [] })]
  const taken = { name: ['Is already taken'] }
  const { status, body } = await owner.post(`/workspaces/${board.id}/stages`, { name: 'PRET' })
  assert.deepEqual([status, body.details.fieldErrors], [422, taken])
  const { id } = await created(owner.post(`/workspaces/${board.id}/stages`, { name: 'Done' }))
  assert.deepEqual((await owner.patch(`/stages/${id}`, { name: 'prêt' })).body.details.fieldErrors, taken)
  assert.equal((await owner.post(`/workspaces/${other.id}/stages`, { name: 'Prêt' })).status, 201)
  const [first] = await stages(board.id)
  await owner.delete(`/stages/${first.id}`)
  assert.equal((await owner.patch(`/stages/${id}`, { name: 'prêt' })).status, 200)
})

test('a stage has no more tasks than its limit: 412, in whichever way they enter', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace()
  const [stage] = await stages(workspaceId)
  await owner.patch(`/stages/${stage.id}`, { wipLimit: 1 })
  const inside = await task({ projectId, stageId: stage.id })
  const outside = await task({ projectId })
  const full = [412, 'stage_full']
  assert.deepEqual(codeOf(await owner.post('/tasks', { name: 'One more', projectId, workspaceId })), full)
  assert.deepEqual(codeOf(await owner.patch(`/tasks/${outside.id}`, { stageId: stage.id })), full)
  assert.deepEqual(codeOf(await owner.post(`/tasks/${outside.id}/move`, { stageId: stage.id })), full)
  assert.equal((await owner.patch(`/tasks/${inside.id}`, { stageId: stage.id })).status, 200)
  await owner.delete(`/tasks/${inside.id}`)
  assert.equal((await owner.patch(`/tasks/${outside.id}`, { stageId: stage.id })).status, 200)
})

test('tasks that enter a stage at the same time do not exceed its limit', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const { id: projectId } = await project()
  const [stage] = await stages((await workspace()).id)
  await owner.patch(`/stages/${stage.id}`, { wipLimit: 3 })
  const waiting = await Promise.all(Array.from({ length: 8 }, () => task({ projectId })))
  const answers = await Promise.all(waiting.map(({ id }) => owner.patch(`/tasks/${id}`, { stageId: stage.id })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 412, 412, 412, 412, 412])
  const held = (await owner.get(`/tasks?stageId=${stage.id}`)).body.data
  assert.equal(new Set(held.map(({ position }: { position: number }) => position)).size, 3)
})

test('a limit below the number of tasks in a stage is no error: it only lets no more in', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const { id: projectId } = await project()
  const [stage] = await stages((await workspace()).id)
  await task({ projectId, stageId: stage.id })
  await task({ projectId, stageId: stage.id })
  assert.equal((await owner.patch(`/stages/${stage.id}`, { wipLimit: 1 })).status, 200)
  assert.deepEqual(codeOf(await owner.post('/tasks', { name: 'T', projectId, stageId: stage.id })), [412, 'stage_full'])
  for (const wipLimit of [0, -1, 1.5, '1']) {
    assert.equal((await owner.patch(`/stages/${stage.id}`, { wipLimit })).status, 422)
  }
})

test('a stage that becomes done completes its tasks, and one that is no longer done reopens them', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const [stage] = await stages((await workspace()).id)
  const { id } = await task({ projectId: (await project()).id, stageId: stage.id })
  const read = async () => (await owner.get(`/tasks/${id}`)).body
  await owner.patch(`/stages/${stage.id}`, { category: 'done' })
  const completed = await read()
  assert.notEqual(completed.completedAt, null)
  await owner.patch(`/stages/${stage.id}`, { category: 'done', name: 'Shipped' })
  assert.deepEqual(await read(), completed)
  await owner.patch(`/stages/${stage.id}`, { category: 'doing' })
  const reopened = await read()
  assert.deepEqual([reopened.completedAt, reopened.version], [null, completed.version + 1])
})

test('a stage with tasks cannot be deleted: 412; an empty one can', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const [stage] = await stages((await workspace()).id)
  const { id } = await task({ projectId: (await project()).id, stageId: stage.id })
  assert.deepEqual(codeOf(await owner.delete(`/stages/${stage.id}`)), [412, 'stage_holds_tasks'])
  await owner.patch(`/tasks/${id}`, { workspaceId: null })
  assert.equal((await owner.delete(`/stages/${stage.id}`)).status, 204)
  assert.equal((await owner.get(`/stages/${stage.id}`)).status, 404)
})
