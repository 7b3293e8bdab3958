import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Api, created, startServer, type World } from '../world.ts'
import { assertRefused } from './envelope.ts'

const { newWorld } = await startServer()

/** One of each resource, by the path where it is read. */
async function oneOfEach(world: World) {
  const { owner, member, project, workspace, stages, task, subtask, timeEntry, tag, taskType, addToProject } = world
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const { id: workspaceId } = await workspace()
  const [{ id: stageId }] = await stages(workspaceId)
  const { id: taskId } = await task({ projectId })
  const { id: subtaskId } = await subtask(taskId)
  const { id: keyId } = await created(owner.post('/api-keys', { name: 'Robot' }))
  const [typeId, tagId] = [(await taskType()).id, (await tag()).id]
  const entryId = (await timeEntry({ taskId })).id
  // a key that no other organization has
  await owner.post('/projects', { name: 'By its key', key: 'ONLYHERE' })
  const paths = [
    ...['/projects/ONLYHERE', `/projects/ONLYHERE/members/${owner.memberId}`],
    ...[`/projects/${projectId}`, `/projects/${projectId}/members/${member.memberId}`, `/members/${member.memberId}`],
    ...[`/workspaces/${workspaceId}`, `/stages/${stageId}`, `/tasks/${taskId}`, `/subtasks/${subtaskId}`],
    ...[`/time-entries/${entryId}`, `/task-types/${typeId}`, `/tags/${tagId}`, `/api-keys/${keyId}`],
  ]
  return { projectId, workspaceId, taskId, subtaskId, keyId, paths }
}

test('a resource of a different organization gets 404, never 403, with the bytes of one that never existed', async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const { paths } = await oneOfEach(other)
  const never = await world.owner.get(`/tasks/${randomUUID()}`)
  assertRefused(never, 404, 'not_found')
  for (const path of paths) {
    // not even the member whose role would not do gets a 403
    for (const api of [world.owner, world.member]) {
      const replies = [await api.get(path), await api.patch(path, { name: 'x' }), await api.delete(path)]
      for (const reply of replies.filter(({ status }) => status !== 405)) {
        assertRefused(reply, 404, 'not_found')
        assert.equal(reply.text, never.text, path)
      }
    }
  }
  for (const path of paths) assert.equal((await other.owner.get(path)).status, 200, path)
})

test('nothing is made or done below a resource of a different organization: 404', async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const { projectId, workspaceId, taskId, subtaskId, keyId } = await oneOfEach(other)
  const { owner } = world
  const attempts = [
    owner.get(`/workspaces/${workspaceId}/stages`),
    owner.post(`/workspaces/${workspaceId}/stages`, { name: 'x' }),
    owner.get(`/tasks/${taskId}/subtasks`),
    owner.post(`/tasks/${taskId}/subtasks`, { name: 'x' }),
    owner.post(`/tasks/${taskId}/move`, {}),
    owner.post(`/subtasks/${subtaskId}/finalize`),
    owner.post(`/subtasks/${subtaskId}/reopen`),
    owner.get(`/projects/${projectId}/members`),
    owner.post(`/projects/${projectId}/members`, { memberId: owner.memberId, role: 'lead' }),
    owner.post(`/api-keys/${keyId}/rotate`),
  ]
  for (const reply of await Promise.all(attempts)) {
    assertRefused(reply, 404)
    assert.equal(reply.text, '{"error":"Not found"}')
  }
})

test('a key that two organizations use leads each to its own project and task, whatever it does with them', async () => {
  const worlds = [await newWorld(), await newWorld()]
  const made: { owner: Api; id: string; taskId: string }[] = []
  for (const { owner, project, task } of worlds) {
    const { id } = await project({ key: 'WEB' })
    made.push({ owner, id, taskId: (await task({ projectId: id })).id })
  }
  const read = async (owner: Api, path: string) => (await owner.get(path)).body
  for (const { owner, id, taskId } of made) {
    assert.equal((await read(owner, '/projects/WEB')).id, id)
    assert.equal((await read(owner, '/tasks/WEB-1')).id, taskId)
    const members = (await read(owner, '/projects/WEB/members')).data
    assert.ok(members.length > 0 && members.every(({ projectId }: { projectId: string }) => projectId === id))
  }
  const [one, other] = made as [(typeof made)[0], (typeof made)[0]]
  const before = await read(other.owner, `/projects/${other.id}`)
  assert.equal((await one.owner.patch('/projects/WEB', { name: 'Ours alone' })).body.id, one.id)
  assert.equal((await one.owner.post('/projects/WEB/archive')).body.id, one.id)
  assert.equal((await one.owner.delete('/projects/WEB')).status, 204)
  assert.deepEqual(await read(other.owner, '/projects/WEB'), before)
  assertRefused(await one.owner.get('/projects/WEB'), 404)
  assert.equal((await one.owner.post('/projects/WEB/restore')).body.id, one.id)
  assert.deepEqual(await read(other.owner, '/projects/WEB'), before)
})

test('a malformed id in a path gets 404', async () => {
  const { owner } = await newWorld()
  for (const id of [
    '',
    '1',
    'abc',
    `${randomUUID()}0`,
    '%00',
    '%F0%9F%98%80',
    '..%2Ftags',
    "'",
    '%zz',
    'x'.repeat(600),
  ]) {
    for (const path of [`/tags/${id}`, `/tasks/${id}/subtasks`, `/projects/${id}/members/${id}`]) {
      const reply = await owner.get(path)
      assertRefused(reply, 404)
      assert.equal(reply.text, '{"error":"Not found"}')
    }
  }
})

test('an id in a path is understood in capital letters too', async () => {
  const { owner, tag } = await newWorld()
  const made = await tag()
  assert.deepEqual((await owner.get(`/tags/${made.id.toUpperCase()}`)).body, made)
})

test('lists hold nothing of a different organization', async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  await oneOfEach(other)
  const lists = ['/projects', '/workspaces', '/members', '/task-types', '/tags', '/tasks', '/time-entries', '/api-keys']
  for (const path of lists) {
    const own = (await world.owner.get(path)).body.data.map(({ id }: { id: string }) => id)
    const theirs = (await other.owner.get(path)).body.data.map(({ id }: { id: string }) => id)
    assert.ok(theirs.length > 0)
    assert.ok(theirs.every((id: string) => !own.includes(id)))
  }
})

test('a stage that the caller sees, but of another workspace, gets 400; one that they do not see 404', async () => {
  const { member, project, workspace, stages, addToProject } = await newWorld()
  const [seen, hidden] = [await project(), await project()]
  await addToProject(seen.id, member)
  const { id: workspaceId } = await workspace({ projectId: seen.id })
  const [[visible], [invisible]] = [
    await stages((await workspace()).id),
    await stages((await workspace({ projectId: hidden.id })).id),
  ]
  const post = (stageId: string) => member.post('/tasks', { name: 'x', projectId: seen.id, workspaceId, stageId })
  assertRefused(await post(visible.id), 400)
  assertRefused(await post(invisible.id), 404)
})

test('two organizations may use the same names, e-mail addresses and keys', async () => {
  for (const { owner } of [await newWorld(), await newWorld()]) {
    assert.equal((await owner.post('/tags', { name: 'Urgent' })).status, 201)
    assert.equal((await owner.post('/projects', { name: 'Website', key: 'WEB' })).status, 201)
    assert.equal((await owner.post('/members', { name: 'Ann', email: 'ann@example.com' })).status, 201)
  }
})
