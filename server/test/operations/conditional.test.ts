import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/envelope.ts'
import { created, sharedServer, type World } from '../support/world.ts'

const { base, newWorld } = await sharedServer()

/** One of each resource, by the path where it is read, and a change that it takes. */
async function changeable(world: World): Promise<[path: string, change: object][]> {
  const { owner, member, project, workspace, stages, task, subtask, timeEntry, tag, taskType, addToProject } = world
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const board = await workspace()
  const [stage] = await stages(board.id)
  const { id: taskId } = await task({ projectId })
  return [
    ['/organization', { weekStart: 'sunday' }],
    [`/projects/${projectId}`, { name: 'Renamed' }],
    [`/projects/${projectId}/members/${member.memberId}`, { role: 'viewer' }],
    [`/members/${(await world.join('Nell', 'member')).memberId}`, { name: 'Nora' }],
    [`/workspaces/${board.id}`, { name: 'Renamed' }],
    [`/stages/${stage.id}`, { wipLimit: 3 }],
    [`/tasks/${taskId}`, { priority: 'high' }],
    [`/subtasks/${(await subtask(taskId)).id}`, { assigneeId: owner.memberId }],
    [`/time-entries/${(await timeEntry({ taskId })).id}`, { billable: true }],
    [`/tags/${(await tag()).id}`, { color: '#000000' }],
    [`/task-types/${(await taskType()).id}`, { icon: 'bug' }],
  ]
}

test('every resource has a strong ETag, the same wherever it is answered, and another after each change', async () => {
  const world = await newWorld()
  const { owner } = world
  for (const [path, change] of await changeable(world)) {
    const before = await owner.get(path)
    assert.match(before.headers.get('etag') ?? '', /^"\d+"$/, path)
    assert.equal(before.headers.get('etag'), `"${before.body.version}"`)
    const changed = await owner.patch(path, change)
    assert.equal(changed.status, 200, changed.text)
    assert.notEqual(changed.headers.get('etag'), before.headers.get('etag'))
    const after = await owner.get(path)
    assert.deepEqual([after.headers.get('etag'), after.body], [changed.headers.get('etag'), changed.body])
  }
})

test('a GET with If-None-Match gets 304 without a body while the ETag is current, else 200', async () => {
  const world = await newWorld()
  const { owner } = world
  for (const [path, change] of await changeable(world)) {
    const etag = (await owner.get(path)).headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"0", ${etag}`, '*']) {
      const reply = await owner.get(path, { 'if-none-match': known })
      assert.deepEqual([reply.status, reply.text, reply.headers.get('etag')], [304, '', etag], `${path} ${known}`)
    }
    await owner.patch(path, change)
    const { status, body } = await owner.get(path, { 'if-none-match': etag })
    assert.deepEqual([status, `"${body.version}"` === etag], [200, false])
  }
})

test('a GET with If-Match gets 412 unless the ETag of what it answers is current; lists ignore it', async () => {
  const world = await newWorld()
  const { owner } = world
  const { paths } = (await owner.get('/openapi.json')).body
  for (const [path, change] of await changeable(world)) {
    const etag = (await owner.get(path)).headers.get('etag') ?? ''
    assert.equal((await owner.get(path, { 'if-match': `"0", ${etag}` })).status, 200)
    assert.equal((await owner.get(path, { 'if-match': '*' })).status, 200)
    assert.equal((await owner.get(path, { 'if-match': etag, 'if-none-match': etag })).status, 304)
    await owner.patch(path, change)
    assertRefused(await owner.get(path, { 'if-match': etag, 'if-none-match': '*' }), 412, 'etag_mismatch')
  }
  const { id } = await world.project()
  for (const list of ['/projects', `/projects/${id}/members`]) {
    assert.equal((await owner.get(list, { 'if-match': '"99"' })).status, 200)
  }
  const documented = (path: string) => Object.hasOwn(paths[`/api/v1${path}`].get.responses, '412')
  assert.deepEqual(['/projects/{id}', '/organization', '/projects/{id}/members'].map(documented), [true, true, false])
})

test('a PATCH or DELETE with If-Match gets 412 unless the ETag is current, and changes nothing', async () => {
  const world = await newWorld()
  const { owner } = world
  for (const [path, change] of await changeable(world)) {
    const before = await owner.get(path)
    const etag = before.headers.get('etag') ?? ''
    for (const known of ['"0"', `W/${etag}`, etag.slice(1, -1), 'x', '']) {
      assertRefused(await owner.patch(path, change, { 'if-match': known }), 412, 'etag_mismatch')
      if (path !== '/organization') assertRefused(await owner.delete(path, { 'if-match': known }), 412, 'etag_mismatch')
    }
    assert.deepEqual((await owner.get(path)).body, before.body)
    assert.equal((await owner.patch(path, change, { 'if-match': `"0", ${etag}` })).status, 200)
    assertRefused(await owner.patch(path, change, { 'if-match': etag }), 412)
    assert.equal((await owner.patch(path, change, { 'if-match': '*' })).status, 200)
  }
})

test('of two who edit what both have read, the second one is refused', async () => {
  const { owner, admin, tag } = await newWorld()
  const { id } = await tag()
  const etag = (await owner.get(`/tags/${id}`)).headers.get('etag') ?? ''
  const replies = await Promise.all(
    [owner, admin].map((api, i) => api.patch(`/tags/${id}`, { name: `Edit ${i}` }, { 'if-match': etag })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412])
})

test('a DELETE with the current ETag deletes', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  const reply = await owner.delete(`/tags/${id}`, { 'if-match': '"1"' })
  assert.deepEqual([reply.status, reply.text], [204, ''])
})

test('PATCH merges: what is absent stays, what is null is cleared', async () => {
  const { owner, project, task, tag, taskType } = await newWorld()
  const [type, label] = [await taskType(), await tag()]
  const set = { description: 'Why', typeId: type.id, priority: 'high', tagIds: [label.id], dueDate: '2026-12-31' }
  const made = await task({ projectId: (await project()).id, estimateSeconds: 60, ...set })
  const kept = (await owner.patch(`/tasks/${made.id}`, { name: 'Renamed' })).body
  assert.deepEqual(kept, { ...made, name: 'Renamed', version: 2, updatedAt: kept.updatedAt })
  const nothing = { description: null, typeId: null, dueDate: null, estimateSeconds: null }
  const cleared = (await owner.patch(`/tasks/${made.id}`, nothing)).body
  assert.deepEqual(cleared, { ...kept, ...nothing, version: 3, updatedAt: cleared.updatedAt })
})

test('what cannot be absent cannot be cleared: 422', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  assertRefused(await owner.patch(`/tags/${id}`, { name: null }), 422)
})

test('what is created is answered with 201, Location and ETag, and is found at its Location', async () => {
  const world = await newWorld()
  const { owner, project, task, workspace, subtask } = world
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  await subtask(taskId)
  const creating: [path: string, body: object][] = [
    ['/projects', { name: 'x' }],
    [`/projects/${projectId}/members`, { memberId: world.member.memberId, role: 'lead' }],
    ['/members', { name: 'x', email: 'x@example.com' }],
    ['/workspaces', { name: 'x' }],
    [`/workspaces/${(await workspace()).id}/stages`, { name: 'x' }],
    ['/tasks', { name: 'x', projectId }],
    [`/tasks/${taskId}/subtasks`, { name: 'x' }],
    ['/time-entries', { taskId, durationSeconds: 1 }],
    ['/task-types', { name: 'x' }],
    ['/tags', { name: 'x' }],
  ]
  for (const [path, body] of creating) {
    const reply = await owner.post(path, body)
    const made = await created(Promise.resolve(reply))
    const location = reply.headers.get('location') ?? ''
    assert.ok(location.startsWith('/api/v1/'), location)
    const read = await fetch(base + location, { headers: { authorization: `Bearer ${owner.key}` } })
    assert.deepEqual([await read.json(), read.headers.get('etag')], [made, reply.headers.get('etag')])
  }
})

test('whoever is taken off a project and added again has none of the ETags of before', async () => {
  const { owner, member, project, addToProject } = await newWorld()
  const { id } = await project()
  const path = `/projects/${id}/members/${member.memberId}`
  const known: string[] = []
  const note = async () => known.push((await owner.get(path)).headers.get('etag') ?? '')
  const takeOff = [
    () => owner.delete(path),
    async () => {
      await owner.delete(`/members/${member.memberId}`)
      return owner.post(`/members/${member.memberId}/restore`)
    },
  ]
  for (const off of takeOff) {
    await addToProject(id, member, 'viewer')
    await note()
    await owner.patch(path, { role: 'contributor' })
    await note()
    assert.ok((await off()).status < 300)
    await addToProject(id, member, 'lead')
    for (const old of known) {
      assert.equal((await owner.get(path, { 'if-none-match': old })).status, 200)
      assertRefused(await owner.patch(path, { role: 'viewer' }, { 'if-match': old }), 412, 'etag_mismatch')
    }
    assert.equal((await owner.delete(path)).status, 204)
  }
})
