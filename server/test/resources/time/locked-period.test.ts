import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

/** An organization with one task, and a way to lock its time before a day. */
const setUp = async (timezone = 'UTC') => {
  const world = await newWorld()
  const { owner } = world
  const { id: projectId } = await world.project()
  const { id: taskId } = await world.task({ projectId })
  const lockBefore = async (timeLockedBefore: string | null) =>
    assert.equal((await owner.patch('/organization', { timezone, settings: { timeLockedBefore } })).status, 200)
  const log = (startedAt: string, fields: object = {}) =>
    owner.post('/time-entries', { taskId, startedAt, durationSeconds: 60, ...fields })
  return { ...world, projectId, taskId, lockBefore, log }
}

const locked = (reply: { status: number; headers: Headers }) => {
  assert.equal(reply.status, 412)
  assert.equal(reply.headers.get('x-error-code'), 'time_locked')
}

test('time that begins before the lock date gets 412; from the first millisecond of that date it is open', async () => {
  const { lockBefore, log } = await setUp()
  await lockBefore('2026-03-01')
  locked(await log('2026-02-28T23:59:59.999Z'))
  assert.equal((await log('2026-03-01T00:00:00Z')).status, 201)
})

test("the lock date begins in the organization's time zone: in winter time and in summer time", async () => {
  const days = [
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['Asia/Kolkata', '2026-03-01', '2026-02-28T18:30:00.000Z'],
    // there the clocks skip midnight
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ] as const
  for (const [timezone, day, first] of days) {
    const { lockBefore, log } = await setUp(timezone)
    await lockBefore(day)
    const last = new Date(Date.parse(first) - 1).toISOString()
    locked(await log(last))
    assert.equal((await log(first)).status, 201, `${day} in ${timezone}`)
  }
})

test('an entry of the locked period cannot be updated, moved out of it or deleted: 412', async () => {
  const { lockBefore, log, owner } = await setUp()
  const { body } = await log('2026-02-15T10:00:00Z')
  await lockBefore('2026-03-01')
  const path = `/time-entries/${body.id}`
  for (const changes of [{ description: 'Late' }, { startedAt: '2026-03-02T10:00:00Z', durationSeconds: 60 }]) {
    locked(await owner.patch(path, changes))
  }
  locked(await owner.delete(path))
  assert.deepEqual((await owner.get(path)).body, body)
})

test('an open entry cannot be moved into the locked period: 412', async () => {
  const { lockBefore, log, owner } = await setUp()
  await lockBefore('2026-03-01')
  const { id } = (await log('2026-03-02T10:00:00Z')).body
  locked(await owner.patch(`/time-entries/${id}`, { startedAt: '2026-02-28T10:00:00Z' }))
  assert.equal((await owner.patch(`/time-entries/${id}`, { startedAt: '2026-03-01T10:00:00Z' })).status, 200)
})

test('an entry of the locked period cannot be restored: 412', async () => {
  const { lockBefore, log, owner } = await setUp()
  const { id } = (await log('2026-02-15T10:00:00Z')).body
  await owner.delete(`/time-entries/${id}`)
  await lockBefore('2026-03-01')
  locked(await owner.post(`/time-entries/${id}/restore`))
  await lockBefore(null)
  assert.equal((await owner.post(`/time-entries/${id}/restore`)).status, 200)
})

test('a task or subtask with locked time cannot be deleted: 412, until the lock is removed', async () => {
  const { lockBefore, log, owner, taskId, subtask, task, projectId } = await setUp()
  const { id: subtaskId } = await subtask(taskId)
  await log('2026-03-02T10:00:00Z')
  const entry = (await log('2026-02-15T10:00:00Z', { taskId: undefined, subtaskId })).body
  await lockBefore('2026-03-01')
  for (const path of [`/subtasks/${subtaskId}`, `/tasks/${taskId}`]) {
    locked(await owner.delete(path))
    locked(await owner.post('/bulk', { operations: [{ method: 'DELETE', path }] }))
    assert.equal((await owner.get(path)).status, 200)
  }
  assert.deepEqual((await owner.get(`/time-entries/${entry.id}`)).body, entry)
  const free = await task({ projectId })
  await log('2026-03-03T10:00:00Z', { taskId: free.id })
  assert.equal((await owner.delete(`/tasks/${free.id}`)).status, 204)
  await lockBefore(null)
  for (const path of [`/subtasks/${subtaskId}`, `/tasks/${taskId}`]) {
    assert.equal((await owner.delete(path)).status, 204)
  }
})

test('a task whose time was deleted before the lock can be deleted after it', async () => {
  const { lockBefore, log, owner, taskId } = await setUp()
  const { id } = (await log('2026-02-15T10:00:00Z')).body
  await owner.delete(`/time-entries/${id}`)
  await lockBefore('2026-03-01')
  assert.equal((await owner.delete(`/tasks/${taskId}`)).status, 204)
  assert.equal((await owner.post(`/tasks/${taskId}/restore`)).status, 200)
})

test('a timer that runs since before the lock date can be stopped, and nothing else of it can change', async () => {
  const { lockBefore, log, owner } = await setUp()
  const { id } = (await log('2026-02-15T10:00:00Z', { durationSeconds: undefined })).body
  await lockBefore('2026-03-01')
  const path = `/time-entries/${id}`
  for (const more of [{ billable: true }, { startedAt: '2026-02-15T11:00:00Z' }, { endedAt: null }]) {
    locked(await owner.patch(path, { endedAt: '2026-02-15T12:00:00Z', ...more }))
  }
  const stopped = await owner.patch(path, { endedAt: '2026-02-15T12:00:00Z' })
  assert.deepEqual([stopped.status, stopped.body.durationSeconds], [200, 7200])
  locked(await owner.patch(path, { endedAt: '2026-02-15T13:00:00Z' }))
})

test('a task or subtask whose time is locked meanwhile cannot be restored: 412', async () => {
  const { lockBefore, log, owner, taskId, subtask } = await setUp()
  const { id: subtaskId } = await subtask(taskId)
  await log('2026-02-15T10:00:00Z', { taskId: undefined, subtaskId })
  for (const path of [`/subtasks/${subtaskId}`, `/tasks/${taskId}`]) {
    assert.equal((await owner.delete(path)).status, 204)
    await lockBefore('2026-03-01')
    locked(await owner.post(`${path}/restore`))
    await lockBefore(null)
    assert.equal((await owner.post(`${path}/restore`)).status, 200)
  }
})

test('an entry of the locked period cannot be recorded on another task: 412', async () => {
  const { lockBefore, log, owner, task, projectId } = await setUp()
  const { body } = await log('2026-02-15T10:00:00Z')
  const { id: taskId } = await task({ projectId })
  await lockBefore('2026-03-01')
  locked(await owner.patch(`/time-entries/${body.id}`, { taskId }))
  assert.deepEqual((await owner.get(`/time-entries/${body.id}`)).body, body)
})

test('a project is deleted with its locked time and its finalized subtasks, and comes back with them', async () => {
  const { lockBefore, log, owner, projectId, taskId, subtask } = await setUp()
  const entry = (await log('2026-02-15T10:00:00Z')).body
  const { id: subtaskId } = await subtask(taskId)
  await owner.post(`/subtasks/${subtaskId}/finalize`)
  await lockBefore('2026-03-01')
  assert.equal((await owner.delete(`/projects/${projectId}`)).status, 204)
  assert.equal((await owner.get(`/time-entries/${entry.id}`)).status, 404)
  assert.equal((await owner.post(`/projects/${projectId}/restore`)).status, 200)
  assert.deepEqual((await owner.get(`/time-entries/${entry.id}`)).body, entry)
})

test('a timer that began in the locked period is ended by the next timer', async () => {
  const { lockBefore, log, owner, taskId } = await setUp()
  const { id } = (await log('2026-02-15T10:00:00Z', { durationSeconds: undefined })).body
  await lockBefore('2026-03-01')
  const { startedAt } = (await owner.post('/timer/start', { taskId })).body
  assert.equal((await owner.get(`/time-entries/${id}`)).body.endedAt, startedAt)
  locked(await owner.delete(`/time-entries/${id}`))
})

test('in bulk a locked entry refuses the whole', async () => {
  const { lockBefore, owner, taskId } = await setUp()
  await lockBefore('2026-03-01')
  const write = (startedAt: string) => ({
    method: 'POST',
    path: '/time-entries',
    body: { taskId, startedAt, durationSeconds: 60 },
  })
  locked(await owner.post('/bulk', { operations: [write('2026-03-02T10:00:00Z'), write('2026-02-27T10:00:00Z')] }))
  assert.deepEqual((await owner.get('/time-entries')).body.data, [])
})

test('a timer that began in the locked period can be stopped', async () => {
  const { lockBefore, log, owner } = await setUp()
  const { body } = await log('2026-02-15T10:00:00Z', { durationSeconds: undefined })
  await lockBefore('2026-03-01')
  const stopped = await owner.post('/timer/stop')
  assert.deepEqual([stopped.status, stopped.body.id], [200, body.id])
})

test('timers are refused with 412 while today is locked', async () => {
  const { lockBefore, owner, taskId } = await setUp()
  await lockBefore('2099-12-31')
  locked(await owner.post('/timer/start', { taskId }))
})

test('locked time stays readable, and the lock can be removed', async () => {
  const { lockBefore, log, owner } = await setUp()
  const { id } = (await log('2026-02-15T10:00:00Z')).body
  await lockBefore('2026-03-01')
  assert.equal((await owner.get('/time-entries')).body.data.length, 1)
  assert.equal((await owner.get('/reports/time?groupBy=month')).body.totals.seconds, 60)
  await lockBefore(null)
  assert.equal((await owner.delete(`/time-entries/${id}`)).status, 204)
})

test('the lock of one organization does not affect another', async () => {
  await (await setUp()).lockBefore('2026-03-01')
  const { log } = await setUp()
  assert.equal((await log('2026-02-15T10:00:00Z')).status, 201)
})

test('locking requires an admin and a calendar date', async () => {
  const { owner, admin, member } = await setUp()
  const lock = (timeLockedBefore: unknown) => ({ settings: { timeLockedBefore } })
  assert.equal((await member.patch('/organization', lock('2026-03-01'))).status, 403)
  assert.equal((await admin.patch('/organization', lock('2026-03-01'))).status, 200)
  for (const wrong of ['2026-13-01', '2026-02-29', '1969-12-31', '2026-03-01T00:00:00Z', '', 20260301]) {
    const { status, body } = await owner.patch('/organization', lock(wrong))
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.details.fieldErrors), ['settings.timeLockedBefore'])
  }
  assert.equal((await owner.patch('/organization', { timezone: 'Europe/Atlantis' })).status, 422)
})

test('when the clock is set back to midnight the day is open from the first of both', async () => {
  const { lockBefore, log } = await setUp('Atlantic/Azores')
  await lockBefore('2025-10-26')
  locked(await log('2025-10-25T23:59:59Z'))
  assert.equal((await log('2025-10-26T00:00:00Z')).status, 201)
})
