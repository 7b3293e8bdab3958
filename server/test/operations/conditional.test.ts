import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { assertRefused } from '../support/envelope.ts'
import { created, sharedServer, type World } from '../support/world.ts'

const { base, api, db, newWorld } = await sharedServer()
const nobody = api('tw_nobody')

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

test('every resource has a strong ETag, the same in every response, and a different one after each change', async () => {
  const world = await newWorld()
  const { owner } = world
  for (const [path, change] of await changeable(world)) {
    const before = await owner.get(path)
    assert.equal(before.headers.get('etag'), tagOf(before.body), path)
    const changed = await owner.patch(path, change)
    assert.equal(changed.status, 200, changed.text)
    assert.notEqual(changed.headers.get('etag'), before.headers.get('etag'))
    const after = await owner.get(path)
    assert.deepEqual([after.headers.get('etag'), after.body], [changed.headers.get('etag'), changed.body])
  }
})

test('a GET with If-None-Match gets 304 without a body while the ETag is current, and otherwise 200', async () => {
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
    assert.deepEqual([status, tagOf(body) === etag], [200, false])
  }
})

test('a GET with If-Match gets 412 unless the ETag of its response is current; lists ignore it', async () => {
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
    for (const known of ['"0"', `W/${etag}`, etag.replace('.', '0.'), etag.replace(/"$/, '0"')]) {
      assertRefused(await owner.patch(path, change, { 'if-match': known }), 412, 'etag_mismatch')
      if (path !== '/organization') assertRefused(await owner.delete(path, { 'if-match': known }), 412, 'etag_mismatch')
    }
    // it is no tag at all, which a client has to be told
    for (const malformed of ['1', etag.slice(1, -1), `${etag}, 1`, '*, "1"', '"1', '']) {
      const { status, headers, text } = await owner.patch(path, change, { 'if-match': malformed })
      assert.deepEqual([status, headers.get('x-error-code')], [400, 'invalid_if_match'], malformed)
      assert.match(text, /in double quotes: \\"[0-9a-f-]{36}\.1\\"/)
    }
    assert.deepEqual((await owner.get(path)).body, before.body)
    assert.equal((await owner.patch(path, change, { 'if-match': `"0", ${etag}` })).status, 200)
    assertRefused(await owner.patch(path, change, { 'if-match': etag }), 412)
    assert.equal((await owner.patch(path, change, { 'if-match': '*' })).status, 200)
  }
})

/** What a resource is compared by: its id and its version. */
const tagOf = ({ id, projectId, memberId, version }: Record<string, unknown>) =>
  `"${id ?? `${projectId}.${memberId}`}.${version}"`

test('two resources never share an ETag, even in different organizations', async () => {
  const worlds = [await newWorld(), await newWorld()]
  const tags: (string | null)[] = []
  for (const world of worlds) {
    for (const [path] of await changeable(world)) tags.push((await world.owner.get(path)).headers.get('etag'))
  }
  assert.equal(new Set(tags).size, tags.length)
  const [mine, others] = worlds.map(({ owner }) => owner)
  const etag = (await mine?.get('/organization'))?.headers.get('etag') ?? ''
  assert.equal((await others?.get('/organization', { 'if-none-match': etag }))?.status, 200)
  const edit = await others?.patch('/organization', { weekStart: 'sunday' }, { 'if-match': etag })
  assert.equal(edit?.status, 412)
})

test('an ETag of an old task does not match a new task with the same key: 412, and the new task is not overwritten', async () => {
  const { owner, project, task } = await newWorld()
  const first = await project({ key: 'WEB' })
  await task({ projectId: first.id, name: 'Old' })
  const etag = (await owner.get('/tasks/WEB-1')).headers.get('etag') ?? ''
  await owner.delete(`/projects/${first.id}`)
  const next = await project({ key: 'WEB' })
  const { id } = await task({ projectId: next.id, name: 'New' })
  for (const stale of [etag, '"1"']) {
    const change = { name: 'Overwritten' }
    assertRefused(await owner.patch('/tasks/WEB-1', change, { 'if-match': stale }), 412, 'etag_mismatch')
    const inBulk = [{ method: 'PATCH', path: '/tasks/WEB-1', body: change, ifMatch: stale }]
    const { status, headers } = await owner.post('/bulk', { operations: inBulk })
    assert.deepEqual([status, headers.get('x-error-code')], [412, 'etag_mismatch'])
  }
  assert.equal((await owner.get(`/tasks/${id}`)).body.name, 'New')
})

test('a version alone is compared if the path has the id, as older clients send it, but not if it has a key', async () => {
  const world = await newWorld()
  const { owner } = world
  for (const [path, change] of await changeable(world)) {
    const { version } = (await owner.get(path)).body
    assertRefused(await owner.patch(path, change, { 'if-match': `"${version + 1}"` }), 412, 'etag_mismatch')
    assert.equal((await owner.patch(path, change, { 'if-match': `"${version}"` })).status, 200, path)
  }
  const { key } = (await owner.get('/tasks')).body.data[0]
  const { version } = (await owner.get(`/tasks/${key}`)).body
  const reply = await owner.patch(`/tasks/${key}`, { name: 'x' }, { 'if-match': `"${version}"` })
  assertRefused(reply, 412, 'etag_mismatch')
  assert.match(reply.text, /send the whole ETag/)
})

test('every response that depends on the caller says so in Vary: successes, 304, refusals, and responses without a body', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  const path = `/tags/${id}`
  const etag = (await owner.get(path)).headers.get('etag') ?? ''
  const list = (await owner.get('/tags')).headers.get('etag') ?? ''
  const replies = [
    ...[await owner.get(path), await owner.get('/tags'), await owner.get('/me'), await owner.get('/api-keys')],
    ...[await owner.get(path, { 'if-none-match': etag }), await owner.get('/tags', { 'if-none-match': list })],
    ...[await owner.patch(path, { name: 'x' }), await owner.post('/tags', {}), await owner.delete(path)],
    ...[await owner.get(path), await owner.get('/audit'), await nobody.get(path)],
  ]
  for (const { status, headers } of replies) {
    const varying = (headers.get('vary') ?? '').split(', ')
    for (const name of ['authorization', 'x-api-key', 'cookie', 'x-organization', 'accept'])
      assert.ok(varying.includes(name), `${status} ${name}`)
  }
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 304, 422, 204, 404, 401]))
})

test('when two callers update what both have read, the second one is refused', async () => {
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
  const reply = await owner.delete(`/tags/${id}`, { 'if-match': `"${id}.1"` })
  assert.deepEqual([reply.status, reply.text], [204, ''])
})

test('PATCH merges: an absent field keeps its value, a null field is cleared', async () => {
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

test('a field that cannot be absent cannot be cleared: 422', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  assertRefused(await owner.patch(`/tags/${id}`, { name: null }), 422)
})

test('a creation gets 201, Location and ETag, and a client finds the resource at its Location', async () => {
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

test('no earlier ETag matches a member who was removed from a project and added again', async () => {
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

test('using an API key changes its ETag, and in If-Match both ETags stand for its version', async () => {
  const { owner, orgId } = await newWorld()
  const { id } = await created(owner.post('/api-keys', { name: 'Robot' }))
  const path = `/api-keys/${id}`
  const before = (await owner.get(path)).headers.get('etag') ?? ''
  await db.rows(
    sql`update api_keys set last_used_at = ${new Date().toISOString()} where org_id = ${orgId} and id = ${id}`,
  )
  const read = await owner.get(path, { 'if-none-match': before })
  const after = read.headers.get('etag') ?? ''
  assert.equal(read.status, 200)
  assert.notEqual(read.body.lastUsedAt, null)
  assert.equal((await owner.get(path, { 'if-none-match': after })).status, 304)
  assert.equal((await owner.delete(path, { 'if-match': before })).status, 204)
})
