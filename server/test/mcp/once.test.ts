import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { connectAgent, post, webProject } from '../support/agent.ts'
import { until } from '../support/until.ts'
import { sharedServer, type World } from '../support/world.ts'

const server = await sharedServer()
const replayed = /nothing was done again/

async function scene() {
  const world = await server.newWorld()
  const { project } = await webProject(world)
  const task = await world.task({ projectId: project.id, name: 'Fix the login' })
  const { call } = await connectAgent(server.base, world.owner.key)
  return { world, project, task, call }
}

/** A call as it is sent again by who lost the answer: in all but its id the same. */
const send = ({ owner }: World, id: number | string, name: string, input: object) =>
  post(
    server.base,
    { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } },
    { authorization: `Bearer ${owner.key}` },
  )

const additions: [name: string, input: object, count: (world: World) => Promise<number>][] = [
  [
    'create_task',
    { project: 'WEB', name: 'One', subtasks: ['a', 'b'] },
    async ({ owner }) => (await owner.get('/tasks?q=One')).body.data.length,
  ],
  [
    'add_comment',
    { task: 'WEB-1', body: 'Seen' },
    async ({ owner }) => (await owner.get('/tasks/WEB-1/comments')).body.total,
  ],
  [
    'add_subtasks',
    { task: 'WEB-1', names: ['a step'] },
    async ({ owner }) => (await owner.get('/tasks/WEB-1/subtasks')).body.total,
  ],
  [
    'log_time',
    { task: 'WEB-1', duration: '2h' },
    async ({ owner }) => (await owner.get('/time-entries')).body.data.length,
  ],
]

for (const [name, input, count] of additions) {
  test(`${name}: a call that is sent again under another id takes effect once, and says so`, async () => {
    const { world } = await scene()
    const first = await send(world, 1, name, input)
    const again = await send(world, 'another', name, input)
    const [one, two] = [first, again].map(({ body }) => body.result.content[0].text)
    assert.doesNotMatch(one, replayed)
    assert.match(two, replayed)
    assert.ok(two.startsWith(one))
    assert.equal(await count(world), 1)
  })

  test(`${name}: one of several calls sent at once under different ids takes effect`, async () => {
    const { world } = await scene()
    const sent = await Promise.all([1, 2, 3, 4].map((id) => send(world, id, name, input)))
    for (const { body } of sent) assert.equal(body.result.isError, undefined, body.result.content[0].text)
    assert.equal(await count(world), 1)
  })

  test(`${name}: another idempotencyKey does the same once more, and the same key never does`, async () => {
    const { world, call } = await scene()
    for (const idempotencyKey of ['one', 'two', 'one', 'two', 'two']) {
      const { refused, text } = await call(name, { ...input, idempotencyKey })
      assert.ok(!refused, text)
    }
    assert.equal(await count(world), 2)
  })
}

test('the same words from another member are another call', async () => {
  const { world, project } = await scene()
  await world.addToProject(project.id, world.member)
  for (const { key } of [world.owner, world.member]) {
    const { call } = await connectAgent(server.base, key)
    assert.doesNotMatch((await call('add_comment', { task: 'WEB-1', body: 'Seen' })).text, replayed)
  }
  assert.equal((await world.owner.get('/tasks/WEB-1/comments')).body.total, 2)
})

test('ten minutes later the same arguments are another call; an idempotencyKey is kept as usual', async () => {
  const { world, call } = await scene()
  await call('add_comment', { task: 'WEB-1', body: 'Seen' })
  await call('add_comment', { task: 'WEB-1', body: 'Seen', idempotencyKey: 'k' })
  const rows = await server.db.rows<{ ms: number }>(sql`
    select extract(epoch from expires_at - created_at) * 1000 as ms from idempotency_keys
    where org_id = ${world.orgId} and key like 'mcp-%' order by ms`)
  assert.deepEqual(
    rows.map(({ ms }) => Number(ms)),
    [600_000, 72 * 3_600_000],
  )
  await server.db.rows(sql`
    update idempotency_keys set expires_at = (expires_at at time zone 'UTC' - interval '10 minutes') at time zone 'UTC'
    where org_id = ${world.orgId}`)
  assert.doesNotMatch((await call('add_comment', { task: 'WEB-1', body: 'Seen' })).text, replayed)
  assert.match((await call('add_comment', { task: 'WEB-1', body: 'Seen', idempotencyKey: 'k' })).text, replayed)
  assert.equal((await world.owner.get('/tasks/WEB-1/comments')).body.total, 3)
})

test('an idempotencyKey with other arguments is refused, with what to do', async () => {
  const { call } = await scene()
  await call('add_comment', { task: 'WEB-1', body: 'One', idempotencyKey: 'k' })
  const { refused, text } = await call('add_comment', { task: 'WEB-1', body: 'Two', idempotencyKey: 'k' })
  assert.ok(refused)
  assert.match(text, /Give a new idempotencyKey/)
  // another tool has keys of its own
  assert.ok(!(await call('add_subtasks', { task: 'WEB-1', names: ['Two'], idempotencyKey: 'k' })).refused)
})

test('setting a value, then another, then the first again takes effect each time: only a call on the same state is the same', async () => {
  const { world, call } = await scene()
  const stageOf = async () => (await world.owner.get('/tasks/WEB-1?include=stage')).body.stage.name
  for (const stage of ['Doing', 'Done', 'Doing', 'Backlog', 'Doing']) {
    const { text } = await call('move_task', { task: 'WEB-1', stage })
    assert.doesNotMatch(text, replayed)
    assert.equal(await stageOf(), stage)
  }
  for (const priority of ['high', 'low', 'high', 'low']) {
    assert.doesNotMatch((await call('edit_task', { task: 'WEB-1', priority })).text, replayed)
    assert.equal((await world.owner.get('/tasks/WEB-1')).body.priority, priority)
  }
  await call('add_subtasks', { task: 'WEB-1', names: ['a step'] })
  for (const state of ['finalized', 'open', 'finalized'])
    assert.doesNotMatch((await call('set_subtasks', { task: 'WEB-1', subtasks: ['a step'], state })).text, replayed)
  assert.notEqual((await world.owner.get('/tasks/WEB-1/subtasks')).body.data[0].finalizedAt, null)
})

test('a timer that starts and stops repeatedly has as many entries, and a repeated call adds none', async () => {
  const { world, call } = await scene()
  for (let i = 0; i < 3; i++) {
    for (const action of ['start', 'start', 'stop', 'stop']) {
      const { text, refused } = await call('set_timer', { action, task: 'WEB-1' })
      assert.ok(!refused && !replayed.test(text), text)
    }
  }
  const { data } = (await world.owner.get('/time-entries')).body
  assert.equal(data.length, 3)
  assert.ok(data.every(({ endedAt }: { endedAt: string | null }) => endedAt !== null))
})

test('a timer stops at the end that the agent names, and only a stop takes an end', async () => {
  const { world, call } = await scene()
  const startedAt = new Date(Date.now() - 3_600_000).toISOString()
  const { id } = (await world.owner.get('/tasks/WEB-1')).body
  assert.equal((await world.owner.post('/time-entries', { taskId: id, startedAt })).status, 201)
  assert.match(
    (await call('set_timer', { action: 'start', task: 'WEB-1', end: '30m ago' })).text,
    /end: Give it only with action stop/,
  )
  assert.match((await call('set_timer', { action: 'stop', end: '2h ago' })).text, /end: Must not be before/)
  assert.match((await call('set_timer', { action: 'stop', end: '30m ago' })).text, /Stopped after (30m|29m)/)
})

test('a stop without a timer does not call an entry the latest because it changed last', async () => {
  const { world, call } = await scene()
  const { id: taskId } = (await world.owner.get('/tasks/WEB-1')).body
  for (const startedAt of ['2026-02-02T09:00:00Z', '2026-01-05T09:00:00Z'])
    assert.equal((await world.owner.post('/time-entries', { taskId, startedAt, durationSeconds: 60 })).status, 201)
  assert.match(
    (await call('set_timer', { action: 'stop' })).text,
    /^You have no running timer\. Your entry that changed last ended 2026-01-05 09:01/,
  )
})

test("an update that is sent again after another member's update is not done again under its key", async () => {
  const { world, call } = await scene()
  const input = { task: 'WEB-1', name: 'Ours', idempotencyKey: 'edit' }
  await call('edit_task', input)
  await world.owner.patch('/tasks/WEB-1', { name: 'Theirs' })
  assert.match((await call('edit_task', input)).text, replayed)
  assert.equal((await world.owner.get('/tasks/WEB-1')).body.name, 'Theirs')
})

test('a call of several steps that was interrupted is completed by the same call', async () => {
  const { world, call } = await scene()
  const input = { project: 'WEB', name: 'Big', subtasks: ['a', 'b'], idempotencyKey: 'big' }
  await call('create_task', input)
  const [task] = (await world.owner.get('/tasks?q=Big')).body.data
  // as if its second step had never been
  for (const { id } of (await world.owner.get(`/tasks/${task.id}/subtasks`)).body.data)
    await world.owner.delete(`/subtasks/${id}`)
  await server.db.rows(sql`
    delete from idempotency_keys where org_id = ${world.orgId}
      and key = (select key from idempotency_keys where org_id = ${world.orgId} order by created_at desc limit 1)`)
  const again = await call('create_task', input)
  assert.doesNotMatch(again.text, replayed)
  assert.ok(again.text.startsWith(`Created ${task.key} Big`), again.text)
  assert.equal((await world.owner.get(`/tasks/${task.id}/subtasks`)).body.total, 2)
  assert.equal((await world.owner.get('/tasks?q=Big')).body.data.length, 1)
})

test('time until now is one entry, however much later its call is sent again', async () => {
  const { world, call } = await scene()
  const input = { task: 'WEB-1', duration: '45m', idempotencyKey: 'now' }
  const first = await call('log_time', input)
  const { data } = (await world.owner.get('/time-entries')).body
  await until(() => Date.now() > Date.parse(data[0].endedAt) + 5, 'The clock stands still')
  assert.ok((await call('log_time', input)).text.startsWith(first.text))
  assert.equal((await world.owner.get('/time-entries')).body.data.length, 1)
})
