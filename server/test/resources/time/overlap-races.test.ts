import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'
import { at, settingUp } from './overlapping.ts'

const setUp = settingUp((await sharedServer()).newWorld)

test('one of 50 racing writers of a slot succeeds, and the others are refused with 412', async () => {
  const { log } = await setUp()
  const writes = await Promise.all(Array.from({ length: 50 }, () => log('10:00', '11:00')))
  assert.deepEqual(writes.map(({ status }) => status).sort(), [201, ...Array(49).fill(412)])
})

test('if several updates move entries into one slot at once, exactly one succeeds', async () => {
  const { log, owner } = await setUp()
  const hours = ['01', '02', '03', '04', '05', '06', '07', '08']
  const entries = await Promise.all(hours.map(async (hour) => (await log(`${hour}:00`, `${hour}:30`)).body))
  const moves = await Promise.all(
    entries.map(({ id }) => owner.patch(`/time-entries/${id}`, { startedAt: at('10:00'), endedAt: at('11:00') })),
  )
  assert.deepEqual(moves.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)])
})

test('if several bulks write into one slot at once, exactly one succeeds, with all of its entries, and the others are refused with 412', async () => {
  const { owner, entry } = await setUp()
  const slots = [
    ['10:00', '11:00'],
    ['12:00', '13:00'],
    ['11:00', '12:00'],
  ] as const
  const operations = slots.map(([from, to]) => ({ method: 'POST', path: '/time-entries', body: entry(from, to) }))
  const writes = await Promise.all(Array.from({ length: 20 }, () => owner.post('/bulk', { operations })))
  assert.deepEqual(writes.map(({ status }) => status).sort(), [200, ...Array(19).fill(412)])
  assert.equal((await owner.get('/time-entries')).body.data.length, 3)
})

test('concurrent writers of slots that overlap in a chain never get 503, and the stored entries do not overlap', async () => {
  const { owner, admin, log } = await setUp()
  const slots = [
    ['10:00', '11:30'],
    ['11:00', '12:30'],
    ['12:00', '13:30'],
  ] as const
  const { memberId } = owner
  const writes = await Promise.all(
    Array.from({ length: 20 }, () =>
      slots.map(([from, to], i) => log(from, to, { memberId }, i === 1 ? admin : owner)),
    ).flat(),
  )
  assert.deepEqual([...new Set(writes.map(({ status }) => status))].sort(), [201, 412])
  const spans = (await owner.get('/time-entries')).body.data as { startedAt: string; endedAt: string }[]
  spans.reverse().forEach(({ endedAt }, i) => {
    assert.ok(endedAt <= (spans[i + 1]?.startedAt ?? endedAt))
  })
})

test('creations, updates, deletions, restores and timers of one member at once: each succeeds or is refused', async () => {
  const { owner, taskId, log } = await setUp()
  const [kept, gone] = [(await log('01:00', '02:00')).body, (await log('03:00', '04:00')).body]
  await owner.delete(`/time-entries/${gone.id}`)
  const acts = [
    () => log('01:30', '03:30'),
    () => owner.patch(`/time-entries/${kept.id}`, { endedAt: at('03:30') }),
    () => owner.patch(`/time-entries/${kept.id}`, { endedAt: at('02:00') }),
    () => owner.post(`/time-entries/${gone.id}/restore`),
    () => owner.delete(`/time-entries/${gone.id}`),
    () => owner.post('/timer/start', { taskId }),
    () => owner.post('/timer/stop'),
  ]
  const answers = await Promise.all(Array.from({ length: 56 }, (_, i) => acts[i % acts.length]?.()))
  const unforeseen = answers.filter((answer) => ![200, 201, 204, 404, 412].includes(answer?.status ?? 0))
  assert.deepEqual(
    unforeseen.map((answer) => answer?.text),
    [],
  )
})

test('when a project returns while its slot is taken, one of both succeeds', async () => {
  const { log, owner, project, task } = await setUp()
  for (let round = 0; round < 6; round++) {
    const { id: projectId } = await project()
    const { id: taskId } = await task({ projectId })
    const from = `1${round}:00`
    await log(from, `1${round}:30`, { taskId })
    await owner.delete(`/projects/${projectId}`)
    const both = await Promise.all([owner.post(`/projects/${projectId}/restore`), log(from, `1${round}:15`)])
    assert.match(both.map(({ status }) => status).join(), /^(200,412|412,201)$/)
  }
})
