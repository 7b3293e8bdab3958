import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../../src/db/sql.ts'
import { manyTasks } from '../../../support/many.ts'
import { sharedServer } from '../../../support/world.ts'

const { base, db, newWorld } = await sharedServer()

interface Row {
  group: Record<string, { id: string | null; name: string | null }>
  open: number
  completed: number
  overdue: number
  estimatedSeconds: number
  trackedSeconds: number
  medianDaysToCompletion: number | null
}

const names = ({ group }: Row) => Object.values(group).map(({ name }) => name)
const sums = ({ open, completed, overdue, estimatedSeconds, trackedSeconds }: Omit<Row, 'group'>) => [
  ...[open, completed, overdue, estimatedSeconds, trackedSeconds],
]
const line = (row: Row) => [...names(row), ...sums(row)]

/** On Web a bug of the owner that is doing, and one that is done; on App one of both, overdue and on no board. */
async function setUp() {
  const world = await newWorld()
  const { owner, admin } = world
  const [red, blue] = [await world.tag({ name: 'Red' }), await world.tag({ name: 'Blue' })]
  const bug = await world.taskType({ name: 'Bug' })
  const [web, app] = [await world.project({ name: 'Web' }), await world.project({ name: 'App' })]
  const board = await world.workspace({ name: 'Board', projectId: web.id, stages: ['Doing', 'Done'] })
  const [doing, done] = await world.stages(board.id)
  assert.equal((await owner.patch(`/stages/${doing.id}`, { category: 'doing' })).status, 200)
  assert.equal((await owner.patch(`/stages/${done.id}`, { category: 'done' })).status, 200)
  const onWeb = { projectId: web.id, typeId: bug.id, assigneeIds: [owner.memberId] }
  const site = await world.task({ ...onWeb, name: 'Site', stageId: doing.id, tagIds: [red.id], estimateSeconds: 100 })
  const page = { name: 'Page', priority: 'high', dueDate: '2020-05-06' }
  await world.task({ ...onWeb, ...page, stageId: done.id, tagIds: [red.id, blue.id], estimateSeconds: 20 })
  const store = await world.task({
    ...{ projectId: app.id, name: 'Store', dueDate: '2020-05-07', estimateSeconds: 3 },
    assigneeIds: [owner.memberId, admin.memberId],
  })
  const step = await world.subtask(site.id)
  const startedAt = '2026-03-01T10:00:00Z'
  await world.timeEntry({ taskId: site.id, startedAt, durationSeconds: 1_000 })
  await world.timeEntry({ subtaskId: step.id, startedAt, durationSeconds: 500 })
  await world.timeEntry({ taskId: store.id, startedAt, durationSeconds: 60 })
  const report = async (query: string, api = owner) => {
    const { status, body, text } = await api.get(`/reports/tasks?${query}`)
    assert.equal(status, 200, text)
    return body as { groupBy: string[]; data: Row[]; totals: Omit<Row, 'group'> }
  }
  return { ...world, red, blue, bug, web, app, board, doing, done, site, store, report }
}

const totals = [2, 1, 1, 123, 1_560]
const [ofSite, ofPage, ofStore] = [
  [1, 0, 0, 100, 1_500],
  [0, 1, 0, 20, 0],
  [1, 0, 1, 3, 60],
]
const ofWeb = [1, 1, 0, 120, 1_500]

test('without completed tasks, or without tasks, a report by completion date has them in no date group', async () => {
  const world = await newWorld()
  const report = async () => (await world.owner.get('/reports/tasks?groupBy=completedDay')).body
  assert.deepEqual((await report()).data, [])
  await world.task({ projectId: (await world.project()).id })
  assert.deepEqual((await report()).data.map(line), [[null, 1, 0, 0, 0, 0]])
})

test('each grouping counts the tasks that share its value, and every total counts all tasks', async () => {
  const { report, site } = await setUp()
  const month = site.createdAt.slice(0, 7)
  const expected: Record<string, unknown[][]> = {
    project: [
      ['App', ...ofStore],
      ['Web', ...ofWeb],
    ],
    workspace: [
      ['Board', ...ofWeb],
      [null, ...ofStore],
    ],
    stage: [
      ['Doing', ...ofSite],
      ['Done', ...ofPage],
      [null, ...ofStore],
    ],
    stageCategory: [
      ['doing', ...ofSite],
      ['done', ...ofPage],
      [null, ...ofStore],
    ],
    assignee: [
      ['Adam Admin', ...ofStore],
      ['Olivia Owner', ...totals],
    ],
    type: [
      ['Bug', ...ofWeb],
      [null, ...ofStore],
    ],
    tag: [
      ['Blue', ...ofPage],
      ['Red', ...ofWeb],
      [null, ...ofStore],
    ],
    priority: [
      ['high', ...ofPage],
      ['none', 2, 0, 1, 103, 1_560],
    ],
    createdBy: [['Olivia Owner', ...totals]],
    createdMonth: [[month, ...totals]],
    completedMonth: [
      [month, ...ofPage],
      [null, 2, 0, 1, 103, 1_560],
    ],
    dueDay: [
      ['2020-05-06', ...ofPage],
      ['2020-05-07', ...ofStore],
      [null, ...ofSite],
    ],
    dueWeek: [
      ['2020-05-04', 1, 1, 1, 23, 60],
      [null, ...ofSite],
    ],
    dueMonth: [
      ['2020-05', 1, 1, 1, 23, 60],
      [null, ...ofSite],
    ],
  }
  for (const [name, lines] of Object.entries(expected)) {
    const { groupBy, data, totals: all } = await report(`groupBy=${name}`)
    assert.deepEqual([groupBy, data.map(line), sums(all)], [[name], lines, totals], name)
  }
})

test('a group of tasks has the id of its resource', async () => {
  const { report, owner, web, app, bug, board, doing, done, red, blue } = await setUp()
  const ids = async (name: string) => (await report(`groupBy=${name}`)).data.map(({ group }) => group[name]?.id)
  assert.deepEqual(await ids('project'), [app.id, web.id])
  assert.deepEqual(await ids('workspace'), [board.id, null])
  assert.deepEqual(await ids('stage'), [doing.id, done.id, null])
  assert.deepEqual(await ids('type'), [bug.id, null])
  assert.deepEqual(await ids('tag'), [blue.id, red.id, null])
  assert.deepEqual(await ids('createdBy'), [owner.memberId])
  assert.deepEqual(await ids('priority'), ['high', 'none'])
})

test('three groupings together count each combination that a task is in, in the requested order', async () => {
  const { report } = await setUp()
  const { groupBy, data, totals: all } = await report('groupBy=tag,assignee,stageCategory')
  assert.deepEqual(groupBy, ['tag', 'assignee', 'stageCategory'])
  assert.deepEqual(data.map(line), [
    ['Blue', 'Olivia Owner', 'done', ...ofPage],
    ['Red', 'Olivia Owner', 'doing', ...ofSite],
    ['Red', 'Olivia Owner', 'done', ...ofPage],
    [null, 'Adam Admin', null, ...ofStore],
    [null, 'Olivia Owner', null, ...ofStore],
  ])
  assert.deepEqual(sums(all), totals)
})

test('a missing, unknown or repeated grouping of tasks, or a fourth, is refused with 422 in fieldErrors.groupBy', async () => {
  const { owner } = await newWorld()
  const wrong = [
    ...['', 'groupBy=', 'groupBy=status', 'groupBy=day', 'groupBy=member', 'groupBy=project,project'],
    ...['groupBy=project,stage,tag,type', 'groupBy=project&groupBy=tag', 'groupBy=createdday', 'groupBy=project,'],
  ]
  for (const query of wrong) {
    const { status, body } = await owner.get(`/reports/tasks?${query}`)
    assert.equal(status, 422, query)
    assert.deepEqual(Object.keys(body.details.fieldErrors), ['groupBy'], query)
  }
  for (const query of ['project=x', 'projectId=x', 'include=tags', 'limit=10', 'sort=dueDate', 'dueBefore=soon']) {
    assert.equal((await owner.get(`/reports/tasks?groupBy=project&${query}`)).status, 422, query)
  }
})

test('every filter of tasks narrows a report of them, also its totals', async () => {
  const { report, owner, admin, web, app, board, doing, done, bug, red, blue } = await setUp()
  const moment = '2099-01-01T00:00:00Z'
  const tasks: [string, number][] = [
    ...([`projectId=${web.id}`, `projectId=${web.id},${app.id}`].map((query, i) => [query, 2 + i]) as [
      string,
      number,
    ][]),
    [`workspaceId=${board.id}`, 2],
    ['workspaceId=none', 1],
    [`stageId=${doing.id}`, 1],
    [`stageId=${doing.id},${done.id}`, 2],
    ['stageCategory=done', 1],
    [`typeId=${bug.id}`, 2],
    [`assigneeId=${admin.memberId}`, 1],
    ['assigneeId=me', 3],
    ['assigneeId=none', 0],
    [`createdBy=${owner.memberId}`, 3],
    [`tagId=${red.id}`, 2],
    [`tagId=${red.id}&tagId=${blue.id}`, 1],
    [`anyTagId=${red.id},${blue.id}`, 2],
    ['priority=high', 1],
    ['completed=false', 2],
    ['dueDate=none', 1],
    ['dueBefore=2020-05-07', 1],
    ['dueAfter=2020-05-07', 1],
    [`createdBefore=${moment}`, 3],
    [`createdAfter=${moment}`, 0],
    [`updatedAfter=${moment}`, 0],
    ['q=store', 1],
    [`projectId=${web.id}&completed=true&tagId=${blue.id}`, 1],
  ]
  for (const [filter, expected] of tasks) {
    for (const grouping of ['project', 'tag,createdDay']) {
      const { totals: all } = await report(`groupBy=${grouping}&${filter}`)
      assert.equal(all.open + all.completed, expected, filter)
    }
  }
})

test('a report of no tasks has no groups, and totals of zero without a median', async () => {
  const { owner } = await newWorld()
  for (const groupBy of ['project', 'tag', 'createdDay,completedMonth']) {
    const { body } = await owner.get(`/reports/tasks?groupBy=${groupBy}`)
    assert.deepEqual([body.data, sums(body.totals)], [[], [0, 0, 0, 0, 0]])
    assert.equal(body.totals.medianDaysToCompletion, null)
  }
})

test('a report counts only tasks in projects that the caller sees, and only their time, with every grouping', async () => {
  const { member, web, app, owner, addToProject, report } = await setUp()
  const seen = async (query: string) => sums((await report(query, member)).totals)
  for (const groupBy of ['project', 'tag', 'createdMonth']) {
    assert.deepEqual(await seen(`groupBy=${groupBy}`), [0, 0, 0, 0, 0])
  }
  await addToProject(web.id, member, 'viewer')
  for (const groupBy of [
    'project',
    'stage',
    'assignee',
    'tag',
    'priority',
    'createdDay',
    'completedWeek',
    'dueMonth',
  ]) {
    assert.deepEqual(await seen(`groupBy=${groupBy}`), ofWeb, groupBy)
  }
  assert.deepEqual(await seen(`groupBy=project&projectId=${app.id}`), [0, 0, 0, 0, 0])
  assert.deepEqual(await seen(`groupBy=project&projectId=${app.id},${web.id}`), ofWeb)
  await owner.delete(`/projects/${web.id}`)
  assert.deepEqual(await seen('groupBy=project'), [0, 0, 0, 0, 0])
})

test('tasks of another organization, deleted ones and those of deleted projects count nowhere, and neither does their time', async () => {
  const { owner, web, store, report } = await setUp()
  await setUp()
  await owner.delete(`/projects/${web.id}`)
  assert.deepEqual((await report('groupBy=project')).data.map(line), [['App', ...ofStore]])
  await owner.delete(`/tasks/${store.id}`)
  assert.deepEqual((await report('groupBy=tag')).data, [])
})

test('a removed member is no longer an assignee, but is still the creator', async () => {
  const world = await setUp()
  const { owner, admin, app, report } = world
  const made = await admin.post('/tasks', { projectId: app.id, name: 'By the admin' })
  assert.equal(made.status, 201)
  await owner.delete(`/members/${admin.memberId}`)
  const { data } = await report(`groupBy=createdBy,assignee&projectId=${app.id}`)
  assert.deepEqual(data.map(names), [
    ['Adam Admin', null],
    ['Olivia Owner', 'Olivia Owner'],
  ])
})

test('a client that accepts text/csv gets a report of tasks as CSV, with an empty cell if there is no median', async () => {
  const { owner, web, doing } = await setUp()
  const headers = { authorization: `Bearer ${owner.key}`, accept: 'text/csv' }
  const query = `groupBy=project,stage&projectId=${web.id}`
  const response = await fetch(`${base}/api/v1/reports/tasks?${query}&completed=false`, { headers })
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  const head =
    'projectId,project,stageId,stage,open,completed,overdue,estimatedSeconds,trackedSeconds,medianDaysToCompletion'
  assert.equal(await response.text(), `${head}\r\n${web.id},Web,${doing.id},Doing,1,0,0,100,1500,\r\n`)
  const all = await (await fetch(`${base}/api/v1/reports/tasks?${query}`, { headers })).text()
  assert.match(all, /,Done,0,1,0,20,0,0\r\n$/)
})

test('more than 10,000 groups of tasks are refused with 422', async () => {
  const { orgId, owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  await manyTasks(db, orgId, id, 10, {})
  await db.rows(sql`update tasks set due_date = date '2020-01-01' + number % 1000,
    assignee_ids = array(select md5(id::text || n)::uuid from generate_series(1, 20) n),
    tag_ids = array(select md5(n || id::text)::uuid from generate_series(1, 50) n) where org_id = ${orgId}`)
  const groupBy = 'groupBy=assignee,tag,dueDay'
  const { status, body } = await owner.get(`/reports/tasks?${groupBy}`)
  assert.equal(status, 422)
  assert.deepEqual(body.details.formErrors, ['There are more than 10000 groups; use narrower filters'])
  const narrow = await owner.get(`/reports/tasks?${groupBy}&dueBefore=2020-01-10`)
  assert.deepEqual([narrow.status, narrow.body.data.length, narrow.body.totals.open], [200, 8_000, 8])
})
