import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused } from '../support/envelope.ts'
import { sharedServer } from '../support/world.ts'

const { api, newWorld } = await sharedServer()

const badKey = { 'idempotency-key': 'a b' }
const stale = { 'if-match': '"99"' }

test('without a valid key, a known path gets 401 before any other refusal', async () => {
  const nobody = api('tw_nobody')
  assertRefused(await nobody.post('/tags', '{', badKey), 401)
  assertRefused(await nobody.post('/tags', 'x'.repeat(1_100_000)), 401)
  assertRefused(await nobody.post('/tags', 'x', { 'content-type': 'text/plain' }), 401)
  assertRefused(await nobody.get('/tags/1?limit=0'), 401)
})

test('a body that cannot be read is refused before the Idempotency-Key, and both before any lookup', async () => {
  const { owner } = await newWorld()
  const path = `/tasks/${randomUUID()}/subtasks`
  assertRefused(await owner.post(path, '{', badKey), 400, 'malformed_json')
  assertRefused(await owner.post(path, 'x', { ...badKey, 'content-type': 'text/plain' }), 415)
  assertRefused(await owner.post(path, {}, badKey), 400, 'invalid_idempotency_key')
})

test('the resource in the path is looked up before the role is checked, and the role before the body is validated', async () => {
  const { owner, member, project, addToProject } = await newWorld()
  const { id } = await project()
  assertRefused(await owner.post(`/tasks/${randomUUID()}/subtasks`, { nmae: 1 }), 404)
  assertRefused(await member.delete(`/projects/${id}?x=1`), 404)
  await addToProject(id, member, 'viewer')
  assertRefused(await member.delete(`/projects/${id}?x=1`), 403)
  assertRefused(await member.patch(`/projects/${id}`, { nmae: 1 }), 403)
  assertRefused(await member.post('/projects', { nmae: 1 }), 403)
})

test('the body is validated before what it names is looked up, and that before the role in its project', async () => {
  const { member, project, taskType, addToProject } = await newWorld()
  const { id: projectId } = await project()
  assertRefused(await member.post('/tasks', { projectId: randomUUID() }), 422)
  await addToProject(projectId, member, 'viewer')
  assertRefused(await member.post('/tasks', { name: 'x', projectId, typeId: randomUUID() }), 404)
  assertRefused(await member.post('/tasks', { name: 'x', projectId, typeId: (await taskType()).id }), 403)
})

test('If-Match is compared after all that, and before the rules of the domain', async () => {
  const { owner, project, task, workspace, stages } = await newWorld()
  const path = `/tasks/${(await task({ projectId: (await project()).id })).id}`
  const [foreign] = await stages((await workspace()).id)
  const { id: workspaceId } = await workspace({ stages: [] })
  assertRefused(await owner.patch(path, { name: '' }, stale), 422)
  assertRefused(await owner.patch(path, { typeId: randomUUID() }, stale), 404)
  assertRefused(await owner.patch(path, { workspaceId, stageId: foreign.id }, stale), 412, 'etag_mismatch')
  assertRefused(await owner.patch(path, { workspaceId, stageId: foreign.id }), 400)
  assertRefused(await owner.patch(path, { workspaceId }), 412, 'workspace_has_no_stages')
})

test('an earlier request with the same key is replayed or refused with 409 before anything else of it is checked', async () => {
  const { owner } = await newWorld()
  const keyed = { 'idempotency-key': 'k' }
  const first = await owner.post('/tags', { name: 'x' }, keyed)
  assertRefused(await owner.post('/tags', { nmae: 'x' }, keyed), 409)
  assertRefused(await owner.post(`/tasks/${randomUUID()}/subtasks`, { name: 'x' }, keyed), 409)
  await owner.delete(`/tags/${first.body.id}`)
  assert.equal((await owner.post('/tags', { name: 'x' }, keyed)).text, first.text)
})
