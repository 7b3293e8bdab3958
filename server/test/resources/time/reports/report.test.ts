import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../../support/world.ts'

const { newWorld } = await sharedServer()

interface Row {
  group: Record<string, { id: string | null; name: string | null }>
  seconds: number
  billableSeconds: number
  entries: number
}

const names = ({ group }: Row) => Object.values(group).map(({ name }) => name)
const line = (row: Row) => [...names(row), row.seconds, row.billableSeconds, row.entries]

/** An hour on the site by the owner, two billable ones on its step by the admin, four on the app. */
async function setUp() {
  const world = await newWorld()
  const { owner, admin } = world
  const [red, blue] = [await world.tag({ name: 'Red' }), await world.tag({ name: 'Blue' })]
  const bug = await world.taskType({ name: 'Bug' })
  const [web, app] = [await world.project({ name: 'Web' }), await world.project({ name: 'App' })]
  const site = await world.task({ projectId: web.id, name: 'Site', typeId: bug.id })
  const store = await world.task({ projectId: app.id, name: 'Store' })
  const step = await world.subtask(site.id)
  const hours = (count: number) => ({ durationSeconds: count * 3_600 })
  const [first, second, third] = ['2026-03-01T10:00:00Z', '2026-03-02T10:00:00Z', '2026-04-01T10:00:00Z']
  await world.timeEntry({ taskId: site.id, startedAt: first, ...hours(1), tagIds: [red.id] })
  const theirs = { memberId: admin.memberId, billable: true, tagIds: [red.id, blue.id] }
  await world.timeEntry({ subtaskId: step.id, startedAt: second, ...hours(2), ...theirs })
  await world.timeEntry({ taskId: store.id, startedAt: third, ...hours(4) })
  const report = async (query: string) => {
    const { status, body, text } = await owner.get(`/reports/time?${query}`)
    assert.equal(status, 200, text)
    return body as { groupBy: string[]; data: Row[]; totals: object }
  }
  return { ...world, red, blue, bug, web, app, site, store, step, report }
}

const totals = { seconds: 25_200, billableSeconds: 7_200, entries: 3 }

test('each grouping sums up by its value, and every total counts all entries', async () => {
  const { report } = await setUp()
  const expected: Record<string, unknown[][]> = {
    project: [
      ['App', 14_400, 0, 1],
      ['Web', 10_800, 7_200, 2],
    ],
    member: [
      ['Adam Admin', 7_200, 7_200, 1],
      ['Olivia Owner', 18_000, 0, 2],
    ],
    task: [
      ['Site', 10_800, 7_200, 2],
      ['Store', 14_400, 0, 1],
    ],
    type: [
      ['Bug', 10_800, 7_200, 2],
      [null, 14_400, 0, 1],
    ],
    tag: [
      ['Blue', 7_200, 7_200, 1],
      ['Red', 10_800, 7_200, 2],
      [null, 14_400, 0, 1],
    ],
    billable: [
      ['billable', 7_200, 7_200, 1],
      ['not billable', 18_000, 0, 2],
    ],
    day: [
      ['2026-03-01', 3_600, 0, 1],
      ['2026-03-02', 7_200, 7_200, 1],
      ['2026-04-01', 14_400, 0, 1],
    ],
    week: [
      ['2026-02-23', 3_600, 0, 1],
      ['2026-03-02', 7_200, 7_200, 1],
      ['2026-03-30', 14_400, 0, 1],
    ],
    month: [
      ['2026-03', 10_800, 7_200, 2],
      ['2026-04', 14_400, 0, 1],
    ],
  }
  for (const [name, lines] of Object.entries(expected)) {
    const { groupBy, data, totals: all } = await report(`groupBy=${name}`)
    assert.deepEqual([groupBy, data.map(line), all], [[name], lines, totals])
  }
})

test('a group has the id of its resource', async () => {
  const { report, web, app, bug, step } = await setUp()
  const ids = async (query: string, name: string) => (await report(query)).data.map(({ group }) => group[name]?.id)
  assert.deepEqual(await ids('groupBy=project', 'project'), [app.id, web.id])
  assert.deepEqual(await ids('groupBy=type', 'type'), [bug.id, null])
  assert.deepEqual(await ids('groupBy=billable', 'billable'), ['true', 'false'])
  assert.deepEqual(await ids(`groupBy=task&subtaskId=${step.id}`, 'task'), [step.taskId])
})

test('three groupings together give one row for each combination that has time, in the requested order', async () => {
  const { report } = await setUp()
  const { groupBy, data } = await report('groupBy=month,type,member')
  assert.deepEqual(groupBy, ['month', 'type', 'member'])
  assert.deepEqual(data.map(line), [
    ['2026-03', 'Bug', 'Adam Admin', 7_200, 7_200, 1],
    ['2026-03', 'Bug', 'Olivia Owner', 3_600, 0, 1],
    ['2026-04', null, 'Olivia Owner', 14_400, 0, 1],
  ])
  assert.deepEqual((await report('groupBy=tag,task,type')).data.map(line), [
    ['Blue', 'Site', 'Bug', 7_200, 7_200, 1],
    ['Red', 'Site', 'Bug', 10_800, 7_200, 2],
    [null, 'Store', null, 14_400, 0, 1],
  ])
})

test('a missing, unknown or repeated grouping, or a fourth, is refused with 422 in fieldErrors.groupBy', async () => {
  const { owner } = await setUp()
  const wrong = [
    ...[
      '',
      'groupBy=',
      'groupBy=status',
      'groupBy=project,project',
      'groupBy=project,member,task,tag',
      'groupBy=Project',
    ],
    ...['groupBy=project,', 'groupBy=project,%20member', 'groupBy=toString', 'groupBy=project&groupBy=member'],
  ]
  for (const query of wrong) {
    const { status, body } = await owner.get(`/reports/time?${query}`)
    assert.equal(status, 422, query)
    assert.deepEqual(Object.keys(body.details.fieldErrors), ['groupBy'], query)
  }
  assert.equal((await owner.get('/reports/time?groupBy=day&project=x')).status, 422)
  assert.equal((await owner.get('/reports/time?groupBy=day&startedAfter=2026-03-01')).status, 422)
})

test('the groups of a report add up to its total, and to what the entries show, to the second', async () => {
  const { owner, project, task, timeEntry } = await newWorld()
  const { id: projectId } = await project()
  const shown: number[] = []
  for (const endedAt of ['09:00:00.900Z', '09:00:01.900Z', '09:30:59.999Z']) {
    const { id: taskId } = await task({ projectId })
    const entry = await timeEntry({
      taskId,
      startedAt: '2026-03-02T09:00:00Z',
      endedAt: `2026-03-02T${endedAt}`,
      durationSeconds: undefined,
      billable: true,
    })
    shown.push(entry.durationSeconds)
  }
  const sum = shown.reduce((all, one) => all + one, 0)
  const { data, totals } = (await owner.get('/reports/time?groupBy=task')).body
  for (const field of ['seconds', 'billableSeconds']) {
    assert.equal(totals[field], sum)
    assert.equal(
      data.reduce((all: number, row: Record<string, number>) => all + (row[field] ?? 0), 0),
      sum,
    )
  }
  const ofTasks = (await owner.get('/reports/tasks?groupBy=project')).body
  assert.deepEqual([ofTasks.data[0].trackedSeconds, ofTasks.totals.trackedSeconds], [sum, sum])
  const { progress } = (await owner.get(`/projects/${projectId}?include=progress`)).body
  assert.equal(progress.trackedSeconds, sum)
})

test('every filter of time entries narrows a report, also its totals', async () => {
  const { report, owner, admin, web, site, step, red, blue } = await setUp()
  const seconds: [string, number][] = [
    [`memberId=${admin.memberId}`, 7_200],
    [`projectId=${web.id}`, 10_800],
    [`taskId=${site.id}`, 10_800],
    [`taskId=${site.id}&subtaskId=none`, 3_600],
    [`subtaskId=${step.id}`, 7_200],
    [`tagId=${red.id}`, 10_800],
    ['billable=true', 7_200],
    ['running=true', 0],
    ['running=false', 25_200],
    ['startedAfter=2026-03-02T10:00:00Z', 21_600],
    ['startedBefore=2026-03-02T10:00:00Z', 3_600],
    ['updatedAfter=2099-01-01T00:00:00Z', 0],
    [`projectId=${web.id}&memberId=${owner.memberId}&tagId=${blue.id}`, 0],
  ]
  for (const [filter, expected] of seconds) {
    for (const grouping of ['project', 'tag']) {
      const { totals: all } = await report(`groupBy=${grouping}&${filter}`)
      assert.equal('seconds' in all && all.seconds, expected, filter)
    }
  }
})

test('a report of nothing has no groups and totals of zero', async () => {
  const { owner } = await newWorld()
  for (const groupBy of ['project', 'tag', 'day,tag']) {
    const { body } = await owner.get(`/reports/time?groupBy=${groupBy}`)
    const zero = { seconds: 0, billableSeconds: 0, entries: 0 }
    assert.deepEqual([body.data, body.totals], [[], zero])
  }
})

test('a running timer counts until now, and time that begins in the future counts nothing yet', async () => {
  const { owner, admin, site, report, timeEntry } = await setUp()
  const running = (startedAt: string, memberId: string) =>
    timeEntry({ taskId: site.id, durationSeconds: undefined, billable: true, startedAt, memberId })
  const began = Date.now() - 3_600_000
  await running(new Date(began).toISOString(), owner.memberId)
  await running(new Date(Date.now() + 50_000).toISOString(), admin.memberId)
  const before = Math.floor((Date.now() - began) / 1_000)
  const { data } = await report('groupBy=member&running=true')
  const after = Math.floor((Date.now() - began) / 1_000)
  const [theirs, mine] = data
  assert.deepEqual([theirs?.seconds, theirs?.entries], [0, 1])
  assert.ok(mine && mine.seconds >= before && mine.seconds <= after)
  assert.equal(mine.billableSeconds, mine.seconds)
})

test('a report counts only time in projects that the caller sees, with every grouping', async () => {
  const { member, web, app, addToProject } = await setUp()
  const sum = async (query: string) => (await member.get(`/reports/time?${query}`)).body.totals.seconds
  for (const groupBy of ['project', 'tag']) assert.equal(await sum(`groupBy=${groupBy}`), 0)
  await addToProject(web.id, member, 'viewer')
  for (const groupBy of ['project', 'member', 'task', 'type', 'tag', 'billable', 'day', 'week', 'month']) {
    assert.equal(await sum(`groupBy=${groupBy}`), 10_800, groupBy)
  }
  assert.equal(await sum(`groupBy=project&projectId=${app.id}`), 0)
})

test('time of another organization never counts; deleted time and deleted projects do not count', async () => {
  const { owner, web, store, report } = await setUp()
  await setUp()
  await owner.delete(`/projects/${web.id}`)
  assert.deepEqual((await report('groupBy=project')).data.map(line), [['App', 14_400, 0, 1]])
  await owner.delete(`/tasks/${store.id}`)
  assert.deepEqual((await report('groupBy=tag')).data, [])
})

test('an archived project and a removed member still count, under their names', async () => {
  const { owner, admin, web, report } = await setUp()
  await owner.post(`/projects/${web.id}/archive`)
  await owner.delete(`/members/${admin.memberId}`)
  assert.deepEqual((await report('groupBy=member,project')).data.map(names), [
    ['Adam Admin', 'Web'],
    ['Olivia Owner', 'App'],
    ['Olivia Owner', 'Web'],
  ])
})

test('groups come by name, ignoring case and accents, then by id; groups without a name come last', async () => {
  const { owner, project, task, taskType, timeEntry } = await newWorld()
  const { id: projectId } = await project()
  const [twin, other] = [await task({ projectId, name: 'Twin' }), await task({ projectId, name: 'twin' })]
  for (const { id: taskId } of [other, twin]) await timeEntry({ taskId })
  for (const name of ['Zoo', 'éclair', 'apple', 'Banana']) {
    const { id: typeId } = await taskType({ name })
    await timeEntry({ taskId: (await task({ projectId, name: 'Last', typeId })).id })
  }
  const { data: types } = (await owner.get('/reports/time?groupBy=type')).body
  assert.deepEqual(types.flatMap(names), ['apple', 'Banana', 'éclair', 'Zoo', null])
  const { data: tasks } = (await owner.get('/reports/time?groupBy=task')).body
  assert.deepEqual(
    tasks.slice(-2).map(({ group }: Row) => group.task?.id),
    [twin.id, other.id],
  )
})
