import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

/** A project with something of everything in it, and an owner who can write it all. */
async function fullProject() {
  const world = await newWorld()
  const { owner, member, project, workspace, stages, task, subtask, timeEntry, addToProject } = world
  const [{ id: projectId }, outside] = [await project({ key: 'FULL' }), await project()]
  await addToProject(projectId, member)
  const { id: workspaceId } = await workspace({ projectId })
  const [first, second] = await stages(workspaceId)
  const { id: taskId } = await task({ projectId, workspaceId })
  const [step, other] = [await subtask(taskId), await subtask(taskId)]
  const { id: comment } = (await owner.post(`/tasks/${taskId}/comments`, { body: 'Hi' })).body
  const { id: entry } = await timeEntry({ taskId })
  const elsewhere = await timeEntry({ taskId: (await task({ projectId: outside.id })).id })
  const gone = { task: await task({ projectId }), step: await subtask(taskId), time: await timeEntry({ taskId }) }
  for (const path of [`tasks/${gone.task.id}`, `subtasks/${gone.step.id}`, `time-entries/${gone.time.id}`]) {
    assert.equal((await owner.delete(`/${path}`)).status, 204)
  }
  const newcomer = (await world.join('Nora', 'member')).memberId
  const writes: [string, string, object?][] = [
    ['PATCH', `/projects/${projectId}`, { name: 'x' }],
    ['POST', `/projects/${projectId}/members`, { memberId: newcomer, role: 'viewer' }],
    ['PATCH', `/projects/${projectId}/members/${member.memberId}`, { role: 'viewer' }],
    ['DELETE', `/projects/${projectId}/members/${member.memberId}`],
    ['POST', '/workspaces', { name: 'x', projectId }],
    ['PATCH', `/workspaces/${workspaceId}`, { name: 'x' }],
    ['DELETE', `/workspaces/${workspaceId}`],
    ['POST', `/workspaces/${workspaceId}/stages`, { name: 'x' }],
    ['PATCH', `/stages/${first.id}`, { category: 'done' }],
    ['POST', `/stages/${first.id}/move`, { afterId: second.id }],
    ['DELETE', `/stages/${first.id}?moveTasksTo=${second.id}`],
    ['DELETE', `/stages/${second.id}`],
    ['POST', '/tasks', { name: 'x', projectId }],
    ['PATCH', `/tasks/${taskId}`, { name: 'x' }],
    ['PATCH', '/tasks/FULL-1', { name: 'x' }],
    ['POST', `/tasks/${taskId}/move`, { stageId: second.id }],
    ['DELETE', `/tasks/${taskId}`],
    ['POST', `/tasks/${gone.task.id}/restore`],
    ['POST', `/tasks/${taskId}/subtasks`, { name: 'x' }],
    ['PATCH', `/subtasks/${step.id}`, { name: 'x' }],
    ['POST', `/subtasks/${step.id}/move`, { afterId: other.id }],
    ['POST', `/subtasks/${step.id}/finalize`],
    ['POST', `/subtasks/${step.id}/reopen`],
    ['DELETE', `/subtasks/${step.id}`],
    ['POST', `/subtasks/${gone.step.id}/restore`],
    ['POST', `/tasks/${taskId}/comments`, { body: 'x' }],
    ['PATCH', `/comments/${comment}`, { body: 'x' }],
    ['DELETE', `/comments/${comment}`],
    ['POST', '/time-entries', { taskId, durationSeconds: 1 }],
    ['POST', '/time-entries', { subtaskId: step.id, durationSeconds: 1 }],
    ['PATCH', `/time-entries/${entry}`, { billable: true }],
    ['PATCH', `/time-entries/${elsewhere.id}`, { taskId }],
    ['DELETE', `/time-entries/${entry}`],
    ['POST', `/time-entries/${gone.time.id}/restore`],
    ['POST', '/timer/start', { taskId }],
    ['POST', '/bulk', { operations: [{ method: 'PATCH', path: `/tasks/${taskId}`, body: { name: 'x' } }] }],
  ]
  const reads = [
    ...[`/projects/${projectId}`, `/projects/${projectId}/members`, `/workspaces?projectId=${projectId}`],
    ...[`/workspaces/${workspaceId}/stages`, `/stages/${first.id}`, `/tasks?projectId=${projectId}`, '/tasks/FULL-1'],
    ...[`/tasks/${taskId}?include=subtasks`, `/tasks/${taskId}/subtasks`, `/subtasks/${step.id}`],
    ...[`/tasks/${taskId}/comments`, `/comments/${comment}`, `/tasks/${taskId}/history`],
    ...[`/time-entries?projectId=${projectId}`, `/time-entries/${entry}`],
  ]
  return { ...world, projectId, taskId, writes, reads }
}

test('every write in an archived project is refused with 412, but reads still work', async () => {
  const { owner, projectId, writes, reads } = await fullProject()
  const before = await Promise.all(reads.slice(1).map(async (path) => (await owner.get(path)).text))
  const archived = await owner.post(`/projects/${projectId}/archive`)
  assert.deepEqual([archived.status, archived.body.status], [200, 'archived'])
  for (const [method, path, body] of writes) {
    for (const suffix of ['', `${path.includes('?') ? '&' : '?'}dryRun=true`]) {
      const { status, headers } = await owner.call(method, path + suffix, body)
      assert.deepEqual([status, headers.get('x-error-code')], [412, 'project_archived'], `${method} ${path}${suffix}`)
    }
  }
  assert.deepEqual(await Promise.all(reads.slice(1).map(async (path) => (await owner.get(path)).text)), before)
  assert.deepEqual(
    (await owner.get('/projects?status=archived')).body.data.map(({ id }: { id: string }) => id),
    [projectId],
  )
})

test('a project that was unarchived can be written again', async () => {
  const { owner, projectId, taskId } = await fullProject()
  await owner.post(`/projects/${projectId}/archive`)
  const active = await owner.post(`/projects/${projectId}/unarchive`)
  assert.deepEqual([active.status, active.body.status], [200, 'active'])
  assert.equal((await owner.patch(`/tasks/${taskId}`, { name: 'x' })).status, 200)
  assert.deepEqual((await owner.get('/projects?status=archived')).body.total, 0)
})

test('archiving an archived project and unarchiving an active one are refused with 412', async () => {
  const { owner, project } = await newWorld()
  const { id } = await project()
  assert.equal((await owner.post(`/projects/${id}/unarchive`)).status, 412)
  assert.equal((await owner.post(`/projects/${id}/archive`)).status, 200)
  assert.equal((await owner.post(`/projects/${id}/archive`)).status, 412)
})

test('leads archive a project: 403 for others in it, 404 for those who do not see it', async () => {
  const { member, admin, join, project, addToProject } = await newWorld()
  const { id } = await project()
  for (const act of ['archive', 'unarchive']) assert.equal((await member.post(`/projects/${id}/${act}`)).status, 404)
  await addToProject(id, member, 'contributor')
  for (const act of ['archive', 'unarchive']) assert.equal((await member.post(`/projects/${id}/${act}`)).status, 403)
  const lead = await join('Lea', 'member')
  await addToProject(id, lead, 'lead')
  assert.equal((await lead.post(`/projects/${id}/archive`)).status, 200)
  assert.equal((await admin.post(`/projects/${id}/unarchive`)).status, 200)
})

test('a caller who lacks the role gets 403 in an archived project too', async () => {
  const { owner, member, projectId, taskId, addToProject, project } = await fullProject()
  await owner.patch(`/projects/${projectId}/members/${member.memberId}`, { role: 'viewer' })
  await owner.post(`/projects/${projectId}/archive`)
  assert.equal((await member.patch(`/tasks/${taskId}`, { name: 'x' })).status, 403)
  const active = await project()
  await addToProject(active.id, member)
  assert.equal((await member.post('/tasks', { projectId: active.id, name: 'x' })).status, 201)
})

test('an archived project can be deleted, and is still archived after a restore', async () => {
  const { owner, project } = await newWorld()
  const { id } = await project()
  await owner.post(`/projects/${id}/archive`)
  assert.equal((await owner.delete(`/projects/${id}`)).status, 204)
  const { status, body, text } = await owner.post(`/projects/${id}/restore`)
  assert.equal(status, 200, text)
  assert.equal(body.status, 'archived')
})

test('after the response to archive, no write in the project succeeds any more', async () => {
  const { owner, projectId, taskId } = await fullProject()
  const act = (i: number) => {
    if (i % 4 === 0) return owner.post('/tasks', { projectId, name: 'x' })
    if (i % 4 === 1) return owner.patch(`/tasks/${taskId}`, { name: 'x' })
    if (i % 4 === 2) return owner.post(`/tasks/${taskId}/comments`, { body: 'x' })
    return owner.post('/time-entries', { taskId, durationSeconds: 1 })
  }
  const shown = async () => {
    const paths = [`/tasks?projectId=${projectId}`, `/tasks/${taskId}/comments`, `/time-entries?projectId=${projectId}`]
    return Promise.all(paths.map(async (path) => (await owner.get(path)).text))
  }
  const archiving = owner.post(`/projects/${projectId}/archive`)
  const writer = async (i: number) => {
    for (let n = 0; n < 5; n++) {
      const { status } = await act(i)
      assert.ok([200, 201, 412].includes(status), String(status))
    }
    await archiving
    assert.equal((await act(i)).status, 412)
  }
  const writers = Promise.all(Array.from({ length: 20 }, (_, i) => writer(i)))
  assert.equal((await archiving).status, 200)
  const left = await shown()
  await writers
  assert.deepEqual(await shown(), left)
})

test('a project can be archived while others keep writing in it', async () => {
  const { owner, taskId, projectId } = await fullProject()
  let answered = false
  const archiving = owner.post(`/projects/${projectId}/archive`).finally(() => {
    answered = true
  })
  const writer = async () => {
    while (!answered) await owner.post(`/tasks/${taskId}/comments`, { body: 'x' })
  }
  await Promise.all(Array.from({ length: 8 }, writer))
  assert.equal((await archiving).status, 200)
})

test('a board of the whole organization includes the tasks of archived projects', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const [archived, active] = [await project(), await project()]
  const { id: workspaceId } = await workspace()
  const [first, second] = await stages(workspaceId)
  const made = []
  for (const { id: projectId } of [archived, active])
    made.push(await task({ projectId, workspaceId, stageId: first.id }))
  assert.equal((await owner.post(`/projects/${archived.id}/archive`)).status, 200)
  assert.equal((await owner.patch(`/stages/${first.id}`, { category: 'done' })).status, 200)
  for (const { id } of made) assert.notEqual((await owner.get(`/tasks/${id}`)).body.completedAt, null)
  assert.equal((await owner.delete(`/stages/${first.id}?moveTasksTo=${second.id}`)).status, 204)
  for (const { id } of made) {
    const { stageId, completedAt } = (await owner.get(`/tasks/${id}`)).body
    assert.deepEqual([stageId, completedAt], [second.id, null])
  }
})
