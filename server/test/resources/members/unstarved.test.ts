import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, type Reply, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

/** A project with a member in it, and all that this member can keep writing there. */
async function setUp() {
  const world = await newWorld()
  const { owner, member, project, task, subtask, workspace, stages, addToProject } = world
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const { id: workspaceId } = await workspace({ projectId })
  const [todo, done] = await stages(workspaceId)
  const [{ id: taskId }, { id: other }] = [await task({ projectId, workspaceId }), await task({ projectId })]
  const { id: subtaskId } = await subtask(taskId, { assigneeId: member.memberId })
  await owner.patch(`/tasks/${taskId}`, { assigneeIds: [member.memberId] })
  const writesOf = (api: Api) => [
    () => api.post(`/tasks/${taskId}/comments`, { body: 'x' }),
    () => api.post('/tasks', { projectId, name: 'x', assigneeIds: [api.memberId] }),
    () => api.patch(`/tasks/${other}`, { assigneeIds: [api.memberId] }),
    () => api.post(`/tasks/${taskId}/move`, { stageId: Math.random() < 0.5 ? todo.id : done.id }),
    () => api.post('/time-entries', { taskId, durationSeconds: 1 }),
    () => api.post('/timer/start', { subtaskId }),
    () => api.post('/timer/stop'),
    () => api.patch(`/subtasks/${subtaskId}`, { assigneeId: api.memberId }),
  ]
  return { ...world, projectId, taskId, subtaskId, writesOf }
}

/** Asks for something while eight clients keep writing, from the first answer that they got on. */
async function amid(writes: (() => Promise<Reply>)[], ask: () => Promise<Reply>) {
  let answered = false
  const unforeseen: string[] = []
  const keepWriting = async (write: () => Promise<Reply>) => {
    while (!answered) {
      const { status, text } = await write()
      if (status >= 500) unforeseen.push(text)
    }
  }
  await Promise.all(writes.map((write) => write()))
  const writers = Promise.all(writes.map(keepWriting))
  const reply = await ask().finally(() => {
    answered = true
  })
  await writers
  return { reply, unforeseen }
}

for (const role of ['member', 'admin']) {
  test(`a member, by role ${role}, is removed while eight of its clients keep writing`, async () => {
    const { owner, projectId, taskId, subtaskId, writesOf, ...world } = await setUp()
    const api = role === 'member' ? world.member : world.admin
    const { reply, unforeseen } = await amid(writesOf(api), () => owner.delete(`/members/${api.memberId}`))
    assert.deepEqual([reply.status, unforeseen], [204, []], reply.text)
    assert.equal((await api.get('/me')).status, 401)
    assert.deepEqual((await owner.get(`/time-entries?memberId=${api.memberId}&running=true`)).body.data, [])
    assert.deepEqual((await owner.get(`/tasks?assigneeId=${api.memberId}`)).body.data, [])
    assert.notEqual((await owner.get(`/subtasks/${subtaskId}`)).body.assigneeId, api.memberId)
    assert.deepEqual((await owner.get(`/projects?memberId=${api.memberId}`)).body.data, [])
  })
}

test('a member is removed while eight clients of others keep assigning to it', async () => {
  const { owner, admin, member, projectId, task, taskId, subtaskId } = await setUp()
  const { id: another } = await task({ projectId })
  const assigning = (api: Api) => [
    () => api.patch(`/tasks/${taskId}`, { assigneeIds: [member.memberId] }),
    () => api.patch(`/tasks/${another}`, { assigneeIds: [member.memberId] }),
    () => api.patch(`/subtasks/${subtaskId}`, { assigneeId: member.memberId }),
    () => api.post('/time-entries', { taskId, memberId: member.memberId, durationSeconds: 1 }),
  ]
  const { reply, unforeseen } = await amid([...assigning(owner), ...assigning(admin)], () =>
    owner.delete(`/members/${member.memberId}`),
  )
  assert.deepEqual([reply.status, unforeseen], [204, []], reply.text)
  assert.deepEqual((await owner.get(`/tasks/${taskId}`)).body.assigneeIds, [])
  assert.deepEqual((await owner.get(`/tasks/${another}`)).body.assigneeIds, [])
  assert.equal((await owner.get(`/subtasks/${subtaskId}`)).body.assigneeId, null)
})

test('a member is deactivated, and its timer ends, while eight of its clients keep writing', async () => {
  const { owner, member, writesOf } = await setUp()
  const path = `/members/${member.memberId}`
  const { reply, unforeseen } = await amid(writesOf(member), () => owner.patch(path, { status: 'deactivated' }))
  assert.deepEqual([reply.status, unforeseen], [200, []], reply.text)
  assert.deepEqual((await owner.get(`/time-entries?memberId=${member.memberId}&running=true`)).body.data, [])
})

test('a member is removed from a project while eight of its clients keep writing there', async () => {
  const { owner, member, projectId, writesOf } = await setUp()
  const path = `/projects/${projectId}/members/${member.memberId}`
  const { reply, unforeseen } = await amid(writesOf(member), () => owner.delete(path))
  assert.deepEqual([reply.status, unforeseen], [204, []], reply.text)
})

test('the settings of an organization change while eight clients keep writing', async () => {
  const { owner, writesOf } = await setUp()
  for (const overlapPolicy of ['reject', 'allow']) {
    const { reply, unforeseen } = await amid(writesOf(owner), () =>
      owner.patch('/organization', { settings: { overlapPolicy } }),
    )
    assert.deepEqual([reply.status, unforeseen], [200, []], reply.text)
  }
})
