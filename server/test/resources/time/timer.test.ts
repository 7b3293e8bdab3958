import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Api, sharedServer, type World } from '../../support/world.ts'

const { newWorld } = await sharedServer()

interface Entry {
  id: string
  startedAt: string
  endedAt: string | null
}

const setUp = async () => {
  const world = await newWorld()
  const project = await world.project()
  return { ...world, newTask: world.task, project, task: await world.task({ projectId: project.id }) }
}

const settle = async ({ owner }: World, settings: object) =>
  assert.equal((await owner.patch('/organization', { settings })).status, 200)

const entriesOf = async (api: Api): Promise<Entry[]> =>
  (await api.get(`/time-entries?limit=100&memberId=${api.memberId}`)).body.data

test('a timer starts with 201 and Location, is read at /timer, and stops with an end', async () => {
  const { owner, task, tag } = await setUp()
  assert.deepEqual((await owner.get('/timer')).body, { timeEntry: null })
  const label = await tag()
  const fields = { taskId: task.id, description: 'Thinking', billable: true, tagIds: [label.id] }
  const started = await owner.post('/timer/start', fields)
  assert.equal(started.status, 201)
  const { id, startedAt } = started.body
  assert.equal(started.headers.get('location'), `/api/v1/time-entries/${id}`)
  assert.deepEqual({ ...started.body, ...fields }, started.body)
  assert.deepEqual(
    [started.body.endedAt, started.body.durationSeconds, started.body.memberId, started.body.projectId],
    [null, null, owner.memberId, task.projectId],
  )
  assert.deepEqual((await owner.get('/timer')).body, { timeEntry: started.body })
  const stopped = await owner.post('/timer/stop')
  assert.equal(stopped.status, 200)
  assert.deepEqual([stopped.body.id, stopped.body.startedAt, stopped.body.version], [id, startedAt, 2])
  assert.ok(stopped.body.endedAt >= startedAt)
  assert.deepEqual((await owner.get('/timer')).body, { timeEntry: null })
  assert.deepEqual((await owner.get(`/time-entries/${id}`)).body, stopped.body)
})

test('stopping without a running timer is refused with 412', async () => {
  const { owner, task } = await setUp()
  assert.equal((await owner.post('/timer/stop')).status, 412)
  await owner.post('/timer/start', { taskId: task.id })
  assert.equal((await owner.post('/timer/stop')).status, 200)
  const again = await owner.post('/timer/stop')
  assert.deepEqual([again.status, again.body], [412, { error: 'You have no running timer' }])
})

test('under stop_previous a start ends the running timer at the time at which the next begins', async () => {
  const { owner, task } = await setUp()
  const first = await owner.post('/timer/start', { taskId: task.id })
  const second = await owner.post('/timer/start', { taskId: task.id })
  assert.equal(second.status, 201)
  const { body } = await owner.get(`/time-entries/${first.body.id}`)
  assert.equal(body.endedAt, second.body.startedAt)
  assert.equal(body.version, 2)
})

test('under reject a start while another entry runs is refused with 412 and changes nothing', async () => {
  const world = await setUp()
  const { owner, task } = world
  await settle(world, { timerPolicy: 'reject' })
  const first = await owner.post('/timer/start', { taskId: task.id })
  assert.equal((await owner.post('/timer/start', { taskId: task.id })).status, 412)
  assert.equal((await owner.post('/time-entries', { taskId: task.id })).status, 412)
  assert.deepEqual((await owner.get('/timer')).body.timeEntry, first.body)
})

test('an entry without an end is a timer too: it stops the previous one, and /timer shows it', async () => {
  const { owner, task } = await setUp()
  const first = await owner.post('/timer/start', { taskId: task.id })
  const second = await owner.post('/time-entries', { taskId: task.id })
  assert.equal((await owner.get('/timer')).body.timeEntry.id, second.body.id)
  assert.equal((await owner.get(`/time-entries/${first.body.id}`)).body.endedAt, second.body.startedAt)
})

test('an entry that begins in the near future has no duration when it is stopped before', async () => {
  const { owner, task } = await setUp()
  const startedAt = new Date(Date.now() + 50_000).toISOString()
  await owner.post('/time-entries', { taskId: task.id, startedAt })
  const stopped = await owner.post('/timer/stop')
  assert.deepEqual([stopped.body.endedAt, stopped.body.durationSeconds], [startedAt, 0])
})

test('clearing the end of an entry while another one runs is refused with 412', async () => {
  const { owner, task, timeEntry } = await setUp()
  const ended = await timeEntry({ taskId: task.id })
  await owner.post('/timer/start', { taskId: task.id })
  assert.equal((await owner.patch(`/time-entries/${ended.id}`, { endedAt: null })).status, 412)
  await owner.post('/timer/stop')
  assert.equal((await owner.patch(`/time-entries/${ended.id}`, { endedAt: null })).status, 200)
  assert.equal((await owner.get('/timer')).body.timeEntry.id, ended.id)
})

test('each member has a timer of their own', async () => {
  const { owner, admin, task } = await setUp()
  const [mine, theirs] = await Promise.all(
    [owner, admin].map(async (api) => (await api.post('/timer/start', { taskId: task.id })).body),
  )
  assert.equal((await owner.get('/timer')).body.timeEntry.id, mine.id)
  assert.equal((await admin.get('/timer')).body.timeEntry.id, theirs.id)
  await owner.post('/timer/stop')
  assert.equal((await admin.get('/timer')).body.timeEntry.id, theirs.id)
})

test('when 50 timers start at once under stop_previous one runs in the end, and the entries have no gaps or overlaps', async () => {
  const { owner, task } = await setUp()
  const starts = await Promise.all(Array.from({ length: 50 }, () => owner.post('/timer/start', { taskId: task.id })))
  assert.deepEqual([...new Set(starts.map(({ status }) => status))], [201])
  const entries = await entriesOf(owner)
  assert.equal(entries.length, 50)
  assert.equal(entries.filter(({ endedAt }) => endedAt === null).length, 1)
  // those that took no time stand at the moment in which the next begins, whatever their ids
  const end = ({ endedAt }: Entry) => endedAt ?? '9999'
  const chain = entries.sort((a, b) => compare(a.startedAt, b.startedAt) || compare(end(a), end(b)))
  chain.slice(1).forEach(({ startedAt }, i) => {
    assert.equal(chain[i]?.endedAt, startedAt)
  })
})

test('when 50 timers start at once under reject one succeeds and 49 are refused with 412', async () => {
  const world = await setUp()
  const { owner, task } = world
  await settle(world, { timerPolicy: 'reject' })
  const starts = await Promise.all(Array.from({ length: 50 }, () => owner.post('/timer/start', { taskId: task.id })))
  const statuses = starts.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, ...Array(49).fill(412)])
  assert.equal((await entriesOf(owner)).length, 1)
})

test('a start that is repeated with its Idempotency-Key is replayed and starts nothing', async () => {
  const { owner, task } = await setUp()
  const key = { 'idempotency-key': randomUUID() }
  const first = await owner.post('/timer/start', { taskId: task.id }, key)
  const again = await owner.post('/timer/start', { taskId: task.id }, key)
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await entriesOf(owner)).length, 1)
})

test('a running entry blocks the finalizing of its subtask with 412; a stopped one does not', async () => {
  const { owner, admin, task, subtask } = await setUp()
  const { id } = await subtask(task.id)
  assert.equal((await admin.post('/timer/start', { subtaskId: id })).status, 201)
  assert.equal((await owner.post(`/subtasks/${id}/finalize`)).status, 412)
  await admin.post('/timer/stop')
  assert.equal((await owner.post(`/subtasks/${id}/finalize`)).status, 200)
  assert.equal((await admin.post('/timer/start', { subtaskId: id })).status, 412)
})

test('starts and a finalize at once never leave a timer running on a finalized subtask', async () => {
  const { owner, admin, task, subtask } = await setUp()
  for (let round = 0; round < 5; round++) {
    const { id } = await subtask(task.id)
    await Promise.all([
      admin.post('/timer/start', { subtaskId: id }),
      owner.post(`/subtasks/${id}/finalize`),
      owner.post('/timer/start', { subtaskId: id }),
    ])
    const { finalizedAt } = (await owner.get(`/subtasks/${id}`)).body
    const { data } = (await owner.get(`/time-entries?subtaskId=${id}&running=true`)).body
    assert.ok(finalizedAt === null || data.length === 0)
  }
})

test('no timer can start in an archived project: 412', async () => {
  const { owner, project, task } = await setUp()
  assert.equal((await owner.post(`/projects/${project.id}/archive`)).status, 200)
  assert.equal((await owner.post('/timer/start', { taskId: task.id })).status, 412)
})

test('starting requires a contributor: 403 for a viewer, 404 for a caller who does not see the project', async () => {
  const { member, project, task, addToProject } = await setUp()
  const stranger = (await newWorld()).owner
  for (const api of [member, stranger]) assert.equal((await api.post('/timer/start', { taskId: task.id })).status, 404)
  await addToProject(project.id, member, 'viewer')
  assert.equal((await member.post('/timer/start', { taskId: task.id })).status, 403)
})

test('starting a timer takes exactly one of taskId and subtaskId, and no unknown field: 422', async () => {
  const { owner, task, subtask } = await setUp()
  const { id: subtaskId } = await subtask(task.id)
  for (const body of [{}, { taskId: null }, { taskId: task.id, subtaskId }]) {
    const { status, body: answer } = await owner.post('/timer/start', body)
    assert.equal(status, 422)
    assert.deepEqual(answer.details.formErrors, ['Exactly one of taskId and subtaskId is required'])
  }
  const misspelt = await owner.post('/timer/start', { taskId: task.id, startedAt: '2026-01-01T00:00:00Z' })
  assert.equal(misspelt.status, 422)
  const wrong = await owner.post('/timer/start', { taskId: 'x', billable: 'yes', tagIds: [task.id, task.id] })
  assert.deepEqual(Object.keys(wrong.body.details.fieldErrors).sort(), ['billable', 'tagIds', 'taskId'])
  assert.equal((await owner.post('/timer/start', { taskId: randomUUID() })).status, 404)
  assert.equal((await owner.post('/timer/start', { taskId: task.id, tagIds: [randomUUID()] })).status, 404)
  assert.equal((await owner.post('/timer/stop', { at: 'now' })).status, 422)
  assert.equal((await owner.get('/timer?memberId=me')).status, 422)
})

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

test('nobody can stop a timer of another member in a project that they do not lead: 412', async () => {
  const { owner, member, project, task, addToProject } = await newWorld()
  const [here, there] = [await project(), await project()]
  await addToProject(here.id, member, 'lead')
  const { id: taskId } = await task({ projectId: here.id })
  const elsewhere = await task({ projectId: there.id })
  const { id } = (await owner.post('/timer/start', { taskId: elsewhere.id })).body
  const start = { taskId, memberId: owner.memberId }
  const reply = await member.post('/time-entries', start)
  assert.deepEqual([reply.status, reply.headers.get('x-error-code')], [412, 'already_running'])
  assert.match(reply.body.error, /^Another time entry of this member is running/)
  await addToProject(there.id, member, 'contributor')
  assert.match(
    (await member.post('/time-entries', start)).body.error,
    new RegExp(`^The time entry ${id} .* is running`),
  )
  await owner.patch(`/projects/${there.id}/members/${member.memberId}`, { role: 'lead' })
  assert.equal((await member.post('/time-entries', start)).status, 201)
})
