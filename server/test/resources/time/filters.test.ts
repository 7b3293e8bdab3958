import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

interface Entry {
  id: string
  startedAt: string
}

/** Two projects with a dozen entries that differ in all that can be filtered by, by name. */
async function setUp() {
  const world = await newWorld()
  const { owner, admin, task, subtask, tag, timeEntry } = world
  const [web, app] = [await world.project(), await world.project()]
  const [site, store] = [await task({ projectId: web.id }), await task({ projectId: app.id })]
  const step = await subtask(site.id)
  const [red, blue] = [await tag(), await tag()]
  const day = (date: number) => ({ startedAt: `2026-03-${String(date).padStart(2, '0')}T08:00:00.000Z` })
  const entries: Record<string, { id: string; updatedAt: string }> = {
    plain: await timeEntry({ taskId: site.id, ...day(1) }),
    step: await timeEntry({ subtaskId: step.id, ...day(2) }),
    red: await timeEntry({ taskId: site.id, tagIds: [red.id], ...day(3) }),
    both: await timeEntry({ taskId: store.id, tagIds: [red.id, blue.id], billable: true, ...day(4) }),
    billable: await timeEntry({ taskId: store.id, billable: true, ...day(5) }),
    admins: await timeEntry({ taskId: store.id, memberId: admin.memberId, ...day(6) }),
    runs: await timeEntry({ subtaskId: step.id, durationSeconds: undefined, billable: true, ...day(7) }),
  }
  const names = Object.keys(entries)
  const named = (data: Entry[]) => data.map(({ id }) => names.find((name) => entries[name]?.id === id) ?? id)
  return {
    ...{ ...world, web, app, site, store, step, red, blue, entries, day, named },
    matching: async (query: string) => named((await owner.get(`/time-entries?${query}`)).body.data),
  }
}

const given = await setUp()
const { owner, admin, matching, web, app, site, store, step, red, blue, day, entries } = given

test('each filter returns the entries that match it, the latest start first', async () => {
  const cases: [string, string[]][] = [
    ['', ['runs', 'admins', 'billable', 'both', 'red', 'step', 'plain']],
    [`memberId=${admin.memberId}`, ['admins']],
    [`projectId=${web.id}`, ['runs', 'red', 'step', 'plain']],
    [`taskId=${site.id}`, ['runs', 'red', 'step', 'plain']],
    [`taskId=${site.id}&subtaskId=none`, ['red', 'plain']],
    [`taskId=${site.id}&sort=startedAt`, ['plain', 'step', 'red', 'runs']],
    ['subtaskId=none', ['admins', 'billable', 'both', 'red', 'plain']],
    [`subtaskId=none,${step.id}`, ['runs', 'admins', 'billable', 'both', 'red', 'step', 'plain']],
    [`subtaskId=${step.id}`, ['runs', 'step']],
    [`tagId=${red.id}`, ['both', 'red']],
    [`tagId=${blue.id}`, ['both']],
    [`tagId=${red.id},${blue.id}`, ['both']],
    [`anyTagId=${blue.id}`, ['both']],
    [`anyTagId=${red.id},${blue.id}`, ['both', 'red']],
    ['memberId=me', ['runs', 'billable', 'both', 'red', 'step', 'plain']],
    [`memberId=me,${admin.memberId}&projectId=${app.id}`, ['admins', 'billable', 'both']],
    [`projectId=${web.id}&projectId=${app.id}`, ['runs', 'admins', 'billable', 'both', 'red', 'step', 'plain']],
    [`taskId=${site.id},${store.id}`, ['runs', 'admins', 'billable', 'both', 'red', 'step', 'plain']],
    [`subtaskId=${step.id},${randomUUID()}`, ['runs', 'step']],
    [`id=${entries.red?.id},${entries.runs?.id},${randomUUID()}`, ['runs', 'red']],
    ['billable=true', ['runs', 'billable', 'both']],
    ['billable=false', ['admins', 'red', 'step', 'plain']],
    ['running=true', ['runs']],
    ['running=false', ['admins', 'billable', 'both', 'red', 'step', 'plain']],
    [`startedAfter=${day(5).startedAt}`, ['runs', 'admins', 'billable']],
    [`startedBefore=${day(3).startedAt}`, ['step', 'plain']],
    [`startedAfter=${encodeURIComponent('2026-03-05T09:00:00+01:00')}`, ['runs', 'admins', 'billable']],
    [`updatedAfter=${entries.runs?.updatedAt}`, ['runs']],
    ['updatedAfter=2099-01-01T00:00:00Z', []],
  ]
  for (const [query, expected] of cases) assert.deepEqual(await matching(query), expected, query)
})

test('taskId finds exactly the time that trackedSeconds and a report by task count', async () => {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const [site, other] = [await world.task({ projectId }), await world.task({ projectId })]
  const [step, sibling] = [await world.subtask(site.id), await world.subtask(site.id)]
  for (const on of [{ taskId: site.id }, { subtaskId: step.id }, { subtaskId: sibling.id }, { taskId: other.id }])
    await world.timeEntry({ ...on, durationSeconds: 600 })
  await world.owner.delete(`/subtasks/${sibling.id}`)
  const { data } = (await world.owner.get(`/time-entries?taskId=${site.id}`)).body
  assert.equal(data.length, 2)
  const report = async (query: string) => (await world.owner.get(`/reports/time?groupBy=task&${query}`)).body
  assert.equal((await report(`taskId=${site.id}`)).totals.seconds, 1_200)
  assert.equal((await report(`taskId=${site.id}&subtaskId=none`)).totals.seconds, 600)
  const { data: groups } = await report('')
  const ofSite = groups.find(({ group }: { group: { task: { id: string } } }) => group.task.id === site.id)
  assert.equal(ofSite.seconds, 1_200)
  assert.equal((await world.owner.get(`/tasks/${site.id}?include=trackedSeconds`)).body.trackedSeconds, 1_200)
})

test('filters combine: a returned entry matches all of them', async () => {
  const cases: [string, string[]][] = [
    [`projectId=${web.id}&billable=true`, ['runs']],
    [`projectId=${app.id}&tagId=${red.id}&billable=true`, ['both']],
    [`taskId=${site.id}&startedAfter=${day(2).startedAt}`, ['runs', 'red', 'step']],
    [`taskId=${site.id}&subtaskId=${step.id}`, ['runs', 'step']],
    [`taskId=${store.id}&subtaskId=${step.id}`, []],
    [`taskId=${site.id}&subtaskId=none,${step.id}&billable=false`, ['red', 'step', 'plain']],
    [`startedAfter=${day(2).startedAt}&startedBefore=${day(5).startedAt}`, ['both', 'red', 'step']],
    [`startedAfter=${day(2).startedAt}&startedBefore=${day(2).startedAt}`, []],
    [`memberId=${admin.memberId}&projectId=${app.id}&taskId=${store.id}&running=false&billable=false`, ['admins']],
  ]
  for (const [query, expected] of cases) assert.deepEqual(await matching(query), expected, query)
})

test('the pages of every filtered list together are the whole list', async () => {
  for (const filter of [
    '',
    `projectId=${web.id}`,
    `tagId=${red.id}`,
    'running=false',
    `taskId=${site.id}`,
    'subtaskId=none',
  ]) {
    const whole = await matching(filter)
    const paged: string[] = []
    let cursor = ''
    for (let page = 0; page <= whole.length; page++) {
      const { body } = await owner.get(`/time-entries?limit=2&${filter}${cursor}`)
      paged.push(...given.named(body.data))
      if (body.pagination.nextCursor === null) break
      cursor = `&cursor=${body.pagination.nextCursor}`
    }
    assert.deepEqual(paged, whole, filter)
  }
})

test('a filter can change between pages: the list continues from the same place', async () => {
  const { nextCursor } = (await owner.get('/time-entries?limit=3')).body.pagination
  assert.deepEqual(await matching(`cursor=${nextCursor}&billable=true`), ['both'])
})

test('an id that matches nothing visible gives an empty page, whether it exists elsewhere or nowhere', async () => {
  const foreign = await setUp()
  const ids = [randomUUID(), foreign.web.id, foreign.site.id, foreign.step.id, foreign.red.id, foreign.owner.memberId]
  for (const name of ['memberId', 'projectId', 'taskId', 'subtaskId', 'tagId']) {
    for (const id of ids) {
      const { status, body } = await owner.get(`/time-entries?${name}=${id}`)
      assert.deepEqual([status, body], [200, { data: [], pagination: { nextCursor: null } }])
    }
  }
})

test('a member of one project gets only its time, with any filter', async () => {
  const { member, addToProject, named, ...world } = await setUp()
  await addToProject(world.app.id, member, 'viewer')
  const seen = async (query: string) => named((await member.get(`/time-entries?${query}`)).body.data)
  assert.deepEqual(await seen(''), ['admins', 'billable', 'both'])
  assert.deepEqual(await seen(`tagId=${world.red.id}`), ['both'])
  assert.deepEqual(await seen(`projectId=${world.web.id}`), [])
  assert.deepEqual(await seen(`subtaskId=${world.step.id}`), [])
  assert.deepEqual(await seen(`taskId=${world.site.id}`), [])
  assert.deepEqual(await seen(`taskId=${world.site.id},${world.store.id}`), ['admins', 'billable', 'both'])
  assert.deepEqual(await seen(`projectId=${world.web.id},${world.app.id}`), ['admins', 'billable', 'both'])
  assert.deepEqual(await seen(`projectId=${world.web.id},${world.app.id}&memberId=${world.admin.memberId}`), ['admins'])
  assert.deepEqual(await seen(`projectId=${world.web.id},${randomUUID()}`), [])
})

test('a misspelt, malformed or repeated filter is refused with 422', async () => {
  const malformed = [
    ...['memberId=none', 'projectId=1', 'taskId=', 'billable=yes', 'running=1', 'running=TRUE', 'tagId=x'],
    ...['startedAfter=2026-03-01', 'startedAfter=2026-03-01T00:00:00', 'startedBefore=1969-12-31T00:00:00Z'],
    ...['updatedAfter=now', 'billable=true&billable=true', `tagId=${red.id}&tagId=${red.id}`, `anyTagId=${red.id},x`],
  ]
  for (const query of malformed) {
    const { status, body } = await owner.get(`/time-entries?${query}`)
    assert.equal(status, 422, query)
    assert.deepEqual(Object.keys(body.details.fieldErrors), [query.split('=')[0]])
  }
  for (const query of ['member=x', 'memberid=x', 'tagIds=x', 'q=x']) {
    const { status, body } = await owner.get(`/time-entries?${query}`)
    assert.equal(status, 422, query)
    assert.equal(body.details.formErrors.length, 1)
  }
})
