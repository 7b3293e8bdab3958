import assert from 'node:assert/strict'
import { test } from 'node:test'
import { created, type Reply, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

const idsOf = ({ body }: Reply) => body.data.map(({ id }: { id: string }) => id)

test('a task is created with the given fields, and keeps them', async () => {
  const world = await newWorld()
  const { owner, admin, member, project, workspace, stages, tag, taskType } = world
  const [{ id: projectId, key }, { id: workspaceId }] = [await project({ key: 'WEB' }), await workspace()]
  const [, stage] = await stages(workspaceId)
  const [one, two, type] = [await tag(), await tag(), await taskType()]
  const given = {
    ...{ projectId, workspaceId, stageId: stage.id, name: 'Paint it', description: '**blue**', typeId: type.id },
    ...{ priority: 'high', assigneeIds: [member.memberId, admin.memberId].sort(), tagIds: [one.id, two.id].sort() },
    ...{ startDate: '2026-01-31', dueDate: '2026-02-01', estimateSeconds: 3600 },
  }
  const reply = await owner.post('/tasks', {
    ...given,
    assigneeIds: given.assigneeIds.toReversed(),
    tagIds: given.tagIds.toReversed(),
  })
  assert.equal(reply.status, 201)
  const { id, position, createdAt, updatedAt, ...fields } = reply.body
  const set = { number: 1, key: `${key}-1`, completedAt: null, createdBy: owner.memberId, version: 1 }
  assert.deepEqual(fields, { ...given, ...set })
  assert.ok(Number.isInteger(position))
  assert.equal(reply.headers.get('location'), `/api/v1/tasks/${id}`)
  assert.deepEqual((await owner.get(`/tasks/${id}`)).body, reply.body)
})

test('a task requires only a name and a project; the rest is empty, off every board and without priority', async () => {
  const { task, project } = await newWorld()
  const { id: projectId } = await project()
  const { priority, assigneeIds, tagIds, ...rest } = await task({ projectId })
  assert.deepEqual([priority, assigneeIds, tagIds], ['none', [], []])
  const empty = ['workspaceId', 'stageId', 'position', 'description', 'typeId', 'startDate', 'dueDate', 'completedAt']
  for (const field of [...empty, 'estimateSeconds']) assert.equal(rest[field], null, field)
})

test('tasks are numbered from 1 in each project, without gaps, with any number of concurrent and refused requests', async () => {
  const { owner, project, workspace } = await newWorld()
  const [web, app] = [await project({ key: 'WEB' }), await project({ key: 'APP' })]
  const { id: workspaceId } = await workspace({ stages: [] })
  const create = (projectId: string, more: object = {}) => owner.post('/tasks', { name: 'A task', projectId, ...more })
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const [made, refusal] = await Promise.all([create(web.id), create(web.id, { workspaceId }), create(app.id)])
      assert.equal(refusal.status, 412, `${i}`)
      return created(Promise.resolve(made))
    }),
  )
  const numbers = answers.map(({ number }) => number).sort((a, b) => a - b)
  assert.deepEqual(
    numbers,
    answers.map((_, i) => i + 1),
  )
  for (const { key, number } of answers) assert.equal(key, `WEB-${number}`)
  assert.equal((await create(app.id)).body.key, 'APP-21')
})

test('the number of a deleted task is not used again', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const { id } = await task({ projectId })
  await owner.delete(`/tasks/${id}`)
  assert.equal((await task({ projectId })).number, 2)
})

test('PATCH keeps absent fields, clears null fields, and replaces assignees and tags', async () => {
  const { owner, member, project, task, tag } = await newWorld()
  const [{ id: projectId }, one, two] = [await project(), await tag(), await tag()]
  const before = await task({ projectId, description: 'x', tagIds: [one.id], assigneeIds: [member.memberId] })
  const { body } = await owner.patch(`/tasks/${before.id}`, { description: null, tagIds: [two.id] })
  const { updatedAt } = body
  assert.deepEqual(body, { ...before, description: null, tagIds: [two.id], version: 2, updatedAt })
  const { body: bare } = await owner.patch(`/tasks/${before.id}`, { assigneeIds: [], tagIds: [] })
  assert.deepEqual([bare.assigneeIds, bare.tagIds], [[], []])
  for (const fixed of [{ projectId }, { number: 9 }, { completedAt: null }, { createdBy: member.memberId }]) {
    assert.equal((await owner.patch(`/tasks/${before.id}`, fixed)).status, 422)
  }
})

test('an id given twice, too many of them, an unknown priority or a negative estimate is 422', async () => {
  const { owner, member, project, task, tag } = await newWorld()
  const [{ id }, { id: tagId }] = [await task({ projectId: (await project()).id }), await tag()]
  const wrong = [
    { tagIds: [tagId, tagId.toUpperCase()] },
    { assigneeIds: [member.memberId, member.memberId] },
    { assigneeIds: Array.from({ length: 21 }, () => crypto.randomUUID()) },
    { priority: 'asap' },
    { estimateSeconds: -1 },
    { estimateSeconds: 2 ** 31 },
    { dueDate: '2026-02-30' },
  ]
  for (const change of wrong) {
    const { status, body } = await owner.patch(`/tasks/${id}`, change)
    assert.deepEqual([status, Object.keys(body.details.fieldErrors)], [422, Object.keys(change)])
  }
})

test('a task cannot be due before it starts: 422, also if only one of the dates changes', async () => {
  const { owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id, startDate: '2026-02-02' })
  const { status, body } = await owner.patch(`/tasks/${id}`, { dueDate: '2026-02-01' })
  assert.deepEqual([status, body.details.formErrors], [422, ['dueDate must not be before startDate']])
  assert.equal((await owner.patch(`/tasks/${id}`, { dueDate: '2026-02-02' })).status, 200)
})

test('completedAt is when the task entered a done stage, kept from one to the next, and cleared on leaving', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const { id: workspaceId } = await workspace({ stages: ['To do', 'Done', 'Archived'] })
  const [todo, done, archived] = await stages(workspaceId)
  for (const { id } of [done, archived]) await owner.patch(`/stages/${id}`, { category: 'done' })
  const { id: projectId } = await project()
  const { id } = await task({ projectId, workspaceId })
  const enter = async (place: object) => (await owner.patch(`/tasks/${id}`, place)).body.completedAt
  const completedAt = await enter({ stageId: done.id })
  assert.notEqual(completedAt, null)
  assert.equal(await enter({ stageId: archived.id }), completedAt)
  assert.equal(await enter({ name: 'Another name' }), completedAt)
  assert.equal(await enter({ stageId: todo.id }), null)
  assert.notEqual(await enter({ stageId: done.id }), null)
  assert.equal(await enter({ workspaceId: null }), null)
  assert.notEqual((await task({ projectId, stageId: done.id })).completedAt, null)
})

test('a deleted task is gone with its subtasks and its time', async () => {
  const { owner, project, task, subtask, timeEntry } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  const step = await subtask(id)
  const [onTask, onStep] = [await timeEntry({ taskId: id }), await timeEntry({ subtaskId: step.id })]
  assert.equal((await owner.delete(`/tasks/${id}`)).status, 204)
  const paths = [`/tasks/${id}`, `/tasks/${id}/subtasks`, `/subtasks/${step.id}`]
  for (const path of [...paths, `/time-entries/${onTask.id}`, `/time-entries/${onStep.id}`]) {
    assert.equal((await owner.get(path)).status, 404, path)
  }
  assert.deepEqual(idsOf(await owner.get('/time-entries')), [])
})

test('filters by id list the tasks that match all of them', async () => {
  const { owner, project, workspace, stages, task, taskType } = await newWorld()
  const [web, app, type, board] = [await project(), await project(), await taskType(), await workspace()]
  const [todo, done] = await stages(board.id)
  const plain = await task({ projectId: web.id })
  const first = await task({ projectId: web.id, stageId: todo.id })
  const second = await task({ projectId: web.id, stageId: done.id, typeId: type.id })
  const other = await task({ projectId: app.id, stageId: done.id, typeId: type.id })
  const list = async (query: string) => idsOf(await owner.get(`/tasks?${query}`))
  assert.deepEqual(await list(`projectId=${web.id}`), [second.id, first.id, plain.id])
  assert.deepEqual(await list(`workspaceId=${board.id}`), [other.id, second.id, first.id])
  assert.deepEqual(await list(`stageId=${todo.id}`), [first.id])
  assert.deepEqual(await list(`typeId=${type.id}`), [other.id, second.id])
  assert.deepEqual(await list(`typeId=${type.id}&projectId=${web.id}&stageId=${done.id}`), [second.id])
  assert.deepEqual(await list(`typeId=${type.id}&stageId=${todo.id}`), [])
})

test('assigneeId is a member, me, or none for tasks without an assignee', async () => {
  const { owner, member, project, task, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const [mine, both] = [[member.memberId], [member.memberId, owner.memberId]]
  const nobodys = await task({ projectId })
  const alone = await task({ projectId, assigneeIds: mine })
  const shared = await task({ projectId, assigneeIds: both })
  const list = async (as: typeof owner, assignee: string) => idsOf(await as.get(`/tasks?assigneeId=${assignee}`))
  assert.deepEqual(await list(member, 'me'), [shared.id, alone.id])
  assert.deepEqual(await list(owner, 'me'), [shared.id])
  assert.deepEqual(await list(owner, member.memberId), [shared.id, alone.id])
  assert.deepEqual(await list(member, 'none'), [nobodys.id])
  assert.equal((await owner.get('/tasks?assigneeId=nobody')).status, 422)
})

test('tagId can be repeated: the tasks that have all of them', async () => {
  const { owner, project, task, tag } = await newWorld()
  const { id: projectId } = await project()
  const [a, b, c] = [(await tag()).id, (await tag()).id, (await tag()).id]
  const [one, two] = [await task({ projectId, tagIds: [a] }), await task({ projectId, tagIds: [a, b] })]
  await task({ projectId })
  const list = async (...ids: string[]) => idsOf(await owner.get(`/tasks?${ids.map((id) => `tagId=${id}`).join('&')}`))
  assert.deepEqual(await list(a), [two.id, one.id])
  assert.deepEqual(await list(b, a), [two.id])
  assert.deepEqual(await list(a, c), [])
  assert.equal((await owner.get(`/tasks?tagId=${a}&tagId=${a}`)).status, 422)
})
