import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'
import { at, outcome, refusal, settingUp } from './overlapping.ts'

const setUp = settingUp((await sharedServer()).newWorld)

test('if entries may not overlap, an entry that shares any time with another of its member is refused with 412', async () => {
  const { log } = await setUp()
  assert.equal((await log('10:00', '11:00')).status, 201)
  const sharing = [
    ['09:00', '10:01'],
    ['10:59', '12:00'],
    ['10:15', '10:45'],
    ['09:00', '12:00'],
    ['10:00', '11:00'],
  ] as const
  for (const [from, to] of sharing) assert.deepEqual(outcome(await log(from, to)), refusal, `${from} to ${to}`)
})

test('an entry can begin when another ends, and end when another begins', async () => {
  const { log } = await setUp()
  await log('10:00', '11:00')
  assert.equal((await log('11:00', '12:00')).status, 201)
  assert.equal((await log('09:00', '10:00')).status, 201)
})

test('an entry without duration overlaps nothing', async () => {
  const { log } = await setUp()
  await log('10:00', '11:00')
  assert.equal((await log('10:30', '10:30')).status, 201)
})

test('a running entry overlaps everything that ends after its start, and nothing before it', async () => {
  const { log, owner } = await setUp()
  assert.equal((await log('10:00', null)).status, 201)
  assert.deepEqual(outcome(await log('09:00', '10:01')), refusal)
  assert.deepEqual(outcome(await log('20:00', '21:00')), refusal)
  assert.equal((await log('09:00', '10:00')).status, 201)
  const { id } = (await owner.get('/timer')).body.timeEntry
  assert.equal((await owner.patch(`/time-entries/${id}`, { endedAt: at('12:00') })).status, 200)
  assert.equal((await log('20:00', '21:00')).status, 201)
})

test('consecutive timers never overlap', async () => {
  const { owner, taskId } = await setUp()
  const starts = await Promise.all(Array.from({ length: 20 }, () => owner.post('/timer/start', { taskId })))
  assert.deepEqual([...new Set(starts.map(({ status }) => status))], [201])
})

test('an update that would make an entry overlap is refused with 412 and changes nothing', async () => {
  const { log, owner } = await setUp()
  await log('10:00', '11:00')
  const { body } = await log('11:00', '12:00')
  const path = `/time-entries/${body.id}`
  for (const changes of [{ startedAt: at('10:30') }, { startedAt: at('09:00'), endedAt: at('10:30') }]) {
    assert.deepEqual(outcome(await owner.patch(path, changes)), refusal)
  }
  assert.deepEqual((await owner.get(path)).body, body)
  assert.equal((await owner.patch(path, { startedAt: at('11:30') })).status, 200)
})

test('an update does not collide with the entry itself', async () => {
  const { log, owner } = await setUp()
  const { id } = (await log('10:00', '11:00')).body
  const moved = await owner.patch(`/time-entries/${id}`, { startedAt: at('10:30'), endedAt: at('11:30') })
  assert.equal(moved.status, 200)
})

test('operations in bulk are checked too, also against each other', async () => {
  const { owner, entry, log } = await setUp()
  const write = (from: string, to: string) => ({ method: 'POST', path: '/time-entries', body: entry(from, to) })
  const refused = await owner.post('/bulk', { operations: [write('10:00', '11:00'), write('10:30', '11:30')] })
  assert.deepEqual(outcome(refused), refusal)
  assert.match(refused.body.error, /operations\.1/)
  assert.equal((await owner.get('/time-entries')).body.data.length, 0)
  assert.equal(
    (await owner.post('/bulk', { operations: [write('10:00', '11:00'), write('11:00', '12:00')] })).status,
    200,
  )
  assert.deepEqual(outcome(await log('10:00', '12:00')), refusal)
})

test('entries from before the policy stay as they are, and new ones cannot overlap them', async () => {
  const { log, owner, settle } = await setUp('allow')
  const [first] = [(await log('10:00', '12:00')).body, (await log('11:00', '13:00')).body]
  await settle({ overlapPolicy: 'reject' })
  assert.deepEqual(outcome(await log('12:30', '14:00')), refusal)
  assert.equal((await log('13:00', '14:00')).status, 201)
  assert.deepEqual(outcome(await owner.patch(`/time-entries/${first.id}`, { startedAt: at('09:00') })), refusal)
  assert.equal((await owner.patch(`/time-entries/${first.id}`, { endedAt: at('11:00') })).status, 200)
})

test('an entry from before the policy can be shortened even if it still overlaps, but not extended', async () => {
  const { log, owner, settle } = await setUp('allow')
  const [first] = [(await log('10:00', '12:00')).body, (await log('11:00', '13:00')).body]
  await settle({ overlapPolicy: 'reject' })
  const path = `/time-entries/${first.id}`
  assert.equal((await owner.patch(path, { startedAt: at('10:30') })).status, 200)
  assert.equal((await owner.patch(path, { endedAt: at('11:30') })).status, 200)
  for (const changes of [{ endedAt: at('11:31') }, { startedAt: at('10:29') }, { endedAt: null }]) {
    assert.deepEqual(outcome(await owner.patch(path, changes)), refusal)
  }
})

test('a timer from before the policy can be stopped by hand, by an update and by the next timer, whatever it overlaps', async () => {
  const { log, owner, settle, taskId } = await setUp('allow')
  const ends = [
    () => owner.post('/timer/stop'),
    (id: string) => owner.patch(`/time-entries/${id}`, { endedAt: at('18:00') }),
    () => owner.post('/timer/start', { taskId }),
  ]
  for (const end of ends) {
    await settle({ overlapPolicy: 'allow' })
    const { id } = (await log('10:00', null)).body
    await log('11:00', '13:00')
    await settle({ overlapPolicy: 'reject' })
    assert.ok((await end(id)).status < 300)
    assert.notEqual((await owner.get(`/time-entries/${id}`)).body.endedAt, null)
    await owner.post('/timer/stop')
  }
})

test('updates with unchanged times always succeed', async () => {
  const { log, owner, settle } = await setUp('allow')
  const [first] = [(await log('10:00', '12:00')).body, (await log('11:00', '13:00')).body]
  await settle({ overlapPolicy: 'reject' })
  const { startedAt, endedAt } = first
  for (const times of [{ startedAt }, { endedAt }, { startedAt, endedAt }, { durationSeconds: 7_200 }]) {
    const { status, body } = await owner.patch(`/time-entries/${first.id}`, { ...times, description: 'Same' })
    assert.deepEqual([status, body?.startedAt, body?.endedAt], [200, startedAt, endedAt])
  }
})

test('entries written under each policy in turn can be updated and restored under the other', async () => {
  const { log, owner, settle } = await setUp('reject')
  const strict = (await log('10:00', '11:00')).body
  await settle({ overlapPolicy: 'allow' })
  const loose = (await log('10:30', '11:30')).body
  await settle({ overlapPolicy: 'reject' })
  for (const { id } of [strict, loose]) {
    assert.equal((await owner.patch(`/time-entries/${id}`, { billable: true })).status, 200)
  }
  await owner.delete(`/time-entries/${loose.id}`)
  assert.deepEqual(outcome(await owner.post(`/time-entries/${loose.id}/restore`)), refusal)
  await settle({ overlapPolicy: 'allow' })
  assert.equal((await owner.post(`/time-entries/${loose.id}/restore`)).status, 200)
  assert.equal((await owner.patch(`/time-entries/${strict.id}`, { endedAt: at('12:00') })).status, 200)
  await settle({ overlapPolicy: 'reject' })
  assert.equal((await owner.patch(`/time-entries/${loose.id}`, { description: 'x' })).status, 200)
  assert.equal((await owner.patch(`/time-entries/${strict.id}`, { description: 'x' })).status, 200)
})

test('a refusal names the other entry only to callers who see it', async () => {
  const { owner, member, entry, log, project, task, addToProject, join } = await setUp()
  const lead = await join('Lea Lead', 'member')
  const { id: projectId } = await project()
  for (const api of [member, lead]) await addToProject(projectId, api, 'lead')
  const other = (await log('10:00', '11:00', { memberId: member.memberId })).body
  const { id: taskId } = await task({ projectId })
  const fields = entry('10:30', '11:30', { taskId, memberId: member.memberId })
  for (const [api, named] of [
    [owner, true],
    [lead, false],
    [member, false],
  ] as const) {
    const refused = await api.post('/time-entries', fields)
    assert.deepEqual([outcome(refused), refused.body.error.includes(other.id)], [refusal, named])
  }
})

test('an update that does not move an entry succeeds even if it overlaps one from before the policy', async () => {
  const { log, owner, settle } = await setUp('allow')
  const [first] = [(await log('10:00', '12:00')).body, (await log('11:00', '13:00')).body]
  await settle({ overlapPolicy: 'reject' })
  assert.equal((await owner.patch(`/time-entries/${first.id}`, { description: 'Both at once' })).status, 200)
})

test('entries of other members and of other organizations do not collide', async () => {
  const { log, admin, ...other } = await setUp()
  assert.equal((await log('10:00', '11:00')).status, 201)
  assert.equal((await log('10:00', '11:00', {}, admin)).status, 201)
  assert.equal((await log('10:00', '11:00', { memberId: other.member.memberId })).status, 201)
  const elsewhere = await setUp()
  assert.equal((await elsewhere.log('10:00', '11:00')).status, 201)
})

test('once entries may overlap again they can, on every path', async () => {
  const { log, owner, settle } = await setUp()
  const { id } = (await log('10:00', '11:00')).body
  const second = (await log('11:00', '12:00')).body
  await settle({ overlapPolicy: 'allow' })
  assert.equal((await log('10:00', '11:00')).status, 201)
  assert.equal((await owner.patch(`/time-entries/${second.id}`, { startedAt: at('10:00') })).status, 200)
  assert.equal((await owner.delete(`/time-entries/${id}`)).status, 204)
  assert.equal((await owner.post(`/time-entries/${id}/restore`)).status, 200)
})

test('the settings take only known fields, and keep absent ones', async () => {
  const { owner, settle } = await setUp()
  const before = (await owner.get('/organization')).body.settings
  assert.deepEqual(before, { timerPolicy: 'stop_previous', overlapPolicy: 'reject', timeLockedBefore: null })
  for (const settings of [{ overlapPolicy: 'warn' }, { timerPolicy: null }, { timeLockedBefore: '2026-02-30' }]) {
    assert.equal((await owner.patch('/organization', { settings })).status, 422)
  }
  assert.equal((await owner.patch('/organization', { settings: { overlap: 'allow' } })).status, 422)
  await settle({})
  assert.deepEqual((await owner.get('/organization')).body.settings, before)
})
