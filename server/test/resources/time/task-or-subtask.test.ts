import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, detailsOf, invalidFields } from '../../support/envelope.ts'
import { created, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

const startedAt = '2026-03-01T08:00:00.000Z'
const onlyOne = /exactly one of taskId and subtaskId/i

/** A world with a task and a subtask in a project that its plain member contributes to. */
async function newWork() {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const { id: taskId } = await world.task({ projectId })
  const { id: subtaskId } = await world.subtask(taskId)
  await world.addToProject(projectId, world.member)
  return { ...world, projectId, taskId, subtaskId }
}

test('a time entry has exactly one of taskId and subtaskId', async () => {
  const { owner, taskId, subtaskId, projectId } = await newWork()
  const onTask = await created(owner.post('/time-entries', { taskId, durationSeconds: 60 }))
  const onSubtask = await created(owner.post('/time-entries', { taskId: null, subtaskId, durationSeconds: 60 }))
  assert.deepEqual([onTask.taskId, onTask.subtaskId, onTask.projectId], [taskId, null, projectId])
  assert.deepEqual([onSubtask.taskId, onSubtask.subtaskId, onSubtask.projectId], [null, subtaskId, projectId])
})

test('a time entry with none or both of taskId and subtaskId is refused: 422 in details.formErrors', async () => {
  const { owner, taskId, subtaskId } = await newWork()
  for (const parents of [{}, { taskId, subtaskId }, { taskId: null }, { taskId: null, subtaskId: null }]) {
    const { formErrors, fieldErrors } = detailsOf(await owner.post('/time-entries', parents))
    assert.equal(formErrors.length, 1)
    assert.match(formErrors[0] ?? '', onlyOne)
    assert.deepEqual(fieldErrors, {})
  }
})

test('if other fields are wrong too, one response names them all', async () => {
  const { owner, taskId, subtaskId } = await newWork()
  const wrong = { taskId, subtaskId, startedAt: 'yesterday', billable: 'yes', tagIds: [1], colour: 'red' }
  const { formErrors, fieldErrors } = detailsOf(await owner.post('/time-entries', wrong))
  assert.ok(formErrors.some((message) => onlyOne.test(message)))
  assert.ok(formErrors.includes('Unknown field: colour'))
  assert.deepEqual(Object.keys(fieldErrors).sort(), ['billable', 'startedAt', 'tagIds.0'])
})

test('fieldErrors names a taskId that is not a UUID', async () => {
  const { owner } = await newWorld()
  for (const field of ['taskId', 'subtaskId']) {
    assert.deepEqual(invalidFields(await owner.post('/time-entries', { [field]: 'WEB' })), [field])
  }
})

test('an updated time entry still has exactly one of taskId and subtaskId', async () => {
  const { owner, timeEntry, taskId, subtaskId } = await newWork()
  const { id } = await timeEntry({ taskId })
  for (const parents of [{ taskId, subtaskId }, { taskId: null }, { taskId: null, subtaskId: null }]) {
    assert.match(detailsOf(await owner.patch(`/time-entries/${id}`, parents)).formErrors[0] ?? '', onlyOne)
  }
  const { body } = await owner.patch(`/time-entries/${id}`, { subtaskId })
  assert.deepEqual([body.taskId, body.subtaskId], [null, subtaskId])
})

test('a task or subtask that the caller cannot see gets 404', async () => {
  const [{ owner }, other] = [await newWorld(), await newWork()]
  for (const parent of [{ taskId: randomUUID() }, { taskId: other.taskId }, { subtaskId: other.subtaskId }]) {
    assertRefused(await owner.post('/time-entries', parent), 404)
  }
})

test("without memberId and startedAt the entry is the caller's own time, running from now", async () => {
  const { member, taskId } = await newWork()
  const { body, status } = await member.post('/time-entries', { taskId })
  assert.equal(status, 201)
  assert.deepEqual([body.memberId, body.endedAt, body.durationSeconds], [member.memberId, null, null])
  assert.ok(body.startedAt >= body.createdAt, 'it starts once nothing of the member runs any more')
})

test('durationSeconds sets the end; durationSeconds and endedAt together are refused: 422', async () => {
  const { owner, taskId } = await newWork()
  const entry = await created(owner.post('/time-entries', { taskId, startedAt, durationSeconds: 90 }))
  assert.deepEqual([entry.endedAt, entry.durationSeconds], ['2026-03-01T08:01:30.000Z', 90])
  const both = { taskId, startedAt, durationSeconds: 90, endedAt: '2026-03-01T09:00:00Z' }
  assert.equal(detailsOf(await owner.post('/time-entries', both)).formErrors.length, 1)
})

test('a time entry cannot end before it starts: 422 in fieldErrors.endedAt', async () => {
  const { owner, taskId, timeEntry } = await newWork()
  const endedAt = '2026-03-01T07:59:59.999Z'
  assert.deepEqual(invalidFields(await owner.post('/time-entries', { taskId, startedAt, endedAt })), ['endedAt'])
  const { id } = await timeEntry({ taskId, startedAt })
  assert.deepEqual(invalidFields(await owner.patch(`/time-entries/${id}`, { endedAt })), ['endedAt'])
})

test('startedAt has an offset, is between 1970 and 2100, and is returned in UTC with milliseconds', async () => {
  const { owner, taskId } = await newWork()
  const post = (start: unknown) => owner.post('/time-entries', { taskId, startedAt: start, durationSeconds: 60 })
  for (const wrong of ['2026-03-01T08:00:00', '2026-03-01', '1969-12-31T23:59:59Z', '2100-01-01T00:00:00Z', 5, null]) {
    assert.deepEqual(invalidFields(await post(wrong)), ['startedAt'], String(wrong))
  }
  const entry = await created(post('2026-03-01T10:00:00.1239+02:00'))
  assert.equal(entry.startedAt, '2026-03-01T08:00:00.123Z')
})

test('a member has at most one running entry: 412 if the organization does not stop the previous one', async () => {
  const { member, owner, taskId } = await newWork()
  await owner.patch('/organization', { settings: { timerPolicy: 'reject' } })
  await created(member.post('/time-entries', { taskId }))
  assertRefused(await member.post('/time-entries', { taskId }), 412, 'already_running')
  await created(owner.post('/time-entries', { taskId }))
  const ended = await created(member.post('/time-entries', { taskId, durationSeconds: 1 }))
  assertRefused(await member.patch(`/time-entries/${ended.id}`, { endedAt: null }), 412, 'already_running')
})

test('a contributor records own time, a lead and an admin the time of others: otherwise 403', async () => {
  const { join, admin, member, addToProject, projectId, taskId } = await newWork()
  const [lead, viewer] = [await join('Lea Lead', 'member'), await join('Vic Viewer', 'member')]
  await addToProject(projectId, lead, 'lead')
  await addToProject(projectId, viewer, 'viewer')
  const of = ({ memberId }: { memberId: string }) => ({ taskId, memberId, durationSeconds: 60 })
  assert.equal((await member.post('/time-entries', of(member))).status, 201)
  assertRefused(await member.post('/time-entries', of(lead)), 403)
  assertRefused(await viewer.post('/time-entries', of(viewer)), 403)
  for (const other of [lead, admin]) {
    const entry = await created(other.post('/time-entries', of(member)))
    assert.equal(entry.memberId, member.memberId)
  }
})

test('a contributor updates and deletes only own time, a lead the time of others: otherwise 403', async () => {
  const { join, member, addToProject, timeEntry, projectId, taskId } = await newWork()
  const lead = await join('Lea Lead', 'member')
  await addToProject(projectId, lead, 'lead')
  const path = `/time-entries/${(await timeEntry({ taskId })).id}`
  assertRefused(await member.patch(path, { billable: true }), 403)
  assertRefused(await member.delete(path), 403)
  assert.equal((await lead.patch(path, { billable: true })).body.billable, true)
  assert.equal((await lead.delete(path)).status, 204)
  const own = await created(member.post('/time-entries', { taskId, durationSeconds: 60 }))
  assert.equal((await member.patch(`/time-entries/${own.id}`, { billable: true })).status, 200)
  assert.equal((await member.delete(`/time-entries/${own.id}`)).status, 204)
})

test('time cannot be recorded for a member of another organization: 404', async () => {
  const [{ owner, taskId }, other] = [await newWork(), await newWorld()]
  for (const memberId of [other.owner.memberId, randomUUID()]) {
    assertRefused(await owner.post('/time-entries', { taskId, memberId, durationSeconds: 60 }), 404)
  }
})
