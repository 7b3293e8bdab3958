import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

interface Event {
  type: string
  sequence: number
  changes: Record<string, { from: unknown; to: unknown }>
}

test('the history of a task says newest first what happened, by whom, and from which value to which', async () => {
  const { owner, member, addToProject, project, workspace, stages, task } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const { id: workspaceId } = await workspace({ projectId })
  const [first, second] = await stages(workspaceId)
  const { id, name } = await task({ projectId, workspaceId, description: 'old' })
  await member.patch(`/tasks/${id}`, { name: 'New', description: null, priority: 'none' }, { 'x-request-id': 'mine-1' })
  await owner.post(`/tasks/${id}/move`, { stageId: second.id })
  const { status, body } = await member.get(`/tasks/${id}/history`)
  const [moved, updated, created] = body.data
  assert.deepEqual([status, body.total], [200, 3])
  assert.deepEqual(
    body.data.map(({ type }: Event) => type),
    ['task.moved', 'task.updated', 'task.created'],
  )
  assert.deepEqual(updated.changes, { name: { from: name, to: 'New' }, description: { from: 'old', to: null } })
  assert.deepEqual([updated.actor.memberId, updated.requestId], [member.memberId, 'mine-1'])
  assert.deepEqual(moved.changes.stageId, { from: first.id, to: second.id })
  assert.deepEqual([moved.actor.memberId, created.changes], [owner.memberId, {}])
  for (const event of body.data) {
    assert.deepEqual([event.resource, event.resourceId, event.projectId], [{ type: 'task', id }, id, projectId])
    assert.match(event.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

test('a history shows the sequence of each event to all readers, and the keys of others only to owners and admins', async () => {
  const { owner, admin, member, join, addToProject, project, task } = await newWorld()
  const viewer = await join('Vic Viewer', 'member')
  const { id: projectId } = await project()
  for (const [api, role] of [
    [member, 'lead'],
    [viewer, 'viewer'],
  ] as const)
    await addToProject(projectId, api, role)
  const { id } = await task({ projectId })
  await member.patch(`/tasks/${id}`, { name: 'New' })
  const [ownersKey, membersKey] = [(await owner.get('/me')).body.apiKey.id, (await member.get('/me')).body.apiKey.id]
  const seenBy = async (api: typeof owner) => {
    const { data } = (await api.get(`/tasks/${id}/history`)).body
    return data.map(({ sequence, actor, type }: Event & { actor: { apiKeyId: string } }) => [
      type,
      sequence,
      actor.apiKeyId,
    ])
  }
  const [[, updatedAs], [, createdAs]] = await seenBy(owner)
  assert.ok(updatedAs > createdAs)
  for (const api of [owner, admin]) {
    assert.deepEqual(await seenBy(api), [
      ['task.updated', updatedAs, membersKey],
      ['task.created', createdAs, ownersKey],
    ])
  }
  assert.deepEqual(await seenBy(member), [
    ['task.updated', updatedAs, membersKey],
    ['task.created', createdAs, null],
  ])
  assert.deepEqual(await seenBy(viewer), [
    ['task.updated', updatedAs, null],
    ['task.created', createdAs, null],
  ])
})

test('the history of a task comes in pages, and has nothing of other tasks', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const [one, other] = [await task({ projectId }), await task({ projectId })]
  for (const name of ['a', 'b', 'c']) {
    await owner.patch(`/tasks/${one.id}`, { name })
    await owner.patch(`/tasks/${other.id}`, { name: `not ${name}` })
  }
  const page = async (offset: number) => (await owner.get(`/tasks/${one.id}/history?limit=2&offset=${offset}`)).body
  const [first, second, past] = [await page(0), await page(2), await page(9)]
  assert.deepEqual([first.total, second.total, past.total, past.data], [4, 4, 4, []])
  const names = [...first.data, ...second.data].map(({ changes }: Event) => changes.name?.to)
  assert.deepEqual(names, ['c', 'b', 'a', undefined])
})

test('only callers who see a task can read its history: 404 for others', async () => {
  const { owner, member, project, task } = await newWorld()
  const other = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  for (const api of [member, other.owner]) {
    const { status, text } = await api.get(`/tasks/${id}/history`)
    assert.deepEqual([status, text], [404, '{"error":"Not found"}'])
  }
  await owner.delete(`/tasks/${id}`)
  assert.equal((await owner.get(`/tasks/${id}/history`)).status, 404)
  await owner.post(`/tasks/${id}/restore`)
  const { data } = (await owner.get(`/tasks/${id}/history`)).body
  assert.deepEqual(
    data.map(({ type }: Event) => type),
    ['task.restored', 'task.deleted', 'task.created'],
  )
})

test('a task that returns off the board, because its stage is gone, says so', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const [first] = await stages(workspaceId)
  const { id } = await task({ projectId, workspaceId, stageId: first.id })
  await owner.delete(`/tasks/${id}`)
  assert.equal((await owner.delete(`/stages/${first.id}`)).status, 204)
  assert.equal((await owner.post(`/tasks/${id}/restore`)).status, 200)
  const [restored] = (await owner.get(`/tasks/${id}/history`)).body.data
  assert.deepEqual(restored.changes.stageId, { from: first.id, to: null })
  assert.deepEqual(restored.changes.workspaceId, { from: workspaceId, to: null })
})

test('a refused request and a dry run are not in the history', async () => {
  const { owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  await owner.patch(`/tasks/${id}`, { name: '' })
  await owner.patch(`/tasks/${id}`, { name: 'x' }, { 'if-match': '"9"' })
  await owner.patch(`/tasks/${id}?dryRun=true`, { name: 'x' })
  assert.equal((await owner.get(`/tasks/${id}/history`)).body.total, 1)
})

test('a history takes the parameters of every offset list: 422 for others', async () => {
  const { owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=1e3',
    'offset=-1',
    'offset=99999999999999999999',
    'type=x',
    'limit=1&limit=2',
  ]) {
    assert.equal((await owner.get(`/tasks/${id}/history?${query}`)).status, 422, query)
  }
  assert.deepEqual((await owner.get(`/tasks/${id}/history?offset=9007199254740991`)).body, { data: [], total: 1 })
})
