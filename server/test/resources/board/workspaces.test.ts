import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionGap } from '../../../src/resources/board/order.ts'
import { type Reply, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

const idsOf = ({ body }: Reply) => body.data.map(({ id }: { id: string }) => id).sort()

test('a workspace is created with the named stages, in their order, and without any by default', async () => {
  const { owner, stages } = await newWorld()
  const reply = await owner.post('/workspaces', { name: ' Board ', stages: ['To do', ' Doing ', 'Done'] })
  assert.equal(reply.status, 201)
  const { id, version, createdAt, updatedAt, ...fields } = reply.body
  assert.deepEqual(fields, { name: 'Board', projectId: null, description: null, color: null })
  assert.equal(reply.headers.get('location'), `/api/v1/workspaces/${id}`)
  const made = await stages(id)
  assert.deepEqual(
    made.map((stage: { name: string; position: number; category: string }) => [stage.name, stage.position]),
    [
      ['To do', positionGap],
      ['Doing', 2 * positionGap],
      ['Done', 3 * positionGap],
    ],
  )
  const bare = await owner.post('/workspaces', { name: 'Bare' })
  assert.deepEqual(await stages(bare.body.id), [])
})

test('if two stages have the same name, ignoring case and accents, no stage and no workspace is created: 422', async () => {
  const { owner } = await newWorld()
  const { status, body } = await owner.post('/workspaces', { name: 'Board', stages: ['Prêt', 'PRET'] })
  assert.deepEqual([status, body.details.fieldErrors], [422, { stages: ['Must not contain a name twice'] }])
  assert.equal((await owner.get('/workspaces')).body.total, 0)
})

test('a workspace can be created with at most 50 stages, each with a name: 422', async () => {
  const { owner } = await newWorld()
  const names = Array.from({ length: 51 }, (_, i) => `Stage ${i}`)
  assert.equal((await owner.post('/workspaces', { name: 'Board', stages: names })).status, 422)
  const { body } = await owner.post('/workspaces', { name: 'Board', stages: ['To do', ' '] })
  assert.deepEqual(body.details.fieldErrors, { 'stages.1': ['Must have at least 1 character'] })
})

test('a workspace of a project is listed only for its members, a workspace of the organization for everybody', async () => {
  const { owner, member, project, workspace, addToProject } = await newWorld()
  const [{ id: seen }, { id: hidden }] = [await project(), await project()]
  await addToProject(seen, member, 'viewer')
  const [shared, mine, others] = [
    await workspace(),
    await workspace({ projectId: seen }),
    await workspace({ projectId: hidden }),
  ]
  assert.deepEqual(idsOf(await member.get('/workspaces')), [shared.id, mine.id].sort())
  assert.deepEqual(idsOf(await owner.get('/workspaces')), [shared.id, mine.id, others.id].sort())
  assert.deepEqual(idsOf(await owner.get(`/workspaces?projectId=${seen}`)), [mine.id])
  assert.equal((await member.get(`/workspaces/${others.id}/stages`)).status, 404)
})

test('PATCH keeps absent fields and clears null fields; projectId is fixed', async () => {
  const { owner, workspace } = await newWorld()
  const board = await workspace({ description: 'All of it', color: '#000000' })
  const { body } = await owner.patch(`/workspaces/${board.id}`, { description: null })
  assert.deepEqual([body.description, body.color, body.name, body.version], [null, '#000000', board.name, 2])
  assert.equal((await owner.patch(`/workspaces/${board.id}`, { projectId: null })).status, 422)
})

test('two workspaces can have the same name', async () => {
  const { workspace } = await newWorld()
  assert.equal((await workspace({ name: 'Board' })).name, (await workspace({ name: 'Board' })).name)
})

test('a deleted workspace is gone with its stages, also by their ids', async () => {
  const { owner, workspace, stages, task, project } = await newWorld()
  const { id } = await workspace()
  const [stage] = await stages(id)
  assert.equal((await owner.delete(`/workspaces/${id}`)).status, 204)
  for (const path of [`/workspaces/${id}`, `/workspaces/${id}/stages`, `/stages/${stage.id}`]) {
    assert.equal((await owner.get(path)).status, 404)
  }
  const { id: taskId } = await task({ projectId: (await project()).id })
  assert.equal((await owner.patch(`/tasks/${taskId}`, { workspaceId: id })).status, 404)
  assert.equal((await owner.patch(`/tasks/${taskId}`, { stageId: stage.id })).status, 404)
})
