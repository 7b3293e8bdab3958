import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayByWord as dayInTw } from '../../../cli/src/arguments/days.ts'
import { dayByWord, parseDateTime, parseDay } from '../../src/mcp/calls/times.ts'
import { connectAgent, webProject } from '../support/agent.ts'
import { sharedServer } from '../support/world.ts'

const server = await sharedServer()

// a Wednesday, in Berlin already
const berlin = { zone: 'Europe/Berlin', now: new Date('2026-03-03T23:30:00Z') }

test("a word for a day is a day in the caller's time zone: a weekday is the next one for due dates", () => {
  for (const [word, day] of Object.entries({
    ...{ today: '2026-03-04', Yesterday: '2026-03-03', tomorrow: '2026-03-05', '2026-02-28': '2026-02-28' },
    ...{ friday: '2026-03-06', fri: '2026-03-06', tuesday: '2026-03-10', wednesday: '2026-03-04', '+3d': '2026-03-07' },
    ...{ '-7d': '2026-02-25', '7d ago': '2026-02-25' },
  }))
    assert.equal(parseDay(berlin, 'dueDate', word), day, word)
  for (const word of ['soon', '2026-02-30', 'constructor', '', '3', '7d'])
    assert.throws(() => parseDay(berlin, 'dueDate', word), /- dueDate: Must be a date/, word)
})

test('a time can be given in words: a word, a past weekday, how long ago, or a clock time', () => {
  for (const [word, moment] of Object.entries({
    ...{ today: '2026-03-03T23:00:00.000Z', yesterday: '2026-03-02T23:00:00.000Z', now: '2026-03-03T23:30:00.000Z' },
    ...{ monday: '2026-03-01T23:00:00.000Z', 'mon 9:05': '2026-03-02T08:05:00.000Z', fri: '2026-02-26T23:00:00.000Z' },
    ...{ 'yesterday 14:00': '2026-03-03T13:00:00.000Z', '09:30': '2026-03-04T08:30:00.000Z' },
    ...{ '24h': '2026-03-02T23:30:00.000Z', '7d': '2026-02-24T23:30:00.000Z', '2h ago': '2026-03-03T21:30:00.000Z' },
    ...{ '-7d': '2026-02-24T23:00:00.000Z', '7d ago': '2026-02-24T23:00:00.000Z' },
    ...{ '2026-01-31': '2026-01-30T23:00:00.000Z', '2026-01-31T09:30': '2026-01-31T08:30:00.000Z' },
    ...{ '2026-01-31 09:30:15': '2026-01-31T08:30:15.000Z', '2026-01-31T09:30:00+02:00': '2026-01-31T09:30:00+02:00' },
    ...{ '2026-01-31T09:30+02:00': '2026-01-31T09:30:00+02:00', '2026-01-31t09:30z': '2026-01-31t09:30:00z' },
  }))
    assert.equal(parseDateTime(berlin, 'since', word), moment, word)
  for (const word of ['lately', '2026-02-30', '25:00', 'yesterday 24:30', '2026-01-31T', 'toString'])
    assert.throws(() => parseDateTime(berlin, 'since', word), /- since: Must be a time/, word)
})

test('tw takes the same words for days', () => {
  const words = [
    'today',
    'yesterday',
    'tomorrow',
    'monday',
    'mon',
    'sun',
    'thursday',
    '-7d',
    '+3d',
    'nope',
    '7d',
    'constructor',
  ]
  for (const word of words)
    for (const isAhead of [true, false])
      for (const today of ['2026-03-04', '2024-02-29', '2026-12-31'])
        assert.equal(dayByWord(word, today, isAhead), dayInTw(word, today, isAhead), `${word} ${today}`)
})

test('every argument for a day or a time takes words for it', async () => {
  const world = await server.newWorld()
  const { project } = await webProject(world)
  const task = await world.task({ projectId: project.id, name: 'Fix the login' })
  await world.subtask(task.id, { name: 'Reproduce it' })
  await world.task({ projectId: project.id, name: 'Order the menu' })
  const { call } = await connectAgent(server.base, world.owner.key)
  for (const [tool, input, shows] of [
    ['edit_task', { task: 'WEB-1', startDate: 'today', dueDate: 'friday' }, /Edited WEB-1/],
    ['create_task', { project: 'WEB', name: 'Soon', dueDate: '+3d' }, /Created WEB-3/],
    [
      'find_tasks',
      { dueAfter: 'today', dueBefore: '+8d', updatedSince: 'yesterday', sort: 'oldest' },
      /WEB-1.*\n.*WEB-3/,
    ],
    ['log_time', { task: 'WEB-1', start: 'yesterday 09:00', end: '10:30' }, /Logged 1h 30m .*09:00–10:30/],
    ['log_time', { task: 'WEB-1', subtask: '1', start: 'yesterday', duration: '45m' }, /Logged 45m .*09:00–09:45/],
    ['list_time', { since: 'yesterday', before: 'tomorrow', order: 'oldest' }, /45m|1h 30m/],
    ['list_time', { since: 'monday' }, /./],
    ['report', { of: 'time', groupBy: ['task'], since: '-7d', before: 'tomorrow' }, /Fix the login: 2h 15m/],
    ['list_changes', { since: 'monday', kinds: ['time_entry'] }, /WEB-1, Reproduce it 45m/],
    ['read_task', { task: 'WEB-1, web-2' }, /WEB-1 Fix the login(.*\n)*WEB-2 Order the menu/],
  ] as const) {
    const { text, refused } = await call(tool, input)
    assert.ok(!refused, `${tool}: ${text}`)
    assert.match(text, shows, tool)
  }
  const listed = (await call('list_time', { since: 'yesterday' })).text
  assert.match(listed, /WEB-1 Fix the login, Reproduce it/)
})
