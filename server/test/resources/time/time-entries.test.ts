import assert from 'node:assert/strict'
import { test } from 'node:test'
import { created, type Reply, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

const [eight, nine] = ['2026-03-01T08:00:00.000Z', '2026-03-01T09:00:00.000Z']
const idsOf = ({ body }: Reply) => body.data.map(({ id }: { id: string }) => id)
const codeOf = ({ status, headers }: Reply) => [status, headers.get('x-error-code')]
const beforeStart = { formErrors: [], fieldErrors: { endedAt: ['Must not be before startedAt'] } }
const running = [412, 'already_running']

/** A world with a task in a project that its plain member contributes to. */
async function newWork() {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const { id: taskId } = await world.task({ projectId })
  await world.addToProject(projectId, world.member)
  return { ...world, projectId, taskId }
}

test('time is recorded with a start and an end or a duration, and both are shown', async () => {
  const { member, taskId, projectId } = await newWork()
  const reply = await member.post('/time-entries', { taskId, startedAt: eight, endedAt: nine })
  assert.equal(reply.status, 201)
  const { id, version, createdAt, updatedAt, ...fields } = reply.body
  assert.deepEqual(fields, {
    ...{ taskId, subtaskId: null, projectId, memberId: member.memberId, startedAt: eight, endedAt: nine },
    ...{ durationSeconds: 3600, description: null, billable: false, tagIds: [] },
  })
  assert.equal(reply.headers.get('location'), `/api/v1/time-entries/${id}`)
  assert.deepEqual((await member.get(`/time-entries/${id}`)).body, reply.body)
  const { endedAt } = await created(member.post('/time-entries', { taskId, startedAt: eight, durationSeconds: 3600 }))
  assert.equal(endedAt, nine)
})

test('a duration is whole seconds, a fraction is cut off, and it can be zero', async () => {
  const { timeEntry, taskId } = await newWork()
  const until = async (endedAt: string) =>
    (await timeEntry({ taskId, startedAt: eight, endedAt, durationSeconds: undefined })).durationSeconds
  assert.equal(await until('2026-03-01T08:00:01.999Z'), 1)
  assert.equal(await until('2026-03-01T10:30:00+02:00'), 1800)
  assert.equal(await until(eight), 0)
})

test('without an end and a duration an entry runs from now, unless a start is given', async () => {
  const { member, admin, taskId } = await newWork()
  const asked = Date.now()
  const entry = await created(member.post('/time-entries', { taskId }))
  assert.ok(Date.parse(entry.startedAt) >= asked && Date.parse(entry.startedAt) <= Date.now())
  assert.deepEqual([entry.endedAt, entry.durationSeconds], [null, null])
  const earlier = await created(admin.post('/time-entries', { taskId, startedAt: eight, endedAt: null }))
  assert.deepEqual([earlier.startedAt, earlier.endedAt], [eight, null])
})

test('an end before the start gets 422, also if only one of them changes', async () => {
  const { owner, timeEntry, taskId } = await newWork()
  const wrong = await owner.post('/time-entries', { taskId, startedAt: nine, endedAt: eight })
  assert.deepEqual([wrong.status, wrong.body.details], [422, beforeStart])
  const { id } = await timeEntry({ taskId, startedAt: eight, endedAt: nine, durationSeconds: undefined })
  for (const change of [{ endedAt: '2026-03-01T07:59:59.999Z' }, { startedAt: '2026-03-01T09:00:00.001Z' }]) {
    assert.deepEqual((await owner.patch(`/time-entries/${id}`, change)).body.details, beforeStart)
  }
  const moved = await owner.patch(`/time-entries/${id}`, { startedAt: nine, durationSeconds: 60 })
  assert.deepEqual([moved.body.endedAt, moved.body.durationSeconds], ['2026-03-01T09:01:00.000Z', 60])
})

test('an end and a duration in one request get 422 in formErrors', async () => {
  const { owner, taskId } = await newWork()
  const century = 3_155_760_000
  const late = await owner.post('/time-entries', {
    taskId,
    startedAt: '2099-12-31T00:00:00Z',
    durationSeconds: century,
  })
  assert.deepEqual([late.status, late.body.details.fieldErrors], [422, { durationSeconds: ['Must end before 2100'] }])
  const { status, body } = await owner.post('/time-entries', { taskId, endedAt: nine, durationSeconds: 1 })
  assert.deepEqual([status, body.details.formErrors.length], [422, 1])
})

test('a date-time is stored to the millisecond in UTC; one without an offset or outside 1970 to 2100 gets 422', async () => {
  const { owner, timeEntry, taskId } = await newWork()
  const { startedAt } = await timeEntry({ taskId, startedAt: '2026-03-01T10:30:00.1239+02:30' })
  assert.equal(startedAt, '2026-03-01T08:00:00.123Z')
  for (const wrong of ['2026-03-01T08:00:00', '2026-03-01', '1969-12-31T23:59:59Z', '2100-01-01T00:00:00Z', 0]) {
    const { status, body } = await owner.post('/time-entries', { taskId, startedAt: wrong, durationSeconds: 1 })
    assert.deepEqual([status, Object.keys(body.details.fieldErrors)], [422, ['startedAt']], `${wrong}`)
  }
})

test('a member has at most one running entry: 412 for another, until it ends or is deleted', async () => {
  const { owner, member, taskId } = await newWork()
  await owner.patch('/organization', { settings: { timerPolicy: 'reject' } })
  const start = () => member.post('/time-entries', { taskId })
  const { id } = await created(start())
  assert.deepEqual(codeOf(await start()), running)
  assert.deepEqual(codeOf(await owner.post('/time-entries', { taskId, memberId: member.memberId })), running)
  assert.equal((await owner.post('/time-entries', { taskId })).status, 201)
  assert.equal((await member.patch(`/time-entries/${id}`, { endedAt: new Date().toISOString() })).status, 200)
  const { id: second } = await created(start())
  assert.deepEqual(codeOf(await member.patch(`/time-entries/${id}`, { endedAt: null })), running)
  await member.delete(`/time-entries/${second}`)
  assert.equal((await member.patch(`/time-entries/${id}`, { endedAt: null })).body.endedAt, null)
})

test('if many entries start at the same time for one member, one runs', async () => {
  const { owner, member, taskId } = await newWork()
  const { memberId } = member
  await owner.patch('/organization', { settings: { timerPolicy: 'reject' } })
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => (i % 2 ? owner : member).post('/time-entries', { taskId, memberId })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(412)])
})

test('time can be moved to another task, or to a subtask instead, and then belongs to its project', async () => {
  const { owner, project, task, subtask, timeEntry, taskId, projectId } = await newWork()
  const { id: otherProjectId } = await project()
  const other = await task({ projectId: otherProjectId })
  const step = await subtask(other.id)
  const { id } = await timeEntry({ taskId })
  const change = async (parents: object) => {
    const { status, body } = await owner.patch(`/time-entries/${id}`, parents)
    return [status, body.taskId, body.subtaskId, body.projectId]
  }
  assert.deepEqual(await change({ taskId: other.id }), [200, other.id, null, otherProjectId])
  assert.deepEqual(await change({ subtaskId: step.id }), [200, null, step.id, otherProjectId])
  assert.deepEqual(await change({ taskId, subtaskId: null }), [200, taskId, null, projectId])
})

test('time can only move to a task on which its member can record time: 404 if unseen, 403 if seen by a viewer', async () => {
  const { member, project, task, taskId, addToProject } = await newWork()
  const [hidden, viewed] = [await project(), await project()]
  await addToProject(viewed.id, member, 'viewer')
  const { id } = await created(member.post('/time-entries', { taskId, durationSeconds: 60 }))
  const onto = async (projectId: string) =>
    (await member.patch(`/time-entries/${id}`, { taskId: (await task({ projectId })).id })).status
  assert.deepEqual([await onto(hidden.id), await onto(viewed.id)], [404, 403])
})

test("only leads of the project can move others' time onto a task: 403", async () => {
  const { member, owner, project, task, timeEntry, addToProject } = await newWork()
  const [led, contributed] = [await project(), await project()]
  await addToProject(led.id, member, 'lead')
  await addToProject(contributed.id, member, 'contributor')
  const [from, to] = [await task({ projectId: led.id }), await task({ projectId: contributed.id })]
  const { id } = await timeEntry({ taskId: from.id, memberId: owner.memberId })
  assert.equal((await member.post('/time-entries', { taskId: to.id, memberId: owner.memberId })).status, 403)
  assert.equal((await member.patch(`/time-entries/${id}`, { taskId: to.id })).status, 403)
  assert.equal((await member.patch(`/time-entries/${id}`, { description: 'Mine to edit' })).status, 200)
})

test('PATCH keeps absent fields, clears null fields, and replaces the tags; the member of an entry is fixed', async () => {
  const { owner, member, timeEntry, tag, taskId } = await newWork()
  const [one, two] = [await tag(), await tag()]
  const before = await timeEntry({ taskId, description: 'Paint', billable: true, tagIds: [one.id] })
  const { body } = await owner.patch(`/time-entries/${before.id}`, { description: null, tagIds: [two.id] })
  const { updatedAt } = body
  assert.deepEqual(body, { ...before, description: null, tagIds: [two.id], version: 2, updatedAt })
  assert.equal((await owner.patch(`/time-entries/${before.id}`, { memberId: member.memberId })).status, 422)
})

test('filters by id list the entries that match all of them', async () => {
  const { owner, member, project, task, subtask, tag, timeEntry, taskId, projectId } = await newWork()
  const [{ id: tagId }, step, other] = [
    await tag(),
    await subtask(taskId),
    await task({ projectId: (await project()).id }),
  ]
  const at = (hour: number) => ({ startedAt: `2026-03-01T0${hour}:00:00Z` })
  const mine = await timeEntry({ taskId, memberId: member.memberId, ...at(1) })
  const tagged = await timeEntry({ taskId, tagIds: [tagId], ...at(2) })
  const onStep = await timeEntry({ subtaskId: step.id, tagIds: [tagId], ...at(3) })
  const elsewhere = await timeEntry({ taskId: other.id, ...at(4) })
  const list = async (query: string) => idsOf(await owner.get(`/time-entries?${query}`))
  assert.deepEqual(await list(`projectId=${projectId}`), [onStep.id, tagged.id, mine.id])
  assert.deepEqual(await list(`memberId=${owner.memberId}`), [elsewhere.id, onStep.id, tagged.id])
  assert.deepEqual(await list(`taskId=${taskId}`), [onStep.id, tagged.id, mine.id])
  assert.deepEqual(await list(`subtaskId=${step.id}`), [onStep.id])
  assert.deepEqual(await list(`tagId=${tagId}`), [onStep.id, tagged.id])
  assert.deepEqual(await list(`tagId=${tagId}&taskId=${taskId}&memberId=${owner.memberId}`), [onStep.id, tagged.id])
  assert.deepEqual(await list(`tagId=${tagId}&memberId=${member.memberId}`), [])
})
