import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, invalidFields } from '../../support/envelope.ts'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

test('POST /projects requires an owner or admin: 201 for them, 403 for others', async () => {
  const { owner, admin, member } = await newWorld()
  for (const api of [owner, admin]) {
    const reply = await api.post('/projects', { name: 'Website' })
    assert.equal(reply.status, 201)
    assert.equal(reply.headers.get('location'), `/api/v1/projects/${reply.body.id}`)
  }
  assertRefused(await member.post('/projects', { name: 'Website' }), 403)
  assert.equal((await owner.get('/projects')).body.total, 2)
})

test('DELETE /projects/{id} requires an owner or admin: 403 for others who see it, even its lead', async () => {
  const { owner, admin, member, project, addToProject } = await newWorld()
  const [one, other] = [await project(), await project()]
  await addToProject(one.id, member, 'lead')
  assertRefused(await member.delete(`/projects/${one.id}`), 403)
  assert.equal((await owner.get(`/projects/${one.id}`)).status, 200)
  assert.equal((await admin.delete(`/projects/${one.id}`)).status, 204)
  assert.equal((await owner.delete(`/projects/${other.id}`)).status, 204)
})

test('a caller who is neither owner, admin nor a member of the project gets 404 for deleting it, never 403', async () => {
  const { member, project } = await newWorld()
  assertRefused(await member.delete(`/projects/${(await project()).id}`), 404)
})

test('the creator of a project leads it, and still leads it after losing the admin role', async () => {
  const { owner, admin } = await newWorld()
  const { body: made } = await admin.post('/projects', { name: 'Website' })
  const { data } = (await owner.get(`/projects/${made.id}/members`)).body
  const creator = data.find(({ memberId }: { memberId: string }) => memberId === admin.memberId)
  assert.equal(creator.role, 'lead')
  await owner.patch(`/members/${admin.memberId}`, { role: 'member' })
  const { status, body } = await admin.patch(`/projects/${made.id}`, { name: 'Web' })
  assert.deepEqual([status, body.name], [200, 'Web'])
})

test('owners and admins are members of every project, as leads', async () => {
  const { owner, admin, project } = await newWorld()
  const { id } = await project()
  const { data, total } = (await admin.get(`/projects/${id}/members`)).body
  const roles = new Map(data.map(({ memberId, role }: { memberId: string; role: string }) => [memberId, role]))
  assert.deepEqual([roles.get(owner.memberId), roles.get(admin.memberId), total], ['lead', 'lead', 2])
})

test('deleting a project makes everything below it invisible at once, on every path and to everybody', async () => {
  const world = await newWorld()
  const { owner, member, project, workspace, stages, task, subtask, timeEntry, addToProject } = world
  const { id: projectId } = await project()
  await addToProject(projectId, member, 'lead')
  const { id: workspaceId } = await workspace({ projectId })
  const [stage] = await stages(workspaceId)
  const { id: taskId } = await task({ projectId })
  const { id: subtaskId } = await subtask(taskId)
  const entries = [await timeEntry({ taskId }), await timeEntry({ subtaskId })]
  assert.equal((await owner.delete(`/projects/${projectId}`)).status, 204)
  const paths = [
    ...[
      `/projects/${projectId}`,
      `/projects/${projectId}/members`,
      `/projects/${projectId}/members/${member.memberId}`,
    ],
    ...[`/workspaces/${workspaceId}`, `/workspaces/${workspaceId}/stages`, `/stages/${stage.id}`],
    ...[`/tasks/${taskId}`, `/tasks/${taskId}/subtasks`, `/subtasks/${subtaskId}`],
    ...entries.map(({ id }) => `/time-entries/${id}`),
  ]
  for (const api of [owner, member]) {
    for (const path of paths) assertRefused(await api.get(path), 404)
    assertRefused(await api.patch(`/tasks/${taskId}`, { name: 'Back' }), 404)
    assertRefused(await api.delete(`/projects/${projectId}`), 404)
    assertRefused(await api.post('/tasks', { name: 'Late', projectId }), 404)
    assertRefused(await api.post('/time-entries', { taskId, durationSeconds: 1 }), 404)
    for (const list of ['/projects', '/workspaces']) assert.equal((await api.get(list)).body.total, 0)
    for (const list of ['/tasks', '/time-entries']) assert.deepEqual((await api.get(list)).body.data, [])
  }
})

test('a deleted project frees its key, and its timers are stopped', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project({ key: 'WEB' })
  const { id: taskId } = await task({ projectId })
  assert.equal((await owner.post('/time-entries', { taskId })).body.endedAt, null)
  await owner.delete(`/projects/${projectId}`)
  const again = await project({ key: 'WEB' })
  const other = await task({ projectId: again.id })
  assert.equal((await owner.post('/time-entries', { taskId: other.id })).status, 201)
})

test('the key of a project is unique in the organization, and is derived if it is absent', async () => {
  const { owner, project } = await newWorld()
  await project({ key: 'WEB' })
  assert.deepEqual(invalidFields(await owner.post('/projects', { name: 'Other', key: 'WEB' })), ['key'])
  const [first, second] = [await project({ name: 'Mobile App' }), await project({ name: 'Mobile App' })]
  assert.match(first.key, /^[A-Z][A-Z0-9]{1,9}$/)
  assert.notEqual(first.key, second.key)
  assert.equal((await newWorld().then((other) => other.project({ key: 'WEB' }))).key, 'WEB')
})

test('a resource in a project of which the user is not a member gets 404', async () => {
  const { member, project, workspace, stages, task, subtask, timeEntry } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const [stage] = await stages(workspaceId)
  const { id: taskId } = await task({ projectId })
  const paths = [
    ...[`/projects/${projectId}`, `/workspaces/${workspaceId}`, `/stages/${stage.id}`, `/tasks/${taskId}`],
    ...[`/subtasks/${(await subtask(taskId)).id}`, `/time-entries/${(await timeEntry({ taskId })).id}`],
  ]
  const { text } = await member.get(`/tasks/${randomUUID()}`)
  for (const path of paths) {
    for (const reply of [await member.get(path), await member.patch(path, {}), await member.delete(path)]) {
      assertRefused(reply, 404)
      assert.equal(reply.text, text)
    }
  }
})

test('a member who is removed from a project no longer sees its contents', async () => {
  const { owner, member, project, task, addToProject } = await newWorld()
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  await addToProject(projectId, member)
  assert.equal((await member.get(`/tasks/${taskId}`)).status, 200)
  await owner.delete(`/projects/${projectId}/members/${member.memberId}`)
  assertRefused(await member.get(`/tasks/${taskId}`), 404)
  assert.deepEqual((await member.get('/tasks')).body.data, [])
})
