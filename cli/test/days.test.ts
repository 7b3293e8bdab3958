import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../server/test/support/world.ts'
import { dayByWord } from '../src/arguments/days.ts'
import { typingTo } from './support/typing.ts'

const server = await sharedServer()
const dayMs = 86_400_000

/** Somebody whose organization is where no clock of a test machine is. */
async function office() {
  const world = await server.newWorld()
  const timezone = 'Pacific/Chatham'
  await world.owner.patch('/organization', { timezone })
  const project = await world.project({ name: 'Web site', key: 'WEB' })
  await world.task({ projectId: project.id, name: 'Fix it' })
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format()
  const day = (days: number) => new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10)
  return { ...world, tw: typingTo(server.base, world.owner.key), today, day, timezone }
}

test("a day of --from and --to is a day in the organization's time zone, and the command says so", async () => {
  const { tw, owner } = await office()
  const { id: taskId } = (await owner.get('/tasks/WEB-1')).body
  // in Chatham, 12:45 or 13:45 ahead of UTC, the first two are of 1 June 2026, the last is of 2 June
  for (const startedAt of ['2026-05-31T11:15:00Z', '2026-06-01T11:14:00Z', '2026-06-01T11:15:00Z'])
    await owner.post('/time-entries', { taskId, startedAt, durationSeconds: 60 })
  const report = 'reports time --group-by day --from 2026-06-01 --to 2026-06-01'
  const { data } = JSON.parse((await tw(`${report} --json`)).out)
  assert.deepEqual(
    data.map(({ group, entries }: { group: { day: { name: string } }; entries: number }) => [group.day.name, entries]),
    [['2026-06-01', 2]],
  )
  assert.equal((await tw(report)).err, 'Days are in Pacific/Chatham, the time zone of the organization.\n')
  const listed = JSON.parse((await tw('time-entries list --from 2026-06-01 --to 2026-06-01 --json')).out)
  assert.equal(listed.data.length, 2)
})

test('every option for a day takes today, yesterday, tomorrow, weekdays, -7d and +3d', async () => {
  const { tw, owner, today, day } = await office()
  const due = async (word: string) => {
    const { code, err } = await tw(['tasks', 'update', 'WEB-1', '--due-date', word])
    assert.equal(code, 0, err)
    return (await owner.get('/tasks/WEB-1')).body.dueDate
  }
  assert.deepEqual(
    [await due('today'), await due('yesterday'), await due('Tomorrow'), await due('-7d'), await due('+3d')],
    [today, day(-1), day(1), day(-7), day(3)],
  )
  const friday = await due('fri')
  assert.equal(new Date(friday).getUTCDay(), 5)
  assert.ok(friday >= today && friday <= day(6), 'the next one, or today')
  assert.equal(await due('friday'), friday)
  const found = async (flags: string) => JSON.parse((await tw(`tasks list ${flags} --json`)).out).data.length
  assert.deepEqual([await found('--due-date friday'), await found('--due-before friday')], [1, 0])

  const { id: taskId } = (await owner.get('/tasks/WEB-1')).body
  await owner.post('/time-entries', { taskId, startedAt: new Date().toISOString(), durationSeconds: 1 })
  const entries = async (flags: string) => JSON.parse((await tw(`time-entries list ${flags} --json`)).out).data.length
  assert.deepEqual([await entries('--from today'), await entries('--from tomorrow')], [1, 0])
  assert.deepEqual([await entries('--to yesterday'), await entries('--from -7d --to today')], [0, 1])
  const made = await tw('time-entries create --task WEB-1 --started-at "yesterday 09:00+00:00" --duration 1h --json')
  assert.equal(made.err, '')
  assert.match(JSON.parse(made.out).startedAt, /T09:00:00\.000Z$/)
  const small = await tw('time-entries create --task WEB-1 --started-at 2026-11-20t09:00z --duration 1h --json')
  assert.equal(small.err, '')
  assert.equal(JSON.parse(small.out).startedAt, '2026-11-20T09:00:00.000Z')
  const early = await tw('time-entries create --task WEB-1 --started-at 00:30 --duration 1s --json')
  assert.equal(early.err, '')
  assert.equal(Date.parse(JSON.parse(early.out).startedAt), new Date().setHours(0, 30, 0, 0))
})

test('a weekday is the last one for past time, and the next one for due dates', () => {
  // a Friday
  const today = '2026-11-27'
  const days = ['mon', 'thursday', 'Fri', 'sat'].map((word) => [
    dayByWord(word, today, false),
    dayByWord(word, today, true),
  ])
  assert.deepEqual(days, [
    ['2026-11-23', '2026-11-30'],
    ['2026-11-26', '2026-12-03'],
    ['2026-11-27', '2026-11-27'],
    ['2026-11-21', '2026-11-28'],
  ])
  assert.deepEqual([dayByWord('someday', today, true), dayByWord('constructor', today, true)], [undefined, undefined])
})

test('days and times that no calendar or clock has are refused', async () => {
  const { tw, owner } = await office()
  const said =
    ' takes a day (2026-11-30, yesterday, monday, -7d) or a date-time (17:30, 2026-11-30T09:00, with or without Z or +01:00).\n'
  const days = ['2026-00-10', '2026-13-10', '2026-01-00', '2026-01-32', '2026-02-30', '2025-02-29', '26-01-01', '']
  const times = ['25:00', '24:00', '09:60', '9:00', '09:00:61', '09:00 pm', '09:00+1:00']
  const moments = [...days, ...days.map((day) => `${day}T09:00Z`), ...times.map((time) => `2026-11-30T${time}`)]
  for (const text of moments) {
    const create = await tw(['time-entries', 'create', '--task', 'WEB-1', '--duration', '1h', `--started-at=${text}`])
    assert.deepEqual([text, create.code, create.err], [text, 2, `--started-at${said}`])
    const report = await tw(['reports', 'time', '--group-by', 'day', `--from=${text}`])
    assert.deepEqual([text, report.code, report.err.split('\n').at(-2)], [text, 2, `--from${said}`.trimEnd()])
  }
  assert.equal((await owner.get('/time-entries')).body.data.length, 0)
  for (const text of days) assert.equal((await tw(['tasks', 'update', 'WEB-1', `--due-date=${text}`])).code, 1, text)
})
