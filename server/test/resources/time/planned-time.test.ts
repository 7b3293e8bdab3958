import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { invalidFields } from '../../support/envelope.ts'
import { sharedServer } from '../../support/world.ts'
import { outcome, refusal, settingUp } from './overlapping.ts'

const { db, newWorld } = await sharedServer()
const setUp = settingUp(newWorld)

const fromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** An organization whose entries may not overlap, in which time is recorded by minutes from now. */
async function planning() {
  const world = await setUp()
  const { owner, taskId } = world
  const plan = (from: number, to: number) =>
    owner.post('/time-entries', { taskId, startedAt: fromNow(from), endedAt: fromNow(to) })
  const start = (from: number) => owner.post('/time-entries', { taskId, startedAt: fromNow(from) })
  const end = (id: string, endedAt: string) => owner.patch(`/time-entries/${id}`, { endedAt })
  return { ...world, plan, start, end }
}

test('a timer can start while an entry is planned for tomorrow, and time can be planned for tomorrow while it runs', async () => {
  const { owner, plan, taskId } = await planning()
  assert.equal((await plan(24 * 60, 25 * 60)).status, 201)
  assert.equal((await owner.post('/timer/start', { taskId })).status, 201)
  assert.equal((await plan(26 * 60, 27 * 60)).status, 201)
  assert.equal((await owner.post('/timer/stop')).status, 200)
})

test('a timer takes the time up to now: an entry over part of it is refused, and no timer starts inside an entry', async () => {
  const { owner, plan, start } = await planning()
  assert.equal((await start(-60)).status, 201)
  for (const [from, to] of [
    [-90, -50],
    [-30, -20],
    [-10, 10],
  ] as const)
    assert.deepEqual(outcome(await plan(from, to)), refusal, `${from} to ${to}`)
  assert.equal((await plan(-90, -60.1)).status, 201)
  assert.equal((await owner.post('/timer/stop')).status, 200)
  const other = await planning()
  assert.equal((await other.plan(-10, 10)).status, 201)
  assert.deepEqual(outcome(await other.owner.post('/timer/start', { taskId: other.taskId })), refusal)
})

test('a timer that runs into a planned entry ends where that entry begins: ending it later gets 412, which names the entry', async () => {
  const { owner, plan, start, end } = await planning()
  const running = (await start(-60)).body
  const planned = (await plan(10, 20)).body
  const late = await end(running.id, fromNow(15))
  assert.deepEqual(outcome(late), refusal)
  assert.ok(late.body.error.includes(planned.id) && late.body.error.includes(planned.startedAt), late.body.error)
  assert.equal((await owner.get('/timer')).body.timeEntry.id, running.id)
  assert.equal((await end(running.id, planned.startedAt)).status, 200)
})

test('stopping a timer takes the time at which it ended: not in the future, not before its start', async () => {
  const { owner, orgId, plan, start } = await planning()
  const { startedAt } = (await start(-60)).body
  const { id } = (await plan(10, 20)).body
  // as if half an hour went by
  await db.rows(sql`
    update time_entries set started_at = started_at - interval '30 minutes', ended_at = ended_at - interval '30 minutes'
    where org_id = ${orgId} and id = ${id}`)
  const planned = (await owner.get(`/time-entries/${id}`)).body
  const stop = (endedAt?: unknown) => owner.post('/timer/stop', endedAt === undefined ? undefined : { endedAt })
  const late = await stop()
  assert.deepEqual(outcome(late), refusal)
  assert.match(late.body.error, /send an earlier endedAt/)
  for (const wrong of [fromNow(-61), fromNow(5), '2026-01-31T09:30:00', null, 5])
    assert.deepEqual(invalidFields(await stop(wrong)), ['endedAt'], String(wrong))
  assert.equal((await owner.get('/timer')).body.timeEntry.startedAt, startedAt)
  const stopped = await stop(planned.startedAt)
  assert.deepEqual([stopped.status, stopped.body.endedAt], [200, planned.startedAt])
  assert.equal((await stop(fromNow(-1))).status, 412)
})

test('an entry that was recorded ahead limits an ended timer, and the database enforces it for both from then on', async () => {
  const { owner, plan, start, end } = await planning()
  const running = (await start(-60)).body
  assert.equal((await end(running.id, fromNow(-30))).status, 200)
  assert.deepEqual(outcome(await plan(-40, -20)), refusal)
  assert.equal((await plan(-29, -20)).status, 201)
  assert.equal((await owner.patch(`/time-entries/${running.id}`, { endedAt: fromNow(-25) })).status, 412)
})

test('a timer that runs over a planned entry ends at its start when the timer or its task is deleted', async () => {
  for (const remove of ['task', 'entry'] as const) {
    const { owner, orgId, plan, start, taskId, projectId } = await planning()
    const running = (await start(-60)).body
    const other = await owner.post('/tasks', { projectId, name: 'Other' })
    const planned = (await plan(10, 20)).body
    assert.equal((await owner.patch(`/time-entries/${planned.id}`, { taskId: other.body.id })).status, 200)
    // as if half an hour went by
    await db.rows(sql`
      update time_entries set started_at = started_at - interval '30 minutes', ended_at = ended_at - interval '30 minutes'
      where org_id = ${orgId} and id = ${planned.id}`)
    assert.deepEqual(outcome(await owner.post('/timer/stop')), refusal)
    const path = remove === 'task' ? `/tasks/${taskId}` : `/time-entries/${running.id}`
    assert.equal((await owner.delete(path)).status, 204)
    assert.equal((await owner.post(`${path}/restore`)).status, 200)
    const begun = (await owner.get(`/time-entries/${planned.id}`)).body.startedAt
    assert.equal((await owner.get(`/time-entries/${running.id}`)).body.endedAt, begun)
  }
})
