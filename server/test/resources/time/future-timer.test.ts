import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { invalidFields } from '../../support/envelope.ts'
import { sharedServer } from '../../support/world.ts'

const { newWorld, db } = await sharedServer()

const setUp = async () => {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  return { ...world, newTask: world.task, task: await world.task({ projectId }) }
}

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const nextYear = () => inMs(365 * 86_400_000)

test('a timer that would run only in the future is refused with 422 in fieldErrors.startedAt, and the running one continues', async () => {
  const { owner, task, timeEntry } = await setUp()
  const { body: runs } = await owner.post('/timer/start', { taskId: task.id })
  const ended = await timeEntry({ taskId: task.id, startedAt: '2026-01-01T08:00:00Z' })
  const planned = await timeEntry({ taskId: task.id, startedAt: nextYear() })
  const operation = { method: 'POST', path: '/time-entries', body: { taskId: task.id, startedAt: nextYear() } }
  const replies = [
    await owner.post('/time-entries', { taskId: task.id, startedAt: nextYear() }),
    await owner.post('/time-entries', { taskId: task.id, startedAt: nextYear(), endedAt: null }),
    await owner.post('/time-entries', { taskId: task.id, startedAt: inMs(120_000) }),
    await owner.patch(`/time-entries/${runs.id}`, { startedAt: nextYear() }),
    await owner.patch(`/time-entries/${ended.id}`, { startedAt: nextYear(), endedAt: null }),
    await owner.patch(`/time-entries/${planned.id}`, { endedAt: null }),
  ]
  for (const reply of replies) assert.deepEqual(invalidFields(reply), ['startedAt'], reply.text)
  assert.deepEqual(invalidFields(await owner.post('/bulk', { operations: [operation] })), [
    'operations.0.body.startedAt',
  ])
  assert.deepEqual((await owner.get('/timer')).body.timeEntry, runs)
  assert.deepEqual((await owner.get(`/time-entries/${ended.id}`)).body, ended)
})

test('the clock of a client can be a minute ahead of the server', async () => {
  const { owner, task } = await setUp()
  const { status, body } = await owner.post('/time-entries', { taskId: task.id, startedAt: inMs(30_000) })
  assert.equal(status, 201)
  assert.equal((await owner.patch(`/time-entries/${body.id}`, { startedAt: inMs(40_000) })).status, 200)
})

test('time that has an end can be in the future', async () => {
  const { owner, task } = await setUp()
  const { status } = await owner.post('/time-entries', {
    taskId: task.id,
    startedAt: nextYear(),
    durationSeconds: 3_600,
  })
  assert.equal(status, 201)
})

test('a timer that was stored with a start in the future can still be described and stopped', async () => {
  const { owner, task, orgId } = await setUp()
  const { body: runs } = await owner.post('/timer/start', { taskId: task.id })
  await db.rows(sql`update time_entries set started_at = ${nextYear()} where org_id = ${orgId} and id = ${runs.id}`)
  assert.equal((await owner.patch(`/time-entries/${runs.id}`, { description: 'Oh' })).status, 200)
  assert.equal((await owner.post('/timer/stop')).body.durationSeconds, 0)
})
