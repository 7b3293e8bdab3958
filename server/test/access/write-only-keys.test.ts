import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/resources/index.ts'
import { assertRefused } from '../support/envelope.ts'
import { lineOf, startScenes } from '../support/scene.ts'
import { created } from '../support/world.ts'

const { api, newWorld, scene } = await startScenes()

const missing = 'missing_scope'

test('a key without the scope read gets the response of its own write', async () => {
  const { owner, tag } = await newWorld()
  const writer = api((await created(owner.post('/api-keys', { name: 'Writer', scopes: ['write'] }))).secret)
  const { id } = await tag()
  const edited = await writer.patch(`/tags/${id}`, { color: '#1f6feb' })
  assert.deepEqual([edited.status, edited.body.color], [200, '#1f6feb'])
  assert.equal((await writer.post('/tags', { name: 'New' })).status, 201)
  assert.equal((await writer.delete(`/tags/${id}`)).status, 204)
})

test('an update without fields reads: 403 without the scope read', async () => {
  const { ask, world } = await scene()
  const { secret } = await created(world.owner.post('/api-keys', { name: 'Writer', scopes: ['write'] }))
  const edits = routes.filter(({ method }) => method === 'PATCH')
  assert.ok(edits.length >= 10)
  for (const route of edits) {
    for (const body of [{}, undefined]) assertRefused(await ask(api(secret), route, { body }), 403, missing)
    assert.equal((await ask(world.owner, route, { body: {} })).status, 200, lineOf(route))
  }
})

test('a write-only key learns nothing through a move to the same place, a bulk or a dry run: 403', async () => {
  const { owner, project, task, workspace, stages } = await newWorld()
  const writer = api((await created(owner.post('/api-keys', { name: 'Writer', scopes: ['write'] }))).secret)
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const [{ id: stageId }, other] = await stages(workspaceId)
  const { id } = await task({ projectId, workspaceId })
  assertRefused(await writer.post(`/tasks/${id}/move`, { stageId }), 403, missing)
  assert.equal((await writer.post(`/tasks/${id}/move`, { stageId: other.id })).status, 200)
  const path = `/tasks/${id}`
  const reading = { method: 'PATCH', path, body: {} }
  const writing = { method: 'PATCH', path, body: { priority: 'high' } }
  const both = await writer.post('/bulk', { operations: [writing, reading] })
  assert.deepEqual([both.status, both.headers.get('x-error-code')], [403, missing])
  assert.equal((await owner.get(path)).body.priority, 'none')
  assert.equal((await writer.post('/bulk', { operations: [writing] })).status, 200)
  assertRefused(await writer.patch(`${path}?dryRun=true`, { priority: 'low' }), 403, missing)
  assertRefused(await writer.post('/tags?dryRun=true', { name: 'New' }), 403, missing)
  assertRefused(await writer.delete(`${path}?dryRun=true`), 403, missing)
})

test('a write without a response body is not refused for changing nothing', async () => {
  const { owner } = await newWorld()
  const writer = api((await created(owner.post('/api-keys', { name: 'Writer', scopes: ['write'] }))).secret)
  const { id } = await created(owner.post('/api-keys', { name: 'Old' }))
  for (let time = 0; time < 2; time++) assert.equal((await writer.delete(`/api-keys/${id}`)).status, 204)
  const operations = [{ method: 'DELETE', path: `/api-keys/${id}` }]
  assert.equal((await writer.post('/bulk', { operations })).status, 200)
})
